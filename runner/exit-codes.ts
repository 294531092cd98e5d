import type { RunResult } from './events.ts'

/** Every exit code of `agentc run`, and of the whole program where it has the case. */
export const EXIT = {
  completed: 0,
  error: 1,
  usage: 2,
  maxTurns: 3,
  budget: 4,
  /** The run completed, but a call was denied because nobody could be asked. */
  denied: 5,
  structuredOutput: 6,
  /** A background task was still at work when the run ended. */
  backgroundLost: 7,
  bug: 70,
  timeout: 124,
  hangUp: 129,
  interrupted: 130,
  terminated: 143,
} as const

/** By `terminal_reason`; every other reason is an error. */
const BY_REASON: Readonly<Record<string, number>> = {
  completed: EXIT.completed,
  max_turns: EXIT.maxTurns,
  budget: EXIT.budget,
  budget_exhausted: EXIT.budget,
  token_limit: EXIT.budget,
  output_limit: EXIT.budget,
  structured_output: EXIT.structuredOutput,
  background_lost: EXIT.backgroundLost,
  timeout: EXIT.timeout,
  idle_timeout: EXIT.timeout,
  interrupted: EXIT.interrupted,
}

const BY_SIGNAL: Readonly<Record<string, number>> = { SIGHUP: EXIT.hangUp, SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated }

/** The exit code of a run. `stopped` is why it was interrupted: a signal's name, or anything else for a fault such as a closed output. */
export function exitCodeOf(result: RunResult, stopped?: unknown): number {
  if (result.terminal_reason === 'interrupted') return typeof stopped === 'string' ? (BY_SIGNAL[stopped] ?? EXIT.error) : EXIT.interrupted
  if (result.terminal_reason === 'completed' && result.denied) return EXIT.denied
  return BY_REASON[result.terminal_reason] ?? EXIT.error
}
