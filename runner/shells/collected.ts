import { stripVTControlCharacters } from 'node:util'

/** Bytes of a command's output that are kept, at its beginning and at its end; what is between them is counted only. */
const HEAD = 8 * 1024 * 1024
const TAIL = 8 * 1024 * 1024

/** The output of a command, with a bound on the memory it takes, however much it is. */
export class Collected {
  readonly #head: Buffer[] = []
  readonly #tail: Buffer[] = []
  #headBytes = 0
  #tailBytes = 0
  #dropped = 0

  add(chunk: Buffer): void {
    const part = chunk.subarray(0, HEAD - this.#headBytes)
    if (part.length > 0) this.#head.push(part)
    this.#headBytes += part.length
    const rest = chunk.subarray(part.length)
    if (rest.length === 0) return
    this.#tail.push(rest)
    this.#tailBytes += rest.length
    while (this.#tailBytes - this.#tail[0]!.length > TAIL) {
      const gone = this.#tail.shift()!.length
      this.#tailBytes -= gone
      this.#dropped += gone
    }
  }

  /** As text: without the control sequences of terminals, which mean nothing to a model, and without NUL, which no message may hold. */
  text(): string {
    const note = this.#dropped > 0 ? `\n[${this.#dropped} bytes left out here, more than is kept]\n` : ''
    const parts = note === '' ? [[...this.#head, ...this.#tail]] : [this.#head, this.#tail]
    const text = parts.map((part) => Buffer.concat(part).toString('utf8')).join(note)
    return stripVTControlCharacters(text).replaceAll('\0', '\uFFFD')
  }
}

/** What is shown of a long text: its beginning and its end, cut between lines where that costs little. `keep` stores all of it. */
export function shortened(text: string, most: number, keep: (text: string) => string | undefined): string {
  if (text.length <= most) return text
  const head = text.slice(0, Math.floor(most / 3))
  const tail = text.slice(head.length - most)
  const kept = keep(text)
  const where = kept === undefined ? '' : `; the whole output is in ${kept}`
  return `${head}\n[${text.length - most} characters left out here${where}]\n${tail}`
}
