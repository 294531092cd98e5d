import type { Outcome } from '../message.ts'
import { createAccumulator } from './accumulate.ts'
import type { ModelClient } from './client.ts'
import { faultOf, interrupted } from './faults.ts'
import type { Open, SdkOptions } from './sdk.ts'
import { readEvents } from './sse.ts'

export interface LiveOptions extends SdkOptions {
  /** Milliseconds without a byte after which an attempt is given up; without it 10 minutes to the first byte, then 3 between two. */
  idleMs?: number
}

/** What the SDK waits for an answer too. The model may think for long before it says a word. */
const FIRST_BYTE_MS = 600_000
/** Once it has begun, the API sends pings while the model thinks. */
const NEXT_BYTE_MS = 180_000

/** One attempt at a turn over @anthropic-ai/sdk, which is loaded while the run looks at its surroundings. */
export function liveModel(options: LiveOptions): ModelClient {
  const sdk = import('./sdk.ts')
  // Whoever asks for a reply gets the fault; until then nobody listens.
  sdk.catch(() => undefined)
  let opened: Open | undefined
  return async function* (request, signal) {
    const open = (opened ??= (await sdk).openSdk(options))
    if (signal.aborted) return interrupted('')
    const watch = new Watch(signal, options.idleMs ?? FIRST_BYTE_MS)
    const accumulator = createAccumulator()
    try {
      const response = await open(request, watch.signal).catch((error: unknown) => ({ error }))
      if ('error' in response) return watch.verdict() ?? faultOf(response.error, '')
      watch.rewind(options.idleMs ?? NEXT_BYTE_MS)
      if (!response.body) return cut('')
      const events = readEvents(response.body as AsyncIterable<Uint8Array>, () => watch.rewind())
      for (;;) {
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

/** Ends an attempt that is interrupted or has gone silent, and knows which of the two it was. */
class Watch {
  readonly #ending = new AbortController()
  readonly #outer: AbortSignal
  #idleMs: number
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

  /** Starts the time anew: something has arrived. */
  rewind(idleMs = this.#idleMs): void {
    if (idleMs === this.#idleMs && this.#timer) return void this.#timer.refresh()
    clearTimeout(this.#timer)
    this.#idleMs = idleMs
    this.#timer = setTimeout(() => {
      this.#silent = true
      this.#ending.abort()
    }, idleMs)
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
