import type { ModelRequest, Outcome, StreamEvent } from '../message.ts'
import { createAccumulator } from './accumulate.ts'
import type { ModelClient } from './client.ts'
import { faultOf, interrupted } from './faults.ts'

export interface LiveOptions {
  apiKey: string | undefined
  authToken: string | undefined
  baseURL: string | undefined
  /** Milliseconds without an event after which a stream counts as broken. */
  idleMs?: number
}

const BASE_URL = 'https://api.anthropic.com'
const IDLE_MS = 600_000

type Open = (request: ModelRequest, signal: AbortSignal) => Promise<AsyncIterable<StreamEvent>>

/**
 * One attempt at a turn over @anthropic-ai/sdk, which is loaded with the first request. The SDK's own retries are off:
 * they hide attempts, wait at random, and end where the stream begins. Everything it would read from the environment is given.
 */
export function liveModel(options: LiveOptions): ModelClient {
  let opened: Promise<Open> | undefined
  return async function* (request, signal) {
    if (signal.aborted) return interrupted('')
    const watch = new Watch(signal, options.idleMs ?? IDLE_MS)
    const accumulator = createAccumulator()
    try {
      opened ??= connect(options)
      const open = await opened
      const stream = await open(request, watch.signal).catch((error: unknown) => ({ error }))
      if ('error' in stream) return watch.verdict() ?? faultOf(stream.error, '')
      const events = stream[Symbol.asyncIterator]()
      for (;;) {
        watch.rewind()
        const step = await events.next().catch((error: unknown) => ({ error }))
        if ('error' in step) return watch.verdict(accumulator.text()) ?? faultOf(step.error, accumulator.text())
        if (step.done) break
        accumulator.add(step.value)
        yield { type: 'stream_event', event: step.value }
      }
      return accumulator.whole() ?? watch.verdict(accumulator.text()) ?? cut(accumulator.text())
    } finally {
      watch.end()
    }
  }
}

async function connect(options: LiveOptions): Promise<Open> {
  const { default: Anthropic } = await import('@anthropic-ai/sdk')
  const client = new Anthropic({
    apiKey: options.apiKey ?? null,
    authToken: options.apiKey === undefined ? (options.authToken ?? null) : null,
    baseURL: options.baseURL || BASE_URL,
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
  })
  type Params = Parameters<typeof client.messages.create>[0]
  return async (request, signal) => {
    const stream = await client.messages.create({ ...(request as unknown as Params), stream: true }, { signal })
    return stream as unknown as AsyncIterable<StreamEvent>
  }
}

/** Ends an attempt that is interrupted or has gone silent, and knows which of the two it was. */
class Watch {
  readonly #ending = new AbortController()
  readonly #outer: AbortSignal
  readonly #idleMs: number
  readonly #stop = () => this.#ending.abort()
  #timer: NodeJS.Timeout | undefined
  #silent = false

  constructor(outer: AbortSignal, idleMs: number) {
    this.#outer = outer
    this.#idleMs = idleMs
    outer.addEventListener('abort', this.#stop)
    this.rewind()
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  rewind(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#silent = true
      this.#ending.abort()
    }, this.#idleMs)
  }

  verdict(partial = ''): Outcome | undefined {
    if (this.#outer.aborted) return interrupted(partial)
    if (!this.#silent) return undefined
    return { type: 'fault', kind: 'transient', message: `the API was silent for ${this.#idleMs} ms`, partial }
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#outer.removeEventListener('abort', this.#stop)
    this.#ending.abort()
  }
}

function cut(partial: string): Outcome {
  return { type: 'fault', kind: 'transient', message: 'the reply of the API ended before it was whole', partial }
}
