import type { CountTokens } from '../compact/tokens.ts'
import type { SdkOptions } from './sdk.ts'

/** Longer is not waited for a number that can be estimated. */
const PATIENCE_MS = 10_000

/** Asks the API how many tokens a request is. Where it does not answer once, it is not asked again. */
export function liveCount(options: SdkOptions): CountTokens {
  let silent = false
  return async (request, signal) => {
    if (silent) return undefined
    try {
      const { openCount } = await import('./sdk.ts')
      return await openCount(options)(request, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
    } catch {
      silent = !signal.aborted
      return undefined
    }
  }
}
