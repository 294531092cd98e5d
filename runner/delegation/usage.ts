import type { ModelUsage, UsageByModel } from '../usage.ts'

/** The account of several agents together, by model. */
export function addUsage(a: UsageByModel, b: UsageByModel): UsageByModel {
  const sum: Record<string, ModelUsage> = { ...a }
  for (const [model, use] of Object.entries(b)) {
    const before = Object.hasOwn(sum, model) ? sum[model]! : undefined
    sum[model] = before ? added(before, use) : use
  }
  return sum
}

function added(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
    cacheCreationInputTokens: a.cacheCreationInputTokens + b.cacheCreationInputTokens,
    costUSD: a.costUSD === null || b.costUSD === null ? null : Number((a.costUSD + b.costUSD).toFixed(8)),
  }
}
