import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { AgentDefinition } from '../define/definition.ts'
import { agentSwitchedOff } from '../findings/settings.ts'
import { blockedBy } from './server-lists.ts'
import { hooksSwitch, pluginsOnly, type Settings, type Switch } from './settings.ts'

export interface PolicyOutcome {
  agents: AgentDefinition[]
  diagnostics: Diagnostic[]
}

/**
 * What managed switches leave of the agents: none of the user's and the project's where only plugins may bring them, none of the command
 * line where nothing may be given there, no hooks where hooks do not count, no memory where it is switched off (claude-code-agents.md
 * 3.4, 7.7, 9), and of their own servers those that may be used.
 */
export function underPolicy(agents: readonly AgentDefinition[], settings: Settings): PolicyOutcome {
  const outcome: PolicyOutcome = { agents: [], diagnostics: [] }
  for (const agent of agents) {
    const off = agentOff(agent, settings)
    if (off) outcome.diagnostics.push(agentSwitchedOff(agent.file, agent.name.range, `\`${agent.name.value}\``, off))
    else outcome.agents.push(counting(agent, settings, outcome.diagnostics))
  }
  return outcome
}

function counting(agent: AgentDefinition, settings: Settings, found: Diagnostic[]): AgentDefinition {
  return withoutServers(withoutMemory(withoutHooks(agent, settings, found), settings, found), settings, found)
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

/** A server that is set up elsewhere and may not be used is not there at all (`servers/switched-off.ts`). */
function withoutServers(agent: AgentDefinition, settings: Settings, found: Diagnostic[]): AgentDefinition {
  const { mcpServers, file, name } = agent
  if (!mcpServers || settings.servers.allowed.length + settings.servers.denied.length === 0) return agent
  const value = mcpServers.value.filter(({ value: use, range }) => {
    const by = 'config' in use ? blockedBy(use, settings) : undefined
    if (by && 'name' in use) found.push(agentSwitchedOff(file, range, `The server \`${use.name}\` of \`${name.value}\``, by))
    return !by
  })
  return value.length === mcpServers.value.length ? agent : { ...agent, mcpServers: { ...mcpServers, value } }
}
