import type { CodeDoc } from './code-doc.ts'

export const TOOL_CODES = {
  'tool/type': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/json-string': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/none-left': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/denies-nothing': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/empty': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/unknown': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/case': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/granted-and-denied': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/denied-specifier': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/denies-all': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/memory-denied': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/wildcard-mix': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/retired': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/host-only': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/specifier': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/memory-grant': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'tool/not-for-sub-agents': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
} as const satisfies Record<string, CodeDoc>
