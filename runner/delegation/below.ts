import type { RunResult, SubagentStats } from '../events.ts'
import { totalCost, type UsageByModel } from '../usage.ts'
import { addUsage } from './usage.ts'

/** What all agents below the first one have used, and what became of them. */
export interface Below {
  usage: UsageByModel
  stats: SubagentStats
}

/** The result of a run with what its agents have used: the account by model and the dollars are those of the whole tree. */
export function withBelow(below: Below | undefined, result: RunResult): RunResult {
  if (!below || below.stats.spawned === 0) return result
  const modelUsage = addUsage(result.modelUsage, below.usage)
  return { ...result, modelUsage, total_cost_usd: totalCost(modelUsage), subagent_stats: { ...below.stats } }
}
