import type { Profile } from '../../schemas/profile.ts'
import type { Definitions } from '../define/define.ts'
import type { AgentDefinition, DroppedAgent } from '../define/definition.ts'

/** Built-in agents that are offered only when a feature is on (M5, M11). */
const GATED: Readonly<Record<string, string>> = { verification: 'verification' }

/** Which built-in agents there are: features that are on, and names that are left out. */
export interface Offer {
  features?: ReadonlySet<string>
  hiddenBuiltins?: readonly string[]
  /** `false`: no agent has a memory. */
  memory?: false
}

/** All definitions but the built-in ones whose feature is off and those that are left out. */
export function offered(definitions: readonly AgentDefinition[], { features, hiddenBuiltins, memory }: Offer): AgentDefinition[] {
  const all = definitions.filter(({ file, name }) => {
    if (file.origin.source !== 'builtin') return true
    const feature = GATED[name.value]
    return (feature === undefined || features?.has(feature) === true) && hiddenBuiltins?.includes(name.value) !== true
  })
  return memory === false ? all.map(withoutMemory) : all
}

function withoutMemory(agent: AgentDefinition): AgentDefinition {
  const { memory, ...rest } = agent
  return memory ? rest : agent
}

/** Agents that a host leaves out although their file can be read. */
export function droppedByHost(definitions: readonly AgentDefinition[], { looseHooksDropAgent }: Profile): DroppedAgent[] {
  if (!looseHooksDropAgent) return []
  return definitions.filter(({ looseHook }) => looseHook).map(({ file, name }) => ({ file, name: name.value, code: 'host/drops-agent' }))
}

/** Dropped agents, without the files that the host loads all the same. */
export function withoutFallbacks({ dropped, fallbacks }: Definitions, { pluginFilesAreAgents }: Profile): DroppedAgent[] {
  if (!pluginFilesAreAgents) return [...dropped]
  const loaded = new Set(fallbacks.map(({ file }) => file))
  return dropped.filter(({ file }) => !loaded.has(file))
}
