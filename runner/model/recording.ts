import { hashOf } from '../../schemas/canonical.ts'
import type { CountTokens } from '../compact/tokens.ts'
import type { Clock, Ids, Took } from '../clock.ts'
import type { Arrivals } from '../inbox.ts'
import type { Recall } from '../memory/remember.ts'
import type { Environment } from '../environment.ts'
import type { ModelEvent } from '../events.ts'
import type { ModelRequest, Outcome } from '../message.ts'
import type { Person } from '../person.ts'
import { type AnswerLine, type Asks, recordedAsks } from './answers.ts'
import type { ModelClient } from './client.ts'
import { recordedPerson, type SaidLine } from './prompts.ts'

/** The version of the form of a recording. */
export const RECORDING_VERSION = 1

/**
 * A recording is JSON Lines. The first line holds what the run was told of its surroundings; then come, in their order,
 * the turns (request, events, outcome) and the readings of the clock. Requests hold no credentials.
 */
export type RecordedLine =
  | { kind: 'start'; agentc_recording: number; session_id: string; environment: Environment }
  | { kind: 'turn'; hash: string; request: ModelRequest; events: ModelEvent[]; outcome: Outcome }
  | { kind: 'time'; ms: number }
  | { kind: 'count'; tokens: number | null }
  /** What a model was told of how long something took. */
  | { kind: 'took'; ms: number }
  /** Texts of agents in the background were taken before a turn: the how manieth time it was looked, and whose they were. */
  | { kind: 'arrivals'; at: number; from: readonly string[] }
  /** The notes of the agent, as they were read when it began, and what became of their snapshot when it ended. */
  | { kind: 'memory'; what: 'notes' | 'snapshot'; value: unknown }
  | AnswerLine
  | SaidLine

/** `agent`: the id of the agent that the run has started and whose line it is; without it the line is that of the run's own. */
export type LaneLine = RecordedLine & { agent?: string }

/** What answers one agent. Agents work side by side, so each has its own order of turns and readings. */
export interface Lane {
  clock: Clock
  model: ModelClient
  count: CountTokens | undefined
  arrivals: Arrivals
  recall: Recall
  took: Took
}

export interface Recorder extends Lane {
  ids: Ids
  /** The person, whose answers are written down too. */
  asked(asks: Asks): Asks
  /** Who says what comes next in a conversation. */
  person(person: Person | undefined): Person | undefined
  /** The same for an agent that the run has started. */
  lane(agent: string): Lane
}

/** Wraps the live seams so that everything they answer is written down; `append` gets whole lines. Secrets are blotted out. */
export function recorder(
  live: { model: ModelClient; clock: Clock; ids: Ids; count?: CountTokens | undefined },
  environment: Environment,
  append: (line: string) => void,
  secrets: readonly string[],
): Recorder {
  const write = (line: LaneLine) => append(`${blotted(JSON.stringify(line), secrets)}\n`)
  const id = live.ids.session()
  write({ kind: 'start', agentc_recording: RECORDING_VERSION, session_id: id, environment })
  const lane = (agent?: string) => laneOf(live, (line) => write(agent === undefined ? line : { ...line, agent }))
  return {
    ids: { session: () => id },
    ...lane(),
    lane,
    asked: (asks) => recordedAsks(asks, write),
    person: (person) => person && recordedPerson(person, write),
  }
}

function laneOf(live: { model: ModelClient; clock: Clock; count?: CountTokens | undefined }, put: (line: RecordedLine) => void): Lane {
  const { count } = live
  let looks = 0
  return {
    arrivals: {
      taken(from) {
        const at = looks++
        if (from.length > 0) put({ kind: 'arrivals', at, from })
      },
    },
    clock: {
      now() {
        const ms = live.clock.now()
        put({ kind: 'time', ms })
        return ms
      },
      sleep: (ms, signal) => live.clock.sleep(ms, signal),
    },
    async recall(what, read) {
      const value = await read()
      put({ kind: 'memory', what, value })
      return value
    },
    took(ms) {
      put({ kind: 'took', ms })
      return ms
    },
    model: recordingModel(live.model, put),
    count:
      count &&
      (async (request, signal) => {
        const tokens = await count(request, signal)
        put({ kind: 'count', tokens: tokens ?? null })
        return tokens
      }),
  }
}

function recordingModel(live: ModelClient, put: (line: RecordedLine) => void): ModelClient {
  return async function* (request, signal) {
    const events: ModelEvent[] = []
    const turn = live(request, signal)
    try {
      for (;;) {
        const step = await turn.next()
        if (step.done) {
          put({ kind: 'turn', hash: hashOf(request), request, events, outcome: step.value })
          return step.value
        }
        events.push(step.value)
        yield step.value
      }
    } finally {
      await turn.return(undefined as never)
    }
  }
}

function blotted(line: string, secrets: readonly string[]): string {
  let clean = line
  for (const secret of secrets) if (secret.length >= 8) clean = clean.replaceAll(JSON.stringify(secret).slice(1, -1), '[redacted]')
  return clean
}
