import { afterEach, describe, expect, test, vi } from 'vitest'
import { liveClock } from '../../runner/clock.ts'

afterEach(() => vi.useRealTimers())

/** The longest that a timer of Node's can be set for. */
const LONGEST = 2 ** 31 - 1

describe('the clock of a live run', () => {
  test.each([LONGEST + 1, 2 * LONGEST, 3 * LONGEST + 5])(
    'sleeps for %d ms, although no timer of Node can be set for so long',
    async (ms) => {
      vi.useFakeTimers()
      let over = false
      const slept = liveClock.sleep(ms, new AbortController().signal).then(() => (over = true))
      await vi.advanceTimersByTimeAsync(ms - 1)
      expect(over).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      await slept
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  test('wakes up at once when it is told to, and leaves no timer', async () => {
    vi.useFakeTimers()
    const stop = new AbortController()
    const slept = liveClock.sleep(5 * LONGEST, stop.signal)
    await vi.advanceTimersByTimeAsync(LONGEST + 10)
    stop.abort()
    await slept
    expect(vi.getTimerCount()).toBe(0)
  })
})
