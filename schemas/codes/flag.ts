import type { CodeDoc } from './code-doc.ts'

export const FLAG_CODES = {
  'flag/invalid-json': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'flag/not-an-agent': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
} as const satisfies Record<string, CodeDoc>
