import { hashOf } from '../../schemas/canonical.ts'
import type { Clock, Ids } from '../clock.ts'
import type { Environment } from '../environment.ts'
import type { Fault, ModelRequest } from '../message.ts'
import type { ModelClient } from './client.ts'
import { firstDifference } from './difference.ts'
import { RECORDING_VERSION, type RecordedLine } from './recording.ts'

export interface Replay {
  environment: Environment
  ids: Ids
  clock: Clock
  model: ModelClient
  /** How many recorded turns were not asked for. */
  rest(): number
}

/** Why a recording cannot be used at all. */
export class RecordingFault extends Error {
  override name = 'RecordingFault'
}

type Turn = Extract<RecordedLine, { kind: 'turn' }>

/** Answers a run from a recording: nothing is sent, nothing waits, and time and ids are those of the recorded run. */
export function openRecording(text: string): Replay {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const [start, ...rest] = lines.map((line, at) => read(line, at + 1))
  if (start?.kind !== 'start' || typeof start.agentc_recording !== 'number')
    throw new RecordingFault('This is not a recording of agentc: its first line does not say so.')
  if (start.agentc_recording !== RECORDING_VERSION) {
    throw new RecordingFault(`The recording has version ${start.agentc_recording}, this agentc reads version ${RECORDING_VERSION}.`)
  }
  const turns = rest.filter((line) => line.kind === 'turn')
  const times = rest.filter((line) => line.kind === 'time').map((line) => line.ms)
  let turn = 0
  return {
    environment: start.environment,
    ids: { session: () => start.session_id },
    clock: replayedClock(times),
    model: async function* (request) {
      const at = turn++
      const recorded = turns[at]
      const fault = recorded ? mismatch(recorded, request, at) : ended(turns.length)
      if (!recorded || fault) return fault!
      yield* recorded.events
      return recorded.outcome
    },
    rest: () => Math.max(0, turns.length - turn),
  }
}

function read(line: string, at: number): RecordedLine {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as RecordedLine
  } catch {
    // It is told below.
  }
  throw new RecordingFault(`Line ${at} of the recording is not a JSON object.`)
}

/** The recorded readings in their order; the last one again for a run that goes on longer. */
function replayedClock(times: readonly number[]): Clock {
  let at = 0
  return { now: () => times[Math.min(at++, times.length - 1)] ?? 0, sleep: () => Promise.resolve() }
}

function mismatch(recorded: Turn, request: ModelRequest, at: number): Fault | undefined {
  if (hashOf(request) === recorded.hash) return undefined
  const difference = firstDifference(recorded.request, request)
  if (!difference) return undefined
  return fault(
    `request ${at + 1} differs from the recorded one at ${difference.path}: recorded ${difference.recorded}, now ${difference.now}. ` +
      'The agent, the prompt or a file that it reads has changed; record again with --record.',
  )
}

function ended(turns: number): Fault {
  return fault(`the recording ends after ${turns} ${turns === 1 ? 'turn' : 'turns'}, and the run asks for one more`)
}

function fault(message: string): Fault {
  return { type: 'fault', kind: 'mismatch', message, partial: '' }
}
