import { expect, test } from 'vitest'
import { comesToOneEnd } from './crowd-check.ts'
import { held } from './held.ts'

test.each([1, 2])(
  'of some twenty agents, three deep, with faults, stops and kills, each comes to exactly one end and nothing is left (seed %i)',
  async (seed) => void (await comesToOneEnd(seed, { branches: 4, twigs: 2, leaves: 2 })),
  120_000,
)

test.each([true, false])('nothing of the conversation of an agent that has ended is held (in the background: %s)', async (background) => {
  const { heaps, finished } = await held(6, { background, keeps: true })
  expect([finished, heaps.length]).toEqual([60, 6])
  // Forty agents have read 240 KB each meanwhile.
  expect(heaps.at(-1)! - heaps[1]!).toBeLessThan(3 * 1024 * 1024)
})
