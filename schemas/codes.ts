import type { CodeDoc } from './codes/code-doc.ts'
import { AGENT_CODES } from './codes/agent.ts'
import { CONFIG_CODES } from './codes/config.ts'
import { FIELD_CODES } from './codes/field.ts'
import { FILE_CODES } from './codes/file.ts'
import { FLAG_CODES } from './codes/flag.ts'
import { HOST_CODES } from './codes/host.ts'
import { HOOK_CODES } from './codes/hook.ts'
import { INSTRUCTION_CODES } from './codes/instructions.ts'
import { PERMISSION_CODES } from './codes/permission.ts'
import { PLUGIN_CODES } from './codes/plugin.ts'
import { REFERENCE_CODES } from './codes/reference.ts'
import { SECURITY_CODES } from './codes/security.ts'
import { SERVER_CODES } from './codes/server.ts'
import { SETTINGS_CODES } from './codes/settings.ts'
import { SKILL_CODES } from './codes/skill.ts'
import { TOOL_CODES } from './codes/tool.ts'
import { TYPESCRIPT_CODES } from './codes/typescript.ts'
import { YAML_CODES } from './codes/yaml.ts'

/** Every code agentc can report, with its documentation: the argument of `agentc explain <code>`. */
export const CODES = {
  ...FILE_CODES,
  ...PLUGIN_CODES,
  ...FLAG_CODES,
  ...SETTINGS_CODES,
  ...CONFIG_CODES,
  ...YAML_CODES,
  ...FIELD_CODES,
  ...TOOL_CODES,
  ...HOOK_CODES,
  ...SERVER_CODES,
  ...SKILL_CODES,
  ...INSTRUCTION_CODES,
  ...PERMISSION_CODES,
  ...AGENT_CODES,
  ...REFERENCE_CODES,
  ...HOST_CODES,
  ...SECURITY_CODES,
  ...TYPESCRIPT_CODES,
} as const satisfies Record<string, CodeDoc>

export type Code = keyof typeof CODES
