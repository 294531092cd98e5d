import type { CodeDoc } from './code-doc.ts'

export const SERVER_CODES = {
  'server/incomplete': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'server/map': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'server/invalid': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
} as const satisfies Record<string, CodeDoc>
