import type { RunEvent } from './events.ts'

/** Events of what goes on beside the conversation of a run: the agents that it has started. The loop passes them on as they come. */
export class EventQueue {
  #waiting: RunEvent[] = []
  #wake: (() => void) | undefined

  push(event: RunEvent): void {
    this.#waiting.push(event)
    this.#wake?.()
  }

  take(): readonly RunEvent[] {
    const waiting = this.#waiting
    this.#waiting = []
    return waiting
  }

  /** Settles when there is something to take. */
  arrived(): Promise<void> {
    if (this.#waiting.length > 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

/** Waits for something, and passes on what is pushed meanwhile. */
export async function* during<T>(work: Promise<T>, queue: EventQueue | undefined): AsyncGenerator<RunEvent, T> {
  if (!queue) return await work
  const settled = work.then(
    () => true,
    () => true,
  )
  for (;;) {
    const done = await Promise.race([settled, queue.arrived().then(() => false)])
    yield* queue.take()
    if (done) return await work
  }
}
