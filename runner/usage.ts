import { costOf, isPriced } from '../schemas/prices.ts'
import type { Reply, Usage } from './message.ts'

/** What one model was used for in a run; the spelling is that of Claude Code's result. `costUSD` is `null` if its price is not known. */
export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  cacheReadInputTokens: number
  cacheCreationInputTokens: number
  costUSD: number | null
}

export type UsageByModel = Readonly<Record<string, ModelUsage>>

export const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

/** Characters of a token, where nobody has counted. */
export const CHARS_PER_TOKEN = 4

/** US dollars, if they are known. A model that answers under a name without a price costs what the one that was `asked` costs. */
export function replyCost({ model, usage }: Pick<Reply, 'model' | 'usage'>, asked: string, ttl: '5m' | '1h'): number | undefined {
  return costOf(isPriced(model) ? model : asked, usage, ttl)
}

/** Adds a reply to the account of the model that gave it, at what it costs (`replyCost`). */
export function withUsage(usage: UsageByModel, reply: Pick<Reply, 'model' | 'usage'>, asked: string, ttl: '5m' | '1h'): UsageByModel {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = reply.usage
  const cost = replyCost(reply, asked, ttl)
  const use: ModelUsage = {
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    cacheReadInputTokens: cache_read_input_tokens,
    cacheCreationInputTokens: cache_creation_input_tokens,
    costUSD: cost === undefined ? null : exact(cost),
  }
  return addUsage(usage, { [reply.model]: use })
}

/** A reply that stands in no conversation, as far as it has to be paid for. `asked`: the model that was asked. */
export interface PaidReply extends Pick<Reply, 'model' | 'usage'> {
  asked: string
}

/** The account with one more such reply. */
export function withPaid(usage: UsageByModel, paid: PaidReply): UsageByModel {
  return withUsage(usage, paid, paid.asked, '5m')
}

/** The US dollars of the run so far; `null` if it used a model whose price is not known: a sum without it would be too low. */
export function totalCost(usage: UsageByModel): number | null {
  let sum = 0
  for (const { costUSD } of Object.values(usage)) {
    if (costUSD === null) return null
    sum += costUSD
  }
  return exact(sum)
}

/** The models whose price a limit in US dollars needs and nobody knows. */
export function unpriced(models: readonly (string | undefined)[]): string[] {
  return models.filter((model) => model !== undefined && !isPriced(model)) as string[]
}

/** What a model has read, be it from the cache or not: cached tokens fill it as any other. */
export function promptTokens(usage: Usage): number {
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
}

/** What a model has read and written. */
export function allTokens(usage: Usage): number {
  return promptTokens(usage) + usage.output_tokens
}

/** The same of all models of an account. */
export function allTokensOf(usage: UsageByModel): number {
  const each = Object.values(usage).map(
    (use) => use.inputTokens + use.cacheCreationInputTokens + use.cacheReadInputTokens + use.outputTokens,
  )
  return each.reduce((a, b) => a + b, 0)
}

/** The account of several agents together, by model. */
export function addUsage(a: UsageByModel, b: UsageByModel): UsageByModel {
  const sum = new Map(Object.entries(a))
  for (const [model, use] of Object.entries(b)) sum.set(model, added(sum.get(model), use))
  return Object.fromEntries(sum)
}

/** What was used since an account was another one. */
export function lessUsage(usage: UsageByModel, before: UsageByModel): UsageByModel {
  return addUsage(usage, Object.fromEntries(Object.entries(before).map(([model, use]) => [model, negated(use)])))
}

function added(a: ModelUsage | undefined, b: ModelUsage): ModelUsage {
  if (!a) return b
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
    cacheCreationInputTokens: a.cacheCreationInputTokens + b.cacheCreationInputTokens,
    costUSD: a.costUSD === null || b.costUSD === null ? null : exact(a.costUSD + b.costUSD),
  }
}

function negated(use: ModelUsage): ModelUsage {
  return {
    inputTokens: -use.inputTokens,
    outputTokens: -use.outputTokens,
    cacheReadInputTokens: -use.cacheReadInputTokens,
    cacheCreationInputTokens: -use.cacheCreationInputTokens,
    costUSD: use.costUSD === null ? null : -use.costUSD,
  }
}

export function sumOf(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  }
}

/** Without the dust of floating point: prices have no more than eight places a token. */
function exact(dollars: number): number {
  return Number(dollars.toFixed(8))
}

/** Why a run may ask for nothing more, if it may not. The reply that crosses the limit has been paid for and is kept. */
export function overBudget(usage: UsageByModel, most: number | undefined): string | undefined {
  const spent = totalCost(usage)
  if (most === undefined || spent === null || spent < most) return undefined
  return `the budget of $${most} was spent before the agent was done: $${spent}`
}
