import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { AgentDefinition } from '../define/definition.ts'
import { agentSwitchedOff } from '../findings/settings.ts'
import { hooksSwitch, pluginsOnly, type Settings, type Switch } from './settings.ts'

export interface PolicyOutcome {
  agents: AgentDefinition[]
  diagnostics: Diagnostic[]
}

/**
 * What managed switches leave of the agents: none of the user's and the project's where only plugins may bring them, none of the command
 * line where nothing may be given there, no hooks where hooks do not count, and no memory where it is switched off (claude-code-agents.md
 * 3.4, 7.7, 9).
 */
export function underPolicy(agents: readonly AgentDefinition[], settings: Settings): PolicyOutcome {
  const outcome: PolicyOutcome = { agents: [], diagnostics: [] }
  for (const agent of agents) {
    const off = agentOff(agent, settings)
    if (off) outcome.diagnostics.push(agentSwitchedOff(agent.file, agent.name.range, `\`${agent.name.value}\``, off))
    else outcome.agents.push(withoutMemory(withoutHooks(agent, settings, outcome.diagnostics), settings, outcome.diagnostics))
  }
  return outcome
}

function agentOff({ file }: AgentDefinition, { switches }: Settings): Switch | undefined {
  const { source } = file.origin
  const sideload = switches.disableSideloadFlags
  if (source === 'flag' && sideload?.value) return { ...sideload, key: 'disableSideloadFlags' }
  return pluginsOnly('agents', source, { switches })
}

function withoutHooks(agent: AgentDefinition, settings: Settings, found: Diagnostic[]): AgentDefinition {
  const by = agent.hooks && hooksSwitch(agent.file.origin.source, settings)
  if (!by) return agent
  const { hooks, ...rest } = agent
  found.push(agentSwitchedOff(agent.file, agent.places.get('hooks')?.key ?? hooks!.range, `\`hooks\` of \`${agent.name.value}\``, by))
  return rest
}

function withoutMemory(agent: AgentDefinition, { switches }: Settings, found: Diagnostic[]): AgentDefinition {
  const by = switches.autoMemoryEnabled
  if (!agent.memory || !by || by.value) return agent
  const { memory, ...rest } = agent
  const at = agent.places.get('memory')?.key ?? memory.range
  found.push(agentSwitchedOff(agent.file, at, `\`memory\` of \`${agent.name.value}\``, { ...by, key: 'autoMemoryEnabled' }))
  return rest
}
