import { hashOf } from '../../schemas/canonical.ts'
import type { Clock, Ids } from '../clock.ts'
import type { Environment } from '../environment.ts'
import type { ModelEvent } from '../events.ts'
import type { ModelRequest, Outcome } from '../message.ts'
import type { ModelClient } from './client.ts'

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

export interface Recorder {
  ids: Ids
  clock: Clock
  model: ModelClient
}

/** Wraps the live seams so that everything they answer is written down; `append` gets whole lines. Secrets are blotted out. */
export function recorder(
  live: { model: ModelClient; clock: Clock; ids: Ids },
  environment: Environment,
  append: (line: string) => void,
  secrets: readonly string[],
): Recorder {
  const put = (line: RecordedLine) => append(`${blotted(JSON.stringify(line), secrets)}\n`)
  const id = live.ids.session()
  put({ kind: 'start', agentc_recording: RECORDING_VERSION, session_id: id, environment })
  return {
    ids: { session: () => id },
    clock: {
      now() {
        const ms = live.clock.now()
        put({ kind: 'time', ms })
        return ms
      },
      sleep: (ms, signal) => live.clock.sleep(ms, signal),
    },
    model: recordingModel(live.model, put),
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
