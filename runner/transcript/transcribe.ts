import { hashOf } from '../../schemas/canonical.ts'
import type { ModelRequest } from '../message.ts'
import type { ModelClient } from '../model/client.ts'
import { forModel } from '../model/fallback.ts'
import { deltas, requestHasher } from './delta.ts'
import type { Redact } from './redact.ts'
import type { Transcript } from './transcript.ts'

/** What the requests of a resumed run follow on. */
export interface Before {
  requests: number
  last: ModelRequest | undefined
}

/**
 * Wraps the model so that each request stands in the transcript before it is sent, and each outcome and retry as it comes.
 * The hash is that of the request as it is written, that is, without secrets; where the fallback model was asked, the hash of what it got
 * stands with the outcome.
 */
export function transcribed(model: ModelClient, transcript: Transcript, redact: Redact, before?: Before): ModelClient {
  const delta = deltas(before?.last)
  const hash = requestHasher()
  let turn = before?.requests ?? 0
  return async function* (request, signal) {
    const messages = redact(request.messages)
    const clean = { ...request, messages }
    const redacted = messages === request.messages ? {} : { redacted: true as const }
    turn += 1
    transcript.put({ kind: 'request', turn, sha256: hash(clean), ...delta(clean), ...redacted })
    const events = model(request, signal)
    try {
      for (;;) {
        const step = await events.next()
        if (step.done) {
          const { asked, ...value } = step.value
          const fallback = asked === undefined ? {} : { fallback: { model: asked, sha256: hashOf(forModel(clean, asked)) } }
          transcript.put(
            value.type === 'reply'
              ? { kind: 'assistant', turn, reply: value, ...fallback }
              : { kind: 'fault', turn, fault: value, ...fallback },
          )
          return value
        }
        if (step.value.type === 'system') transcript.put({ kind: 'event', event: step.value })
        yield step.value
      }
    } finally {
      await events.return(undefined as never)
    }
  }
}
