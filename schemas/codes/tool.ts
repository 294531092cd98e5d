import type { CodeDoc } from './code-doc.ts'

export const TOOL_CODES = {} as const satisfies Record<string, CodeDoc>
