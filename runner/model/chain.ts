import type { Clock } from '../clock.ts'
import type { ModelClient } from './client.ts'
import { withFallback } from './fallback.ts'
import { liveModel, type LiveOptions } from './live.ts'
import { ATTEMPTS_BEFORE_FALLBACK, retrying } from './retry.ts'

/** The live model client of a run: one attempt, made again while its fault may pass, and then made with the fallback model, if there is one. */
export function modelChain(api: LiveOptions, clock: Clock, fallback: string | undefined): ModelClient {
  const once = liveModel(api)
  if (fallback === undefined) return retrying(once, clock)
  return withFallback(retrying(once, clock, ATTEMPTS_BEFORE_FALLBACK), retrying(once, clock), fallback, clock)
}
