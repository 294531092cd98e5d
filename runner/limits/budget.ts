import type { Ending } from '../ending.ts'
import { LIMIT_NAMES, lowest, type RunLimits } from './run-limits.ts'

/** What a run has used up. `usd` is `null` where the price of a model is not known. */
export interface Spent {
  turns: number
  tokens: number
  usd: number | null
  /** Characters of text that the agents have written. */
  outputChars: number
}

/**
 * The budget of one agent in a tree of agents, shared by reference: what a child spends, its parents spend too, and nobody has more
 * than what is left to all above. `spent` is that of the agent with all below it, `own` its own part of it.
 */
export interface Budget {
  limits: RunLimits
  startedAt: number
  readonly parent: Budget | undefined
  spent: Spent
  own: Spent
  /** What replies have cost that were broken off, which are in no account: nobody below gets it once more. */
  lost: Spent
  /** Agents below, finished ones too. */
  agents: number
}

export const NOTHING_SPENT: Spent = { turns: 0, tokens: 0, usd: 0, outputChars: 0 }

/** What the agents below have spent that is in no account of the agent itself, and how many they were. */
export interface BelowSpent {
  spent: Spent
  agents: number
}

export const NOTHING_BELOW: BelowSpent = { spent: NOTHING_SPENT, agents: 0 }

/** The budget of the agent that a run begins with. A resumed run and the agents below it have spent what they had spent. */
export function rootBudget(limits: RunLimits, startedAt: number, own = NOTHING_SPENT, below = NOTHING_BELOW): Budget {
  return { limits, startedAt, parent: undefined, spent: sum(own, below.spent), own, lost: NOTHING_SPENT, agents: below.agents }
}

/** A prompt of a conversation has so many turns and the time to itself; everything else is used up by all of them together. */
export function renew(budget: Budget, turns: number, now: number): void {
  if (budget.limits.turns !== undefined) budget.limits = { ...budget.limits, turns: budget.spent.turns + turns }
  budget.startedAt = now
}

/** What is left to an agent: the least of its own rest and those of all above it. A rest of 0 is one. */
export function restOf(budget: Budget, now: number): RunLimits {
  const own: RunLimits = {}
  for (const name of LIMIT_NAMES) {
    const limit = budget.limits[name]
    if (limit !== undefined) own[name] = name === 'idleSeconds' ? limit : Math.max(0, limit - usedOf(budget, name, now))
  }
  return budget.parent ? lowest(own, restOf(budget.parent, now)) : own
}

/** The budget of a child: what it asks for, but no more than is left above. `undefined` if the tree may have no more agents. */
export function childBudget(parent: Budget, wanted: RunLimits, now: number): Budget | undefined {
  const rest = restOf(parent, now)
  if (rest.agents === 0) return undefined
  for (let at: Budget | undefined = parent; at; at = at.parent) at.agents += 1
  const nothing = { spent: NOTHING_SPENT, own: NOTHING_SPENT, lost: NOTHING_SPENT }
  return { limits: lowest(wanted, rest), startedAt: now, parent, ...nothing, agents: 0 }
}

/** Brings the account up to what the agent itself has spent so far; to say it twice changes nothing. */
export function settle(budget: Budget, own: Spent): void {
  const more = difference(own, budget.own)
  budget.own = own
  for (let at: Budget | undefined = budget; at; at = at.parent) at.spent = sum(at.spent, more)
}

/**
 * A reply was broken off because a limit was reached with it. What had arrived of it is paid for all the same, so that much less is left to
 * the agents below all of these; an agent above that has not used up its own part may still say what it has.
 */
export function lose(budget: Budget, spent: Spent): void {
  for (let at: Budget | undefined = budget; at; at = at.parent) at.lost = sum(at.lost, spent)
}

/** The limit that is used up, of the agent or of one above it, as the end of a run. `extra` is what is being spent right now. */
export function exceeded(budget: Budget, now: () => number, extra: Spent = NOTHING_SPENT): Ending | undefined {
  for (let at: Budget | undefined = budget, above = false; at; at = at.parent, above = true) {
    const ending = usedUp({ ...at, spent: sum(at.spent, extra) }, now, above)
    if (ending) return ending
  }
  return undefined
}

function usedUp(budget: Budget, now: () => number, above: boolean): Ending | undefined {
  const { limits, spent } = budget
  const whose = above ? ' of the agent that started this one' : ''
  const over = (limit: number | undefined, used: number | null): boolean => limit !== undefined && used !== null && used >= limit
  if (over(limits.usd, spent.usd)) return end('budget_exhausted', `the budget of $${limits.usd}${whose} was spent: $${spent.usd}`)
  if (over(limits.tokens, spent.tokens)) {
    return end('token_limit', `the limit of ${limits.tokens} tokens${whose} was reached: ${spent.tokens}`)
  }
  if (over(limits.turns, spent.turns)) return end('max_turns', `the limit of ${limits.turns} turns${whose} was reached`)
  if (over(limits.outputChars, spent.outputChars)) {
    return end('output_limit', `the limit of ${limits.outputChars} characters of output${whose} was reached`)
  }
  // The clock is asked only where it matters: a recording holds each of its readings.
  if (limits.seconds === undefined || usedOf(budget, 'seconds', now()) < limits.seconds) return undefined
  return end('timeout', `the time of ${limits.seconds} seconds${whose} was over`)
}

function usedOf({ spent, lost, startedAt, agents }: Budget, name: (typeof LIMIT_NAMES)[number], now: number): number {
  if (name === 'seconds') return (now - startedAt) / 1000
  if (name === 'agents') return agents
  return name === 'idleSeconds' ? 0 : (spent[name] ?? 0) + (lost[name] ?? 0)
}

function end(reason: Ending['reason'], message: string): Ending {
  return { reason, errors: [message] }
}

export function sum(a: Spent, b: Spent): Spent {
  return {
    turns: a.turns + b.turns,
    tokens: a.tokens + b.tokens,
    usd: a.usd === null || b.usd === null ? null : Number((a.usd + b.usd).toFixed(8)),
    outputChars: a.outputChars + b.outputChars,
  }
}

function difference(a: Spent, b: Spent): Spent {
  const usd = b.usd === null ? 0 : -b.usd
  return sum(a, { turns: -b.turns, tokens: -b.tokens, usd, outputChars: -b.outputChars })
}
