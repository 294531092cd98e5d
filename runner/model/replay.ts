import { hashOf } from '../../schemas/canonical.ts'
import type { Clock, Ids } from '../clock.ts'
import type { Environment } from '../environment.ts'
import type { Fault, ModelRequest } from '../message.ts'
import type { Person } from '../person.ts'
import { type Asks, replayedAsks } from './answers.ts'
import { replayedPerson } from './prompts.ts'
import { firstDifference } from './difference.ts'
import { type Lane, type LaneLine, RECORDING_VERSION, type RecordedLine } from './recording.ts'

export interface Replay extends Lane {
  environment: Environment
  ids: Ids
  /** The person, as in the recorded run. */
  asked(otherwise: Asks): Asks
  /** Who says what comes next, if the recording is of a conversation. */
  person(otherwise: Person | undefined): Person | undefined
  /** What answers an agent that the run has started. */
  lane(agent: string): Lane
  /** How many recorded turns were not asked for. */
  rest(): number
}

/** Why a recording cannot be used at all. */
export class RecordingFault extends Error {
  override name = 'RecordingFault'
}

/** Whether a recording says what is said, so that nobody else has to. */
export function isConversation(text: string): boolean {
  return /^\{"kind":"prompt"/m.test(text)
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
  const lanes: ReturnType<typeof laneOf>[] = []
  const lane = (agent?: string) => {
    const own = laneOf(rest.filter((line) => line.agent === agent))
    lanes.push(own)
    return own
  }
  const all = rest.filter((line) => line.kind === 'turn').length
  return {
    environment: start.environment,
    ids: { session: () => start.session_id },
    ...lane(),
    lane,
    asked: (otherwise) =>
      replayedAsks(
        rest.filter((line) => line.kind === 'answer'),
        otherwise,
      ),
    person(otherwise) {
      const said = rest.filter((line) => line.kind === 'prompt')
      return said.length > 0 ? replayedPerson(said) : otherwise
    },
    rest: () => Math.max(0, all - lanes.reduce((sum, { taken }) => sum + taken(), 0)),
  }
}

/** What answers one agent of the recorded run. */
function laneOf(lines: readonly RecordedLine[]): Lane & { taken(): number } {
  const turns = lines.filter((line) => line.kind === 'turn')
  const times = lines.filter((line) => line.kind === 'time').map((line) => line.ms)
  const durations = lines.filter((line) => line.kind === 'took').map((line) => line.ms)
  const counts = lines.filter((line) => line.kind === 'count').map((line) => line.tokens)
  const arrived = new Map(lines.filter((line) => line.kind === 'arrivals').map(({ at, from }) => [at, from] as const))
  const noted = lines.filter((line) => line.kind === 'memory')
  let turn = 0
  let counted = 0
  let looks = 0
  return {
    arrivals: { next: () => arrived.get(looks++) ?? [] },
    recall<T>(what: string, read: () => Promise<T>, otherwise?: T) {
      const at = noted.findIndex((line) => line.what === what)
      if (at >= 0) return Promise.resolve(noted.splice(at, 1)[0]!.value as T)
      return otherwise === undefined ? read() : Promise.resolve(otherwise)
    },
    clock: replayedClock(times),
    took: (ms) => durations.shift() ?? ms,
    model: async function* (request) {
      const at = turn++
      const recorded = turns[at]
      const fault = recorded ? mismatch(recorded, request, at) : ended(turns.length)
      if (!recorded || fault) return fault!
      yield* recorded.events
      return recorded.outcome
    },
    count: () => Promise.resolve(counts[counted++] ?? undefined),
    taken: () => Math.min(turn, turns.length),
  }
}

function read(line: string, at: number): LaneLine {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as LaneLine
  } catch {
    // It is told below.
  }
  throw new RecordingFault(`Line ${at} of the recording is not a JSON object.`)
}

/** The recorded readings in their order; the last one again for a run that goes on longer. */
function replayedClock(times: readonly number[]): Clock {
  let at = 0
  return { now: () => times[Math.min(at++, times.length - 1)] ?? 0, sleep: () => Promise.resolve(), still: true }
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
