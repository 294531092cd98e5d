import type { Clock } from '../clock.ts'
import type { Message, ModelRequest, Outcome, ReplyBlock } from '../message.ts'
import type { ModelClient } from './client.ts'

/** So long the fallback answers at once before the first model is tried again: trying it at every turn would cost its waits each time. */
export const COOLDOWN_MS = 60_000

/**
 * Asks another model when the first one has used up its attempts with a fault that may pass. For a minute of the clock all turns go
 * to the fallback, then the first one gets its next try; each change is an event. A fault that would meet the other model alike
 * (401, a request that is too large) is not a reason to change.
 * @param first the client of the agent's model, retries included
 * @param second the client of the fallback, retries included
 */
export function withFallback(first: ModelClient, second: ModelClient, model: string, clock: Clock): ModelClient {
  let until: number | undefined
  return async function* (request, signal) {
    if (until === undefined || clock.now() >= until) {
      const outcome = yield* first(request, signal)
      if (outcome.type === 'reply' || outcome.kind !== 'transient') return outcome
      until = clock.now() + COOLDOWN_MS
      yield {
        type: 'system',
        subtype: 'model_fallback',
        from: request.model,
        to: model,
        cooldown_ms: COOLDOWN_MS,
        message: outcome.message,
      }
    }
    return { ...withoutThinking(yield* second(forModel(request, model), signal)), asked: model }
  }
}

/**
 * The same request for another model. Thinking is signed for the model that thought it and refused by any other, so it is left out;
 * a message that held nothing else stays as it is. With the model that an outcome names as `asked` this says exactly what was sent.
 */
export function forModel(request: ModelRequest, model: string): ModelRequest {
  return { ...request, model, messages: request.messages.map(unthought) }
}

function unthought(message: Message): Message {
  if (message.role !== 'assistant') return message
  const content = message.content.filter(isKept)
  return content.length === 0 || content.length === message.content.length ? message : { role: 'assistant', content }
}

/** So that the first model gets no thinking of the other one when it is asked again, also after a resume. */
function withoutThinking(outcome: Outcome): Outcome {
  return outcome.type === 'reply' ? { ...outcome, content: outcome.content.filter(isKept) } : outcome
}

function isKept(block: ReplyBlock): boolean {
  return block.type !== 'thinking' && block.type !== 'redacted_thinking'
}
