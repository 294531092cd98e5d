import type { StreamEvent } from '../message.ts'

/** A stream that is not what the API promises: an event whose data is not JSON. It may be whole the next time. */
export class MalformedStream extends Error {
  override name = 'MalformedStream'
}

/** An `error` event: the API gave up in the middle of its reply. `type` is such as `overloaded_error`. */
export class StreamError extends Error {
  override name = 'StreamError'
  readonly type: string
  readonly apiMessage: string
  constructor(type: string, message: string) {
    super(message)
    this.type = type
    this.apiMessage = message
  }
}

/**
 * The events of a reply (server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html, as far as the API uses them:
 * an event ends with an empty line, and its name is in its data too). `alive` is called for all that arrives, pings included,
 * which the SDK's own reader swallows: a long silence of the model must look different from a dead connection.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>, alive: () => void): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    alive()
    const text = rest + decoder.decode(chunk, { stream: true })
    const blocks = text.split(/\r\n\r\n|\n\n|\r\r/)
    rest = blocks.pop()!
    for (const block of blocks) {
      const event = eventOf(block)
      if (event) yield event
    }
  }
}

/** Events that are not of the reply (`ping`, and those that a later API may add without data) are passed over, as the API asks. */
function eventOf(block: string): StreamEvent | undefined {
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
  if (data.length === 0) return undefined
  const event = parsed(data.join('\n'))
  if (event.type === 'error') {
    const { type, message } = (event.error ?? {}) as { type?: unknown; message?: unknown }
    throw new StreamError(typeof type === 'string' ? type : 'api_error', typeof message === 'string' ? message : '')
  }
  return event.type === 'ping' ? undefined : event
}

function parsed(data: string): StreamEvent {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    throw new MalformedStream('an event of the stream is not JSON')
  }
  if (typeof value === 'object' && value !== null && typeof (value as StreamEvent).type === 'string') return value as StreamEvent
  throw new MalformedStream('an event of the stream has no type')
}
