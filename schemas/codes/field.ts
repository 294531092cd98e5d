import type { CodeDoc } from './code-doc.ts'

export const FIELD_CODES = {} as const satisfies Record<string, CodeDoc>
