import type { CodeDoc } from './code-doc.ts'

export const YAML_CODES = {} as const satisfies Record<string, CodeDoc>
