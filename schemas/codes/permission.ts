import type { CodeDoc } from './code-doc.ts'
import { agent } from './example.ts'

export const PERMISSION_CODES = {
  'permission/bypass': {
    severity: 'info',
    what: 'The agent asks for the mode `bypassPermissions`.',
    why: 'Nobody is asked before it runs commands and changes files; only deny rules still hold.',
    todo: 'If that is not needed, use `acceptEdits`, or allow single commands in settings.json.',
    bad: agent('permissionMode: bypassPermissions'),
    good: agent('permissionMode: acceptEdits'),
  },
  'permission/plan-with-write': {
    severity: 'info',
    what: 'The agent works in plan mode, and its list names tools that write.',
    why: 'In plan mode nothing is changed, so every call of these tools is refused.',
    todo: 'Remove them from the list, or choose another mode.',
    bad: agent('tools: Read, Edit', 'permissionMode: plan'),
    good: agent('tools: Read, Grep', 'permissionMode: plan'),
  },
} as const satisfies Record<string, CodeDoc>
