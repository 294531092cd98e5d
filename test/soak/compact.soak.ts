import { expect, test } from 'vitest'
import { expectExactResume, longRun, WINDOW } from '../run/compact/soak.ts'

test('a run of 2,000 turns compacts as often as it has to, in flat memory, and can be gone on with at any point', async () => {
  const run = await longRun(2000)
  expect(run.result).toMatchObject({ terminal_reason: 'max_turns', num_turns: 2000 })
  expect(run.compactions).toBeGreaterThan(20)
  expect(run.longest).toBeLessThan(WINDOW * 4 * 1.5)
  const [early, late] = [run.heaps.slice(1, 4), run.heaps.slice(-3)].map((heaps) => Math.min(...heaps)) as [number, number]
  expect(late - early).toBeLessThan(20 * 1024 * 1024)
  const lines = run.requests * 4
  expectExactResume(
    run,
    Array.from({ length: 12 }, (_, at) => Math.floor((lines * (at + 1)) / 13)),
  )
})
