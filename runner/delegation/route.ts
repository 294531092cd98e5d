import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import { didYouMean } from '../../schemas/near.ts'
import { tooDeep } from './depth.ts'
import type { AgentInput } from './input.ts'
import { allowsSpawn, type SpawnLimit } from './spawns.ts'

/** Where a call of the tool Agent leads (M26). */
export type Route = { kind: 'agent'; name: string; agent: ManifestAgent } | { kind: 'fork' } | { refused: string }

/** What routing needs to know of the agent that calls. */
export interface RouteCaller {
  /** Its own depth; the agent of the run has 0. */
  depth: number
  mostDepth: number
  isFork: boolean
  /** Its own limit and those of all above it. */
  limits: readonly SpawnLimit[]
  agents: ReadonlyMap<string, ManifestAgent>
  /** Those that the caller is told of: neither denied nor outside a limit. */
  available: readonly string[]
}

export const GENERAL = 'general-purpose'
export const FORK = 'fork'

/** Team, fork, named agent, general-purpose, in this order. What this version does not have is refused with a reason. */
export function route(input: AgentInput, caller: RouteCaller): Route {
  const { depth, mostDepth, limits, agents } = caller
  if (input.team_name !== undefined) return { refused: 'Teams are not in this version of agentc: start the agent without team_name.' }
  if (input.isolation === 'remote') {
    return { refused: 'Agents on other machines are not in this version of agentc: leave isolation out, or use worktree.' }
  }
  if (depth >= mostDepth) return { refused: tooDeep(mostDepth) }
  const name = (input.subagent_type ?? GENERAL).normalize('NFC')
  if (name === FORK && !agents.has(FORK)) return forked(caller)
  const over = limits.find((limit) => !allowsSpawn(limit, name))
  if (over) return { refused: outside(name, over) }
  const agent = agents.get(name)
  return agent ? { kind: 'agent', name, agent } : { refused: unknown(name, input.subagent_type === undefined, caller.available) }
}

function forked({ isFork, limits }: RouteCaller): Route {
  if (isFork) return { refused: 'A fork does not fork again: do the work yourself.' }
  const over = limits.find((limit) => !allowsSpawn(limit, FORK))
  return over ? { refused: outside(FORK, over) } : { kind: 'fork' }
}

function outside(name: string, { agent, spawns, place }: SpawnLimit): string {
  const listed = spawns === 'all' || spawns.length === 0 ? 'no agent' : `only Agent(${spawns.join(', ')})`
  return `${name} cannot be started: ${agent} allows ${listed} for itself and everything below it (${place}).`
}

function unknown(name: string, byDefault: boolean, available: readonly string[]): string {
  const near = didYouMean(name, available)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  const what = byDefault ? `No subagent_type was given, and there is no agent ${name}.` : `There is no agent ${JSON.stringify(name)}.`
  return `${what}${meant} Available agents: ${available.join(', ') || 'none'}.`
}
