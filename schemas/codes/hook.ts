import type { CodeDoc } from './code-doc.ts'

export const HOOK_CODES = {
  'hook/type': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'hook/flat': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'hook/unknown-event': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'hook/timeout-unit': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'hook/incomplete': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
} as const satisfies Record<string, CodeDoc>
