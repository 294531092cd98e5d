import type { CodeDoc } from './code-doc.ts'

export const AGENT_CODES = {} as const satisfies Record<string, CodeDoc>
