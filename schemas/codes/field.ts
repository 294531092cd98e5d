import type { CodeDoc } from './code-doc.ts'

export const FIELD_CODES = {
  'field/name-type': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'field/invalid-name': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'field/missing-description': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'field/description-type': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'field/lost-restriction': { severity: 'error', what: '', why: '', todo: '', bad: '', good: '' },
  'field/missing-name': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'field/blank-description': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'field/misspelt-key': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'field/invalid-value': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'field/unknown-model': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'field/ignored-in-plugin': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'field/ignored-in-flag': { severity: 'warning', what: '', why: '', todo: '', bad: '', good: '' },
  'field/empty-value': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'field/letter-case': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'field/color': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
  'field/empty-body': { severity: 'info', what: '', why: '', todo: '', bad: '', good: '' },
} as const satisfies Record<string, CodeDoc>
