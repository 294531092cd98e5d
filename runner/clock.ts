import { randomUUID } from 'node:crypto'

/** All that a run learns of time. It is read at fixed points of the run only, so that a recording can give the same readings. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Ends early, without an error, when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Sleeping takes no time, so no timer can be set: a replay. */
  readonly still?: true
}

/** How long something took, by a clock that is not the run's: what was measured, or in a replay what was recorded in its place. */
export type Took = (ms: number) => number

export interface Ids {
  session(): string
}

export const liveClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    let left = ms
    for (; left > LONGEST_MS && !signal.aborted; left -= LONGEST_MS) await timer(LONGEST_MS, signal)
    await timer(left, signal)
  },
}

/** A timer of Node's that is set for longer than 24.8 days goes off at once. */
const LONGEST_MS = 2 ** 31 - 1

function timer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(set)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const set = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}

export const liveIds: Ids = { session: () => randomUUID() }
