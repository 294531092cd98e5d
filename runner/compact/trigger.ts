import type { RunContext } from '../context.ts'
import { MAX_TOKENS } from '../request.ts'
import { totalCost } from '../usage.ts'
import type { CompactSettings } from './settings.ts'
import { tokensNow } from './tokens.ts'

/** Why a conversation is compacted. `overflow`: the API has refused the request as too long. */
export type Trigger = 'tokens' | 'messages' | 'cost' | 'overflow' | 'manual'

const WINDOW = 200_000
const LONG_WINDOW = 1_000_000
/** Room for the next reply, the summary and what the estimate is off by. */
const RESERVE = 2 * MAX_TOKENS
/** After so many summaries that came to nothing, one in a row, a run goes on without until the API refuses. */
const MOST_FAILURES = 2
/** Short conversations cannot become shorter. */
const LEAST_MESSAGES = 4

/**
 * Tokens from which on a conversation is compacted: the agent's `autoCompactWindow`, else the project's `limits.compact.tokens`,
 * else what the model's window leaves.
 */
export function thresholdOf({ agent }: RunContext, { tokens }: CompactSettings): number {
  const window = (agent.contextWindow === '1m' ? LONG_WINDOW : WINDOW) - RESERVE
  return Math.min(agent.autoCompactWindow ?? tokens ?? window, window)
}

/** Whether a summary may still help: the conversation is long enough, and the last ones have not come to nothing. */
export function mayCompact({ messages, compaction }: RunContext): boolean {
  return messages.length >= LEAST_MESSAGES && (compaction?.failures ?? 0) < MOST_FAILURES
}

/** Whether the next request is to be compacted first, as far as it is known without asking the API. */
export function triggerOf(context: RunContext, settings: CompactSettings): Exclude<Trigger, 'overflow' | 'manual'> | undefined {
  const { messages, compaction } = context
  if (!mayCompact(context)) return undefined
  if (settings.messages !== undefined && messages.length >= Math.max(settings.messages, LEAST_MESSAGES)) return 'messages'
  const cost = (totalCost(context.modelUsage) ?? 0) - (compaction?.usd ?? 0)
  if (settings.usd !== undefined && cost >= settings.usd) return 'cost'
  return tokensNow(context) >= thresholdOf(context, settings) ? 'tokens' : undefined
}

/** The estimate is near enough to the threshold, on either side, for the API's own count to decide. */
export function isNear(tokens: number, threshold: number): boolean {
  return tokens >= threshold * 0.8 && tokens <= threshold * 1.25
}
