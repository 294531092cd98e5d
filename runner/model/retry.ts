import type { Clock } from '../clock.ts'
import type { ModelClient } from './client.ts'
import { interrupted } from './faults.ts'

/**
 * Milliseconds before each attempt after the first, unless the API asks for another time: a busy minute is outlasted. No jitter:
 * a run is repeatable.
 */
const WAITS = [1000, 2000, 4000, 8000, 16_000, 32_000] as const
/** The longest wait that the API may ask for. */
const LONGEST = 60_000

/** With a fallback model at hand, the first model is not waited for that long. */
export const ATTEMPTS_BEFORE_FALLBACK = 3
export const ATTEMPTS = WAITS.length + 1

/** Sends a turn again, whole, while its fault may pass. No call of a tool has started by then, so nothing is done twice. */
export function retrying(once: ModelClient, clock: Clock, attempts: number = ATTEMPTS): ModelClient {
  return async function* (request, signal) {
    for (let attempt = 1; ; attempt++) {
      const outcome = yield* once(request, signal)
      if (outcome.type === 'reply' || outcome.kind !== 'transient') return outcome
      const wait = outcome.retryAfterMs ?? WAITS[attempt - 1] ?? 0
      if (wait > LONGEST) {
        return {
          ...outcome,
          message: `${outcome.message} (it asks to wait ${seconds(wait)} s, which is more than the ${seconds(LONGEST)} s that a run waits)`,
        }
      }
      if (attempt >= attempts) return { ...outcome, message: `${outcome.message} (after ${attempts} attempts)` }
      yield {
        type: 'system',
        subtype: 'api_retry',
        attempt,
        max_attempts: attempts,
        wait_ms: wait,
        status: outcome.status ?? null,
        message: outcome.message,
      }
      await clock.sleep(wait, signal)
      if (signal.aborted) return interrupted(outcome.partial)
    }
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000)
}
