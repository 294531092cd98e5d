import { expect, test } from 'vitest'
import { childBudget, exceeded, NOTHING_SPENT, restOf, rootBudget, settle } from '../../../runner/limits/budget.ts'
import { beyondMost, limitsInForce, maxTurnsOf } from '../../../runner/limits/run-limits.ts'
import { startOf } from '../manifest-fixture.ts'

const spent = (tokens: number, turns = 1, usd = 0) => ({ ...NOTHING_SPENT, tokens, turns, usd })

test('what a child spends its parents have spent, and nobody has more than what is left above', () => {
  const root = rootBudget({ tokens: 1000, seconds: 10, agents: 5 }, 0)
  settle(root, spent(300))
  const child = childBudget(root, { tokens: 5000, turns: 3 }, 4000)!
  expect(child.limits).toEqual({ tokens: 700, turns: 3, seconds: 6, agents: 5 })
  expect(restOf(child, 4000).agents).toBe(4)
  const grandchild = childBudget(child, {}, 5000)!
  settle(grandchild, spent(650))
  settle(grandchild, spent(650))
  expect([root.spent.tokens, child.spent.tokens, grandchild.spent.tokens]).toEqual([950, 650, 650])
  expect(restOf(grandchild, 6000)).toMatchObject({ tokens: 50, seconds: 4 })
  settle(child, spent(60))
  expect(exceeded(grandchild, () => 6000)?.reason).toBe('token_limit')
  expect(exceeded(grandchild, () => 6000)?.errors?.[0]).toContain('of the agent that started this one')
})

test('a tree has so many agents and no more, finished ones included', () => {
  const root = rootBudget({ agents: 2 }, 0)
  const first = childBudget(root, {}, 0)!
  expect(childBudget(first, {}, 0)).toBeDefined()
  expect(childBudget(root, {}, 0)).toBeUndefined()
  expect(childBudget(first, {}, 0)).toBeUndefined()
})

test('a child whose parent has nothing left ends before it begins', () => {
  const root = rootBudget({ turns: 1, usd: 1 }, 0)
  settle(root, spent(10, 1, 0.4))
  expect(exceeded(childBudget(root, {}, 0)!, () => 0)?.reason).toBe('max_turns')
})

test('a price that is not known cannot reach a limit, and makes the sum unknown', () => {
  const root = rootBudget({ usd: 1 }, 0)
  settle(root, { ...spent(10), usd: null })
  expect([root.spent.usd, exceeded(root, () => 0)]).toEqual([null, undefined])
})

test('the command wins over the project, and policy over both', () => {
  const limits = {
    spawnDepth: 1,
    parallelReads: 10,
    resultChars: 100_000,
    run: { turns: 20, usd: 2, compact: { messages: 40 } },
    most: { turns: 30, usd: 5 },
  }
  const start = startOf({}, 'go', { limits })
  expect(limitsInForce(start)).toEqual({ turns: 20, usd: 2, compact: { messages: 40 } })
  expect(limitsInForce({ ...start, maxBudgetUsd: 4, limits: { tokens: 9, compact: { tokens: 5 } } })).toEqual({
    turns: 20,
    usd: 4,
    tokens: 9,
    compact: { messages: 40, tokens: 5 },
  })
  expect(limitsInForce({ ...start, maxBudgetUsd: 9 }).usd).toBe(5)
  expect([maxTurnsOf(start, 200), maxTurnsOf({ ...start, maxTurns: 25 }, 200), maxTurnsOf({ ...start, maxTurns: 99 }, 200)]).toEqual([
    20, 25, 30,
  ])
  expect(beyondMost({ ...start, maxBudgetUsd: 9 })).toBe('Policy limits a run to 5 US dollars; --max-budget-usd 9 would be more.')
  expect(beyondMost({ ...start, maxBudgetUsd: 5 })).toBeUndefined()
})
