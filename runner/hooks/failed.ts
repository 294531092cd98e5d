import type { Ending } from '../ending.ts'
import type { Occasion, StopError } from './occasion.ts'

/** What hooks are told of an agent that could not come to its end. */
export type Failed = Omit<Extract<Occasion, { event: 'StopFailure' }>, 'event'>

/** In: how an agent ended. Out: what hooks of StopFailure are told, if the API is why; Stop is not told then. */
export function failedBy({ reason, status, errors = [] }: Ending, said: string): Failed | undefined {
  const error = errorOf(reason, status)
  return error && { error, error_details: errors.join('; '), last_assistant_message: said }
}

function errorOf(reason: Ending['reason'], status: number | undefined): StopError | undefined {
  if (reason === 'max_tokens') return 'max_output_tokens'
  if (reason === 'context_overflow') return 'invalid_request'
  if (reason !== 'api_error') return undefined
  if (status === 429) return 'rate_limit'
  if (status === 401 || status === 403) return 'authentication_failed'
  if (status === 402) return 'billing_error'
  if (status === undefined) return 'unknown'
  return status >= 500 ? 'server_error' : 'invalid_request'
}
