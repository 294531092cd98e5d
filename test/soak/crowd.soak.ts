import { expect, test } from 'vitest'
import { comesToOneEnd } from '../run/delegation/crowd-check.ts'
import { held } from '../run/delegation/held.ts'

test.each([1, 2, 3, 4])('two hundred agents and more, three deep, each come to exactly one end (seed %i)', async (seed) => {
  const { result, stopped, kills } = await comesToOneEnd(seed, { branches: 32, twigs: 3, leaves: 2 })
  const stats = result.subagent_stats!
  expect(stats.spawned).toBeGreaterThanOrEqual(200)
  // Nothing of this would show anything if nothing went wrong.
  expect(stats.completed).toBeGreaterThan(50)
  expect(stats.failed).toBeGreaterThan(20)
  expect(stopped.length).toBeGreaterThan(1)
  expect(stats.killed).toBeGreaterThan(0)
  expect(kills).toBeGreaterThan(5)
})

test.each([
  ['waited for, and kept', { background: false, keeps: true }],
  ['waited for', { background: false, keeps: false }],
  ['in the background, and kept', { background: true, keeps: true }],
  ['in the background', { background: true, keeps: false }],
])('the heap does not grow with the agents that have ended: %s', async (_, how) => {
  const { heaps, finished } = await held(20, how)
  expect(finished).toBe(200)
  expect(heaps).toHaveLength(20)
  // Each has read 240 KB. What stays of one is its call and its report in the conversation of its parent, and how it can be reached.
  const [early, late] = [heaps.slice(3, 6), heaps.slice(-3)].map((some) => Math.min(...some)) as [number, number]
  expect(late - early).toBeLessThan(150 * 16 * 1024)
})
