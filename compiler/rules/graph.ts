import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { AgentDefinition } from '../define/definition.ts'
import * as say from '../findings/graph.ts'
import type { Resolution } from '../resolve/resolved.ts'
import { agentsFolderOf, agentsFolder } from '../source-file.ts'
import type { AboutAgent } from './each.ts'

/**
 * How the agents stand to each other (issue 4, item 9). Agents that nobody reaches are no finding: a person can start every agent by
 * name, and every agent without a list of its own can start every other, so there is no agent of which it can be known.
 */
export function checkGraph(abouts: readonly AboutAgent[], resolution: Resolution, profile: Profile): Diagnostic[] {
  const winners = abouts.filter(({ agent }) => resolution.agents.get(agent.name.value)?.definition === agent)
  const starters = winners.filter(({ targets }) => targets.length > 0)
  return [
    ...nearDuplicates(winners),
    ...starters.flatMap((about) => shadowedTargets(about, resolution)),
    ...(profile.spawnDepth > 1 ? spawnCycles(starters, profile) : []),
    ...descriptionBudget(winners),
  ]
}

/** Names that differ by letter case or separators only: agentc looks names up exactly, people and models do not (case 34, fault 52). */
function nearDuplicates(winners: readonly AboutAgent[]): Diagnostic[] {
  const first = new Map<string, AgentDefinition>()
  const found: Diagnostic[] = []
  for (const { agent, nearKey } of winners) {
    const before = nearKey === '' ? undefined : first.get(nearKey)
    if (before) found.push(nearDuplicate(agent, before))
    else first.set(nearKey, agent)
  }
  return found
}

function nearDuplicate({ file, name }: AgentDefinition, before: AgentDefinition): Diagnostic {
  if (before.file.origin.source === 'builtin') return say.nearBuiltIn(file, name.range, name.value, before.name.value)
  return say.nearDuplicate(file, name.range, name.value, before)
}

/** A name that meant the agent beside the one who writes it, and that a higher layer has given to another. */
function shadowedTargets({ agent, folder, targets }: AboutAgent, { agents }: Resolution): Diagnostic[] {
  return targets.flatMap(({ name, start }) => {
    const target = agents.get(name)
    const meant = target?.overrides.find(({ file }) => agentsFolderOf(file) === folder && file.origin.source !== 'builtin')
    if (!target || !meant || agentsFolderOf(target.definition.file) === folder) return []
    return [say.shadowedAgent(agent.file, [start, start + name.length], name, target.definition, meant)]
  })
}

/** Lists by which agents start each other in a circle; the depth limit ends it, after that many levels were paid for. */
function spawnCycles(starters: readonly AboutAgent[], profile: Profile): Diagnostic[] {
  const byName = new Map(starters.map((about) => [about.agent.name.value, about]))
  const closed = new Set<string>()
  return starters.flatMap(({ agent, targets }) => {
    const way = wayBack(agent.name.value, byName)
    if (!way || closed.has(agent.name.value)) return []
    for (const name of way) closed.add(name)
    const edge = targets.find(({ name }) => name === (way[1] ?? agent.name.value))!
    return [say.spawnCycle(agent.file, [edge.start, edge.start + edge.name.length], [...way, way[0]!], profile)]
  })
}

/** The shortest way from an agent back to itself over names in lists: the names on it, beginning with its own. */
function wayBack(from: string, starters: ReadonlyMap<string, AboutAgent>): string[] | undefined {
  const ways: string[][] = [[from]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const { name } of starters.get(way.at(-1)!)?.targets ?? []) {
      if (name === from) return way
      if (!seen.has(name)) ways.push([...way, name])
      seen.add(name)
    }
  }
  return undefined
}

/** Above this many tokens the descriptions of all agents, which go out with every request, are too long (case 87). */
const DESCRIPTION_BUDGET = 15_000
/** Built-in agents do not count: nobody here can shorten them. */
function descriptionBudget(winners: readonly AboutAgent[]): Diagnostic[] {
  const own = winners.filter(({ agent }) => agent.file.origin.source !== 'builtin')
  const total = own.reduce((sum, { tokens }) => sum + tokens, 0)
  if (total <= DESCRIPTION_BUDGET) return []
  const folders = new Map<string, number>()
  for (const { tokens, folder } of own) folders.set(folder, (folders.get(folder) ?? 0) + tokens)
  const [heaviest] = [...folders].reduce((most, next) => (next[1] > most[1] ? next : most))
  const folder = agentsFolder(own.find((about) => about.folder === heaviest)!.agent.file)
  return [say.descriptionBudget(folder, Math.round(total), DESCRIPTION_BUDGET, largestOf(own))]
}

/** The three with the longest descriptions; of equally long ones those that come first. */
function largestOf(abouts: readonly AboutAgent[]): AboutAgent[] {
  const largest: AboutAgent[] = []
  for (const about of abouts) {
    if (largest.length === 3 && about.tokens <= largest[2]!.tokens) continue
    largest.push(about)
    largest.sort((a, b) => b.tokens - a.tokens)
    largest.length = Math.min(largest.length, 3)
  }
  return largest
}
