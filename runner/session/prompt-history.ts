/** What was said before, the oldest first, and where in it the person is looking. */
export class PromptHistory {
  #entries: string[] = []
  #at = 0
  /** What was being typed when the person began to look. */
  #draft = ''
  readonly #most: number

  constructor(most = 500) {
    this.#most = most
  }

  /** Earlier entries, from another time. */
  recall(entries: readonly string[]): void {
    this.#entries = [...entries, ...this.#entries].slice(-this.#most)
    this.rest()
  }

  add(entry: string): void {
    if (this.#entries.at(-1) !== entry) this.#entries = [...this.#entries, entry].slice(-this.#most)
    this.rest()
  }

  /** The person looks no more. */
  rest(): void {
    this.#at = this.#entries.length
    this.#draft = ''
  }

  /** The entry before; `undefined` if there is none. */
  older(current: string): string | undefined {
    if (this.#at === 0) return undefined
    if (this.#at === this.#entries.length) this.#draft = current
    this.#at -= 1
    return this.#entries[this.#at]
  }

  /** The entry after; behind the last one what was being typed. */
  newer(): string | undefined {
    if (this.#at === this.#entries.length) return undefined
    this.#at += 1
    return this.#entries[this.#at] ?? this.#draft
  }
}
