import type { AgentDefinition, DroppedAgent } from '../define/definition.ts'
import { agentsFolderOf } from '../source-file.ts'
import { resolveChanged } from './changed.ts'
import { resolveOne, type ResolveOptions, type SharedViews } from './one.ts'
import { spawnsOf } from './powers.ts'
import type { Resolution, ResolvedAgent } from './resolved.ts'

/**
 * Folds the definitions into agents: they come lowest layer first, a later one replaces the earlier one of the same name whole and
 * keeps it in `overrides` (M1). A file that gave no definition takes its name with it, unless a file of higher precedence has that name.
 */
export function resolve(definitions: readonly AgentDefinition[], dropped: readonly DroppedAgent[], options: ResolveOptions): Resolution {
  const { last } = options
  const again = last?.before && resolveChanged(last.before, definitions, dropped, options)
  if (again) last.before = { ...last.before!, definitions, resolution: again }
  return again ?? resolveAll(definitions, dropped, options)
}

function resolveAll(definitions: readonly AgentDefinition[], dropped: readonly DroppedAgent[], options: ResolveOptions): Resolution {
  const chains = new Map<string, AgentDefinition[]>()
  for (const definition of definitions) {
    const chain = chains.get(definition.name.value)
    if (chain) chain.unshift(definition)
    else chains.set(definition.name.value, [definition])
  }
  const rank: ResolveOptions['rank'] = dropped.length > 0 ? options.rank : new Map()
  const hiding = dropped.filter((agent) => hides(agent, chains.get(agent.name)?.[0], rank))
  const gone = new Map(hiding.map((agent) => [agent.name, agent]))
  const agents = new Map<string, ResolvedAgent>()
  const views: SharedViews = new Map()
  for (const name of [...chains.keys()].sort()) {
    if (gone.has(name)) continue
    const chain = chains.get(name)!
    const before = options.known?.get(chain[0]!)
    const agent = before && isStill(before, chain, options, chains) ? before : resolveOne(chain, options, views, chains)
    agents.set(name, agent)
    if (agent !== before) options.known?.set(chain[0]!, agent)
  }
  const resolution = { agents, dropped: gone }
  if (options.last) options.last.before = { definitions, dropped, names: chains, resolution }
  return resolution
}

/** What an agent is depends on the definitions it overrides, and by the names it may start on which agents there are. */
function isStill(
  agent: ResolvedAgent,
  chain: readonly AgentDefinition[],
  { profile }: ResolveOptions,
  known: ReadonlyMap<string, unknown>,
): boolean {
  const { overrides, spawns } = agent
  if (overrides.length !== chain.length - 1 || overrides.some((one, index) => one !== chain[index + 1])) return false
  return spawns === 'all' || spawns.join('\n') === [spawnsOf(agent.definition, profile, known)].flat().join('\n')
}

/**
 * Inside one agents folder no file has precedence over another, so there a broken one hides a healthy one. A plugin's agents have names that
 * no other file can have, whatever it says (conformance plugin-mcp: acme:helper). A document was to be no agent, and hides none.
 */
function hides({ file, code }: DroppedAgent, winner: AgentDefinition | undefined, rank: ResolveOptions['rank']): boolean {
  if (winner?.file.origin.source === 'plugin' && file.origin.source !== 'plugin') return false
  if (winner && code === 'file/document') return false
  if (!winner || agentsFolderOf(file) === agentsFolderOf(winner.file)) return true
  return rank.get(file)! > rank.get(winner.file)!
}
