import type { Clock } from '../clock.ts'
import type { Ending } from '../ending.ts'

/** Ends what a run is at when its time is over, or when nothing has happened for too long. */
export interface Watch {
  /** Aborted by the run's own signal too. */
  readonly signal: AbortSignal
  /** Something has happened: a part of a reply, the start or the end of a call. */
  seen(): void
  /** Nothing can happen now, because a person is asked; what is returned ends that. */
  pause(): () => void
  /** Which of the two it was; `undefined` if the signal is that of the run itself or nothing has been aborted. */
  ending(): Ending | undefined
  end(): void
}

export interface WatchOptions {
  /** Until the run's time is over. */
  leftMs: number | undefined
  seconds: number | undefined
  idleSeconds: number | undefined
  clock: Clock
  signal: AbortSignal
}

/** The idle time is looked at so often within itself: it is kept to a quarter. */
const LOOKS = 4

/** Sets the timers. Where the clock stands still (a replay) none can be set: there the readings of the clock between the turns decide. */
export function openWatch({ leftMs, seconds, idleSeconds, clock, signal: outer }: WatchOptions): Watch {
  const stop = new AbortController()
  const over = new AbortController()
  const signal = AbortSignal.any([outer, stop.signal])
  let happened = 0
  let paused = 0
  let ending: Ending | undefined
  const stopWith = (reason: 'timeout' | 'idle_timeout', message: string): void => {
    if (signal.aborted || over.signal.aborted) return
    ending = { reason, errors: [message] }
    stop.abort()
  }
  const awaitEnd = async (ms: number): Promise<void> => {
    await clock.sleep(ms, over.signal)
    stopWith('timeout', `the time of ${seconds} seconds was over`)
  }
  const awaitSilence = async (ms: number): Promise<void> => {
    let silent = 0
    while (!over.signal.aborted && !signal.aborted) {
      const before = happened
      await clock.sleep(ms / LOOKS, over.signal)
      silent = happened === before && paused === 0 ? silent + 1 : 0
      if (silent >= LOOKS) return stopWith('idle_timeout', `nothing had happened for ${idleSeconds} seconds`)
    }
  }
  if (!clock.still && leftMs !== undefined) void awaitEnd(Math.max(0, leftMs))
  if (!clock.still && idleSeconds !== undefined) void awaitSilence(idleSeconds * 1000)
  return {
    signal,
    seen: () => void (happened += 1),
    pause: () => {
      paused += 1
      return () => void (paused -= 1)
    },
    ending: () => (outer.aborted ? undefined : ending),
    end: () => over.abort(),
  }
}
