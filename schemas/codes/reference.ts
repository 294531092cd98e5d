import type { CodeDoc } from './code-doc.ts'

export const REFERENCE_CODES = {
  'reference/unknown-agent': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'reference/unknown-plugin-agent': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
} as const satisfies Record<string, CodeDoc>
