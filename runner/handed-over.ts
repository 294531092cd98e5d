import type { Clock } from './clock.ts'
import type { RunContext } from './context.ts'
import type { Ending } from './ending.ts'
import { lastWords } from './endings.ts'
import type { AgentHooks } from './hooks/agent-hooks.ts'
import type { HandOver } from './events.ts'
import { type Budget, exceeded } from './limits/budget.ts'
import { settleWith } from './limits/keeper.ts'
import { stateOf } from './prepare.ts'
import type { UsageByModel } from './usage.ts'

interface HandOverSeams {
  budget?: Budget | undefined
  hooks?: AgentHooks | undefined
  hookUsage?: (() => UsageByModel) | undefined
  clock: Clock
  signal: AbortSignal
}

/**
 * The check of what an agent hands over to the one that started it, before that one sees it. Whatever the end is, its words are checked;
 * where nothing is left to pay for that, they are handed over as what they are: unchecked. All that the agent has spent is in its budget
 * then, the check included.
 */
export async function handedOver(context: RunContext, ending: Ending, seams: HandOverSeams): Promise<HandOver | undefined> {
  const { hooks, hookUsage, budget, clock, signal } = seams
  const settle = (): void => budget && settleWith(budget, context, hookUsage)
  settle()
  const words = lastWords(context, ending)
  if (!hooks || words.trim() === '') return undefined
  const unable = (): string | undefined => {
    const over = budget && exceeded(budget, () => clock.now(), budget.lost)
    return over && (over.errors?.join('; ') ?? over.reason)
  }
  const handOver = await hooks.handOver(words, ending.reason, stateOf(context, signal), unable)
  settle()
  return handOver
}
