import { setTimeout as pause } from 'node:timers/promises'

/** Work in the background that an agent has begun, with what to call it should it be lost. */
export interface Work {
  id: string
  ended: Promise<unknown>
}

/** A text with the id of the agent that it comes from. */
interface Item {
  from: string
  text: string
}

/** What recording and replay make of the order in which texts arrive: it is the only thing of a run that nothing else decides. */
export interface Arrivals {
  /** In a replay: whose texts were taken at this time. */
  next?(): readonly string[]
  taken?(from: readonly string[]): void
}

/** For a replay that has come to differ from its recording: it does not wait for ever for what does not come. */
const MOST_MS = 5000

/** What comes to an agent while it works, or when it thinks that it is done: messages, and reports from the background. */
export class Inbox {
  #items: Item[] = []
  readonly #works = new Map<string, Promise<unknown>>()
  #wake: (() => void) | undefined

  put(text: string, from: string): void {
    this.#items.push({ text, from })
    this.#wake?.()
  }

  /** Takes what has arrived, in its order; in a replay what had arrived at this time, as soon as it is there. */
  async take(arrivals: Arrivals | undefined, signal: AbortSignal): Promise<readonly string[]> {
    const wanted = arrivals?.next?.()
    const items = wanted ? await this.#these(wanted, signal) : this.#items.splice(0)
    arrivals?.taken?.(items.map(({ from }) => from))
    return items.map(({ text }) => text)
  }

  async #these(wanted: readonly string[], signal: AbortSignal): Promise<Item[]> {
    const taken: Item[] = []
    const late = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)])
    const over = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve(), { once: true }))
    for (const from of wanted) {
      const find = (): number => this.#items.findIndex((item) => item.from === from)
      while (find() < 0 && !late.aborted) await Promise.race([over, new Promise<void>((resolve) => (this.#wake = resolve))])
      if (find() >= 0) taken.push(...this.#items.splice(find(), 1))
    }
    return taken
  }

  works({ id, ended }: Work): void {
    this.#works.set(id, ended)
    const over = (): void => {
      this.#works.delete(id)
      this.#wake?.()
    }
    void ended.then(over, over)
  }

  /** Takes away what nobody will read any more, and gives how much that was. */
  drop(from: string): number {
    const all = this.#items.length
    this.#items = this.#items.filter((item) => item.from !== from)
    return all - this.#items.length
  }

  /** What is still going on. */
  running(): readonly string[] {
    return [...this.#works.keys()]
  }

  /**
   * Before an agent ends: waits for a text as long as something is going on, `ms` at most. `idle`: nothing is, and nothing has arrived;
   * `lost`: the time is over, or the run is interrupted.
   */
  async wait(ms: number | undefined, signal: AbortSignal): Promise<'arrived' | 'idle' | 'lost'> {
    const over = new AbortController()
    const limit = AbortSignal.any([signal, over.signal])
    const stopped = new Promise<void>((resolve) => limit.addEventListener('abort', () => resolve(), { once: true }))
    const time = ms === undefined ? stopped : pause(ms, undefined, { signal: limit }).catch(() => undefined)
    let late = signal.aborted
    void time.then(() => (late = true))
    try {
      for (;;) {
        if (this.#items.length > 0) return 'arrived'
        if (this.#works.size === 0) return 'idle'
        if (late) return 'lost'
        await Promise.race([time, new Promise<void>((resolve) => (this.#wake = resolve))])
      }
    } finally {
      over.abort()
    }
  }
}
