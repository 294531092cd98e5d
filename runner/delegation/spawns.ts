import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'

/** `Agent(a, b)` in the tools of one agent, which binds everything below it too. */
export interface SpawnLimit {
  agent: string
  spawns: ManifestAgent['spawns']
  /** Where it is written. */
  place: string
}

export function spawnLimit(name: string, { spawns, provenance, origin }: ManifestAgent): SpawnLimit {
  const at = provenance.tools
  return { agent: name, spawns, place: at ? `${at.path}:${at.line}` : origin.path }
}

export function allowsSpawn({ spawns }: SpawnLimit, name: string): boolean {
  return spawns === 'all' || spawns.includes(name)
}

/** An agent as the model is told of it. */
export interface ListedAgent {
  name: string
  description: string
}

/**
 * The agents that one may start, sorted: within its own limit and those above it, and not hidden by a deny rule `Agent(x)` (M26).
 */
export function listAgents(
  agents: ReadonlyMap<string, ManifestAgent>,
  limits: readonly SpawnLimit[],
  deny: readonly Rule[],
): ListedAgent[] {
  return [...agents]
    .filter(([name]) => limits.every((limit) => allowsSpawn(limit, name)) && !deny.some((rule) => hides(rule, name)))
    .map(([name, { description }]) => ({ name, description }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function hides({ tool, match }: Rule, name: string): boolean {
  if (tool !== 'Agent') return false
  if (!match) return true
  if ('name' in match) return match.name === name
  return 'namePrefix' in match && name.startsWith(match.namePrefix)
}

/** The description of the tool Agent with the agents that there are. */
export function withListing(description: string, agents: readonly ListedAgent[]): string {
  const lines = agents.map(({ name, description: what }) => `- ${name}: ${what.replace(/\s+/g, ' ').trim()}`)
  return [description, '', 'Agents that can be started:', ...lines].join('\n')
}
