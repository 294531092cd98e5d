import { StringDecoder } from 'node:string_decoder'

/** A line is shown up to so many characters. */
export const LINE_CHARS = 2000

/** Cuts a stream of UTF-8 into lines without ever holding more than the shown part of one, however long it is. */
export class LineReader {
  readonly #decoder = new StringDecoder('utf8')
  #kept = ''
  #dropped = 0
  #first = true

  /** Gives each line that a chunk ends to `take`, until that returns false. */
  feed(chunk: Buffer, take: (line: string) => boolean): boolean {
    const parts = this.#decoded(this.#decoder.write(chunk)).split('\n')
    for (const [at, part] of parts.entries()) {
      if (at > 0 && !take(this.#line())) return false
      this.#add(part)
    }
    return true
  }

  /** The last line, if the file does not end with a line end. */
  end(take: (line: string) => boolean): void {
    this.#add(this.#decoder.end())
    if (this.#kept !== '') take(this.#line())
  }

  #decoded(text: string): string {
    if (!this.#first || text === '') return text
    this.#first = false
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  }

  #add(part: string): void {
    const room = LINE_CHARS - this.#kept.length
    this.#kept += part.slice(0, room)
    this.#dropped += Math.max(0, part.length - room)
  }

  #line(): string {
    const line =
      this.#dropped > 0 ? `${this.#kept} [${this.#dropped} more characters of this line left out]` : this.#kept.replace(/\r$/, '')
    this.#kept = ''
    this.#dropped = 0
    return line
  }
}
