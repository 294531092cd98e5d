import type { CodeDoc } from './codes/code-doc.ts'
import { AGENT_CODES } from './codes/agent.ts'
import { FIELD_CODES } from './codes/field.ts'
import { FILE_CODES } from './codes/file.ts'
import { PLUGIN_CODES } from './codes/plugin.ts'
import { TOOL_CODES } from './codes/tool.ts'
import { YAML_CODES } from './codes/yaml.ts'

/** Every code agentc can report, with its documentation: the argument of `agentc explain <code>`. */
export const CODES = {
  ...FILE_CODES,
  ...PLUGIN_CODES,
  ...YAML_CODES,
  ...FIELD_CODES,
  ...TOOL_CODES,
  ...AGENT_CODES,
} as const satisfies Record<string, CodeDoc>

export type Code = keyof typeof CODES
