import type { Clock } from '../clock.ts'
import type { ModelClient } from './client.ts'
import { interrupted } from './faults.ts'

const ATTEMPTS = 4
/** Milliseconds before the second, third and fourth attempt, unless the API asks for another time. No jitter: a run is repeatable. */
const WAITS = [1000, 2000, 4000] as const
/** The longest wait that the API may ask for. */
const LONGEST = 60_000

/** Sends a turn again, whole, while its fault may pass. No call of a tool has started by then, so nothing is done twice. */
export function retrying(once: ModelClient, clock: Clock): ModelClient {
  return async function* (request, signal) {
    for (let attempt = 1; ; attempt++) {
      const outcome = yield* once(request, signal)
      if (outcome.type === 'reply' || outcome.kind !== 'transient') return outcome
      if (attempt === ATTEMPTS) return { ...outcome, message: `${outcome.message} (after ${ATTEMPTS} attempts)` }
      const wait = Math.min(outcome.retryAfterMs ?? WAITS[attempt - 1]!, LONGEST)
      yield {
        type: 'system',
        subtype: 'api_retry',
        attempt,
        max_attempts: ATTEMPTS,
        wait_ms: wait,
        status: outcome.status ?? null,
        message: outcome.message,
      }
      await clock.sleep(wait, signal)
      if (signal.aborted) return interrupted(outcome.partial)
    }
  }
}
