import type { CodeDoc } from './code-doc.ts'

export const PERMISSION_CODES = {
  'permission/bypass': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'permission/plan-with-write': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
} as const satisfies Record<string, CodeDoc>
