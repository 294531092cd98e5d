import type { Past, PastBelow } from '../begun.ts'
import type { Clock } from '../clock.ts'
import type { RunContext, Start } from '../context.ts'
import type { Ending } from '../ending.ts'
import type { Fault } from '../message.ts'
import type { ModelClient } from '../model/client.ts'
import { allTokens, allTokensOf, totalCost, type UsageByModel } from '../usage.ts'
import { type BelowSpent, type Budget, exceeded, lose, restOf, rootBudget, settle, type Spent, sum } from './budget.ts'
import { metered } from './meter.ts'
import { limitsInForce, type RunLimits } from './run-limits.ts'
import { openWatch } from './watch.ts'

/** All limits of one run, kept in every phase of it. */
export interface Keeper {
  /** Aborted when the run is, and when its time is over. */
  readonly signal: AbortSignal
  readonly model: ModelClient
  readonly budget: Budget
  /**
   * Why the run may not go on. `new`: before something new is begun, which an interruption forbids too;
   * the calls of a reply that is there have results of their own for it.
   */
  check(context: RunContext, what?: 'new'): Ending | undefined
  /** The end of a run whose request came to nothing, if a limit was the cause. */
  causeOf(fault: Fault): Ending | undefined
  seen(): void
  pause(): () => void
  end(): void
}

interface KeeperSeams {
  clock: Clock
  signal: AbortSignal
  model: ModelClient
  /** Of the run as a whole, or given to an agent by the one above it. */
  budget?: Budget | undefined
  /** What the hooks of the agent have cost so far. */
  hookUsage?: (() => UsageByModel) | undefined
}

/** The limits of a run that were asked for at its start, and what it has used up of them: nothing, unless it is gone on with. */
export function budgetOf(start: Start, context: RunContext, hookUsage?: UsageByModel, past?: Past): Budget {
  return rootBudget(ofRoot(start, context, past), context.startedAt, spentBy(context, hookUsage), past?.below && belowSpent(past.below))
}

/** Tokens and dollars of the agents below are in the account that hooks have, whose dollars a run shows too. */
function belowSpent({ turns, outputChars, agents, wakes }: PastBelow): BelowSpent {
  return { spent: { turns, tokens: 0, usd: 0, outputChars }, agents: agents + wakes }
}

/** Opens the limits of a piece of work. */
export function keepLimits(start: Start, context: RunContext, seams: KeeperSeams): Keeper {
  const { clock, signal } = seams
  const budget = seams.budget ?? budgetOf(start, context, seams.hookUsage?.())
  const { limits } = budget
  const timed = limits.seconds !== undefined || budget.parent !== undefined
  const seconds = timed ? restOf(budget, clock.now()).seconds : undefined
  const leftMs = seconds === undefined ? undefined : seconds * 1000
  const watch = openWatch({ leftMs, seconds: limits.seconds, idleSeconds: limits.idleSeconds, clock, signal })
  const now = (): number => clock.now()
  let broken: Ending | undefined
  const reached = (extra: Spent): Ending | undefined => exceeded(budget, () => -Infinity, extra)
  const brokenOff = (ending: Ending, spent: Spent): void => {
    broken = ending
    lose(budget, spent)
  }
  const model = countsStream(budget) ? metered(seams.model, reached, context.agent.cacheTtl ?? '5m', brokenOff) : seams.model
  return {
    signal: watch.signal,
    model,
    budget,
    check(context, what) {
      settleWith(budget, context, seams.hookUsage)
      if (what && signal.aborted) return { reason: 'interrupted' }
      return watch.ending() ?? exceeded(budget, now)
    },
    causeOf(fault) {
      if (fault.kind !== 'interrupted' || signal.aborted) return undefined
      const cause = broken ?? watch.ending() ?? exceeded(budget, now) ?? inStillTime(clock, limits.idleSeconds)
      broken = undefined
      return cause && { ...cause, partial: fault.partial }
    },
    seen: watch.seen,
    pause: watch.pause,
    end: watch.end,
  }
}

/**
 * A run that is gone on with may have been given more turns or dollars than it began with. More turns are on top of all that were used, as
 * for a prompt of a conversation.
 */
function ofRoot(start: Start, { maxTurns, maxBudgetUsd }: RunContext, past?: Past): RunLimits {
  const { turns, usd: _, ...limits } = limitsInForce(start)
  const usedBelow = past && maxTurns > past.history.limit ? (past.below?.turns ?? 0) : 0
  return {
    ...limits,
    ...(turns !== undefined && { turns: Math.max(turns, maxTurns + usedBelow) }),
    ...(maxBudgetUsd !== undefined && { usd: maxBudgetUsd }),
  }
}

/** In a replay no time passes in which nothing happens: a reply that was broken off without another cause was so for that. */
function inStillTime(clock: Clock, idleSeconds: number | undefined): Ending | undefined {
  if (!clock.still || idleSeconds === undefined) return undefined
  return { reason: 'idle_timeout', errors: [`nothing had happened for ${idleSeconds} seconds`] }
}

/** The clock is no reason to look at every part of a reply: the watch has its own timer. */
function countsStream(budget: Budget): boolean {
  for (let at: Budget | undefined = budget; at; at = at.parent) {
    const { tokens, usd, outputChars } = at.limits
    if (tokens !== undefined || usd !== undefined || outputChars !== undefined) return true
  }
  return false
}

/** What a run and its hooks have spent, by its own account. */
export function spentBy({ turns, usage, modelUsage, outputChars = 0 }: RunContext, hookUsage: UsageByModel = {}): Spent {
  return sum({ turns, tokens: allTokens(usage), usd: totalCost(modelUsage), outputChars }, spentOn(hookUsage))
}

/** Brings the account up to what the agent and its hooks have spent so far. */
export function settleWith(budget: Budget, context: RunContext, hookUsage: (() => UsageByModel) | undefined): void {
  settle(budget, spentBy(context, hookUsage?.()))
}

/** What was spent beside the conversation. */
function spentOn(usage: UsageByModel): Spent {
  return { turns: 0, tokens: allTokensOf(usage), usd: totalCost(usage), outputChars: 0 }
}
