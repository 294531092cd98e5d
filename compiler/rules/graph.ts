import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { folded } from '../../schemas/near.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { AgentDefinition, ToolEntry } from '../define/definition.ts'
import * as say from '../findings/graph.ts'
import { agentNames } from '../resolve/powers.ts'
import type { Resolution, ResolvedAgent } from '../resolve/resolved.ts'
import { agentsFolderOf, agentsFolder } from '../source-file.ts'

/**
 * How the agents stand to each other (issue 4, item 9). Agents that nobody reaches are no finding: a person can start every agent by
 * name, and every agent without a list of its own can start every other, so there is no agent of which it can be known.
 */
export function checkGraph(definitions: readonly AgentDefinition[], resolution: Resolution, profile: Profile): Diagnostic[] {
  const winners = definitions.filter((agent) => resolution.agents.get(agent.name.value)?.definition === agent)
  return [
    ...nearDuplicates(winners),
    ...winners.flatMap((agent) => shadowedTargets(agent, resolution, profile)),
    ...(profile.spawnDepth > 1 ? spawnCycles(winners, resolution, profile) : []),
    ...descriptionBudget(winners),
  ]
}

/** Names that differ by letter case or separators only: agentc looks names up exactly, people and models do not (case 34, fault 52). */
function nearDuplicates(winners: readonly AgentDefinition[]): Diagnostic[] {
  const first = new Map<string, AgentDefinition>()
  return winners.flatMap((agent) => {
    const key = folded(agent.name.value)
    const before = key === '' ? undefined : first.get(key)
    if (!before) first.set(key, agent)
    if (!before) return []
    const { file, name } = agent
    const builtIn = before.file.origin.source === 'builtin'
    return [
      builtIn ? say.nearBuiltIn(file, name.range, name.value, before.name.value) : say.nearDuplicate(file, name.range, name.value, before),
    ]
  })
}

/** The agents that a list names one by one, with the place of each name. */
function targets({ tools }: AgentDefinition, profile: Profile): { name: string; start: number }[] {
  if (tools.kind === 'all' || !tools.entries.some(({ specifier }) => specifier !== undefined)) return []
  const entries = tools.entries.filter((entry) => isSpawn(entry, profile))
  return entries.flatMap((entry) => agentNames(entry).map(({ value, start }) => ({ name: value, start: entry.range[0] + start })))
}

function isSpawn(entry: ToolEntry, profile: Profile): boolean {
  return entry.specifier !== undefined && profile.byName.get(entry.name)?.name === 'Agent'
}

/** A name that meant the agent beside the one who writes it, and that a higher layer has given to another. */
function shadowedTargets(agent: AgentDefinition, { agents }: Resolution, profile: Profile): Diagnostic[] {
  const names = targets(agent, profile)
  if (names.length === 0) return []
  const folder = agentsFolderOf(agent.file)
  return names.flatMap(({ name, start }) => {
    const target = agents.get(name)
    const meant = target?.overrides.find(({ file }) => agentsFolderOf(file) === folder && file.origin.source !== 'builtin')
    if (!target || !meant || agentsFolderOf(target.definition.file) === folder) return []
    return [say.shadowedAgent(agent.file, [start, start + name.length], name, target.definition, meant)]
  })
}

/** Lists by which agents start each other in a circle; the depth limit ends it, after that many levels were paid for. */
function spawnCycles(winners: readonly AgentDefinition[], { agents }: Resolution, profile: Profile): Diagnostic[] {
  const closed = new Set<string>()
  return winners.flatMap((agent) => {
    const way = wayBack(agent.name.value, agents, profile)
    if (!way || closed.has(agent.name.value)) return []
    for (const name of way) closed.add(name)
    const edge = targets(agent, profile).find(({ name }) => name === (way[1] ?? agent.name.value))!
    return [say.spawnCycle(agent.file, [edge.start, edge.start + edge.name.length], [...way, way[0]!], profile)]
  })
}

/** The shortest way from an agent back to itself over names in lists: the names on it, beginning with its own. */
function wayBack(from: string, agents: ReadonlyMap<string, ResolvedAgent>, profile: Profile): string[] | undefined {
  const ways: string[][] = [[from]]
  const seen = new Set<string>()
  for (const way of ways) {
    const agent = agents.get(way.at(-1)!)
    for (const { name } of agent ? targets(agent.definition, profile) : []) {
      if (name === from) return way
      if (!seen.has(name)) ways.push([...way, name])
      seen.add(name)
    }
  }
  return undefined
}

/** Above this many tokens the descriptions of all agents, which go out with every request, are too long (case 87). */
const DESCRIPTION_BUDGET = 15_000
/** Characters a token: the usual estimate for English, good enough for a limit that is a rule of thumb itself. */
const TOKEN = 4

/** Built-in agents do not count: nobody here can shorten them. */
function descriptionBudget(winners: readonly AgentDefinition[]): Diagnostic[] {
  const own = winners.filter(({ file }) => file.origin.source !== 'builtin').map((agent) => ({ agent, tokens: tokensOf(agent) }))
  const total = own.reduce((sum, { tokens }) => sum + tokens, 0)
  if (total <= DESCRIPTION_BUDGET) return []
  const largest = own.toSorted((a, b) => b.tokens - a.tokens).slice(0, 3)
  const folders = new Map<string, number>()
  for (const { agent, tokens } of own) {
    const folder = agentsFolderOf(agent.file)
    folders.set(folder, (folders.get(folder) ?? 0) + tokens)
  }
  const [heaviest] = [...folders].reduce((most, next) => (next[1] > most[1] ? next : most))
  const folder = agentsFolder(own.find(({ agent }) => agentsFolderOf(agent.file) === heaviest)!.agent.file)
  return [say.descriptionBudget(folder, Math.round(total), DESCRIPTION_BUDGET, largest)]
}

function tokensOf({ name, description }: AgentDefinition): number {
  return (name.value.length + description.value.length) / TOKEN
}
