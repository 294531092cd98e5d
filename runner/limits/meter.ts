import { costOf } from '../../schemas/prices.ts'
import type { Ending } from '../ending.ts'
import type { StreamEvent, Usage } from '../message.ts'
import type { ModelClient } from '../model/client.ts'
import { allTokens, CHARS_PER_TOKEN, NO_USAGE } from '../usage.ts'
import type { Spent } from './budget.ts'

/**
 * Looks at a reply while it arrives and breaks it off when, with it, a limit is reached. What the request is still told by then is kept:
 * the outcome is an interruption with the text so far. A reply that is whole all the same counts as one.
 * @param reached the limit that is reached with so much more
 * @param tell gets the limit that a reply was broken off for, and what had arrived of it
 */
export function metered(
  model: ModelClient,
  reached: (extra: Spent) => Ending | undefined,
  ttl: '5m' | '1h',
  tell: (ending: Ending, spent: Spent) => void,
): ModelClient {
  return async function* (request, outer) {
    const stop = new AbortController()
    const events = model(request, AbortSignal.any([outer, stop.signal]))
    let arriving = started(request.model)
    let ending: Ending | undefined
    try {
      for (;;) {
        const step = await events.next()
        if (step.done) {
          if (ending && step.value.type === 'fault') tell(ending, spentOn(arriving, ttl))
          return step.value
        }
        yield step.value
        if (step.value.type !== 'stream_event' || ending) continue
        arriving = withEvent(arriving, step.value.event)
        ending = reached(spentOn(arriving, ttl))
        if (ending) stop.abort()
      }
    } finally {
      await events.return(undefined as never)
    }
  }
}

interface Arriving {
  model: string
  usage: Usage
  /** Of text, for the limit of output. */
  chars: number
  /** Of anything. */
  allChars: number
}

function started(model: string): Arriving {
  return { model, usage: NO_USAGE, chars: 0, allChars: 0 }
}

/** The API says at the start what the request has cost, and at the end what the reply has; in between its characters are counted. */
function withEvent(now: Arriving, event: StreamEvent): Arriving {
  if (event.type === 'message_start') {
    const { usage } = (event.message ?? {}) as { usage?: Partial<Usage> }
    return { ...started(now.model), usage: { ...now.usage, ...numbers(usage), output_tokens: 0 } }
  }
  if (event.type !== 'content_block_delta') return now
  const delta = (event.delta ?? {}) as { type?: string; text?: unknown; thinking?: unknown; partial_json?: unknown }
  const text = [delta.text, delta.thinking, delta.partial_json].find((part) => typeof part === 'string') as string | undefined
  const length = text?.length ?? 0
  return { ...now, chars: now.chars + (delta.type === 'text_delta' ? length : 0), allChars: now.allChars + length }
}

function numbers(usage: Partial<Usage> = {}): Partial<Usage> {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage
  const all = Object.entries({ input_tokens, cache_creation_input_tokens, cache_read_input_tokens })
  return Object.fromEntries(all.filter(([, value]) => typeof value === 'number'))
}

function spentOn({ model, usage, chars, allChars }: Arriving, ttl: '5m' | '1h'): Spent {
  const whole = { ...usage, output_tokens: Math.floor(allChars / CHARS_PER_TOKEN) }
  return { turns: 0, tokens: allTokens(whole), usd: costOf(model, whole, ttl) ?? 0, outputChars: chars }
}
