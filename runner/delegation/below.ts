import type { PermissionDenial, RunResult, SubagentStats } from '../events.ts'
import { addUsage, totalCost, type UsageByModel } from '../usage.ts'

/** What all agents below the first one have used, and what became of them. */
export interface Below {
  usage: UsageByModel
  stats: SubagentStats
  denials: readonly PermissionDenial[]
  /** One of them because nobody could be asked. */
  unanswered: boolean
}

/**
 * The result of a run with that of its agents: the account by model and the dollars are those of the whole tree, and what was denied to one
 * of them is listed too, so that nothing is denied in silence (issue 7).
 */
export function withBelow(below: Below | undefined, result: RunResult): RunResult {
  if (!below || (below.stats.spawned === 0 && below.denials.length === 0)) return result
  return {
    ...withMore(result, below.usage),
    ...(below.stats.spawned > 0 && { subagent_stats: { ...below.stats } }),
    permission_denials: [...result.permission_denials, ...below.denials],
    denied: result.denied || below.unanswered,
  }
}

/** The result of a run with something that was used beside its conversation. */
export function withMore(result: RunResult, more: UsageByModel = {}): RunResult {
  if (Object.keys(more).length === 0) return result
  const modelUsage = addUsage(result.modelUsage, more)
  return { ...result, modelUsage, total_cost_usd: totalCost(modelUsage) }
}
