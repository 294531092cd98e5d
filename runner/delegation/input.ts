import { PERMISSION_MODES } from '../../schemas/values.ts'
import type { ToolInput } from '../tools/tool.ts'

/** A call of the tool Agent, as its schema has it. */
export interface AgentInput {
  description: string
  prompt: string
  subagent_type?: string
  model?: string
  run_in_background?: boolean
  name?: string
  team_name?: string
  mode?: string
  isolation?: 'worktree' | 'remote'
  cwd?: string
}

const TEXTS = ['description', 'subagent_type', 'model', 'name', 'team_name', 'mode', 'isolation', 'cwd'] as const
const SHOWN = 60

/**
 * Reads a call, or says in a sentence what is wrong with it. A missing description, which is for people only, is no reason to refuse:
 * the beginning of the task stands in for it.
 */
export function agentInput(input: ToolInput): AgentInput | string {
  const { prompt, run_in_background: background } = input
  if (typeof prompt !== 'string' || prompt.trim() === '') return 'prompt is missing: it has to hold the whole task'
  for (const name of TEXTS) if (input[name] !== undefined && typeof input[name] !== 'string') return `${name} has to be a text`
  if (background !== undefined && typeof background !== 'boolean') return 'run_in_background has to be true or false'
  if (input.isolation !== undefined && input.isolation !== 'worktree' && input.isolation !== 'remote') {
    return `isolation has to be worktree, not ${JSON.stringify(input.isolation)}`
  }
  if (input.mode !== undefined && !PERMISSION_MODES.some((mode) => mode === input.mode)) {
    return `mode has to be one of ${PERMISSION_MODES.join(', ')}`
  }
  const { description = prompt.trim().split('\n')[0]!.slice(0, SHOWN) } = input
  return { ...input, description, prompt } as AgentInput
}
