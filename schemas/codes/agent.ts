import type { CodeDoc } from './code-doc.ts'

export const AGENT_CODES = {
  'agent/duplicate-name': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'agent/overrides-builtin': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
} as const satisfies Record<string, CodeDoc>
