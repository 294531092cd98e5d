import type { ModelEvent } from '../events.ts'
import type { ModelRequest, Outcome } from '../message.ts'

/**
 * The seam to the model: events while the reply arrives, then the whole outcome.
 * It never throws for what the network, the API or a recording does; those are faults, which are values.
 */
export type ModelClient = (request: ModelRequest, signal: AbortSignal) => AsyncGenerator<ModelEvent, Outcome>
