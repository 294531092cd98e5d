/** So many may work at one time; the others wait in a queue, first come, first served. */
export class Slots {
  #free: number
  readonly #queue: (() => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  /** Waits for a slot. `undefined` if the signal was aborted before there was one. What it gives frees the slot. */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined
    if (this.#free > 0) this.#free -= 1
    else if (!(await this.#turn(signal))) return undefined
    let taken = true
    return () => {
      if (taken) this.#pass()
      taken = false
    }
  }

  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(enter), 1)
        resolve(false)
      }
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#queue.push(enter)
    })
  }

  #pass(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#free += 1
  }
}
