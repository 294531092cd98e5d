import type { TerminalReason } from './events.ts'

/** Why a run ends, before everything it had opened is closed. */
export interface Ending {
  reason: TerminalReason
  errors?: readonly string[]
  /** What the API answered with, if that is why. */
  status?: number | undefined
  /** Text of a reply that did not arrive whole. */
  partial?: string
  /** The answer as a value, of a run that was to give one. */
  structured?: { value: unknown }
}
