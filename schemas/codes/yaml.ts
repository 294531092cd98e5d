import type { CodeDoc } from './code-doc.ts'

export const YAML_CODES = {
  'yaml/unclosed': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/syntax': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/multi-line-value': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/quotes': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/duplicate-key': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/fence-in-value': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/alias-limit': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/too-deep': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/not-a-map': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/language': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/comment-cut': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/recovered': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/tab': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'yaml/proto-key': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
} as const satisfies Record<string, CodeDoc>
