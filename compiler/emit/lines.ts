import { hash } from 'node:crypto'

/** A manifest's agents as bytes: each text is encoded once, hashed where it lies, and written from there. */

/** What is handed on at once. */
const CHUNK = 1 << 20
const BEFORE_HASH = ': {"hash":"sha256:'
const HEX = 64
const OPEN = 0x7b
const COMMA = 0x2c
const NEW_LINE = 0x0a

/** An object without its last member, and what follows the comma: that member and the brace that ends both. */
export type EntryText = readonly [members: string, last: string]

/** A line of the manifest that was made before, without what stands between lines. */
export interface Line {
  bytes: Uint8Array
  hash: string
}

/**
 * Collects bytes in one buffer and hands them on when it is full; what is handed on holds until the next call.
 * `agent` writes the same line as `agentLine` of the manifest's form (a test holds both equal).
 */
export class LineBuffer {
  private buffer = Buffer.allocUnsafe(CHUNK)
  private length = 0

  /** Whether what was collected has to be taken before something of `size` bytes comes. */
  isFull(size: number): boolean {
    if (this.length + size <= this.buffer.length) return false
    if (this.length === 0) this.buffer = Buffer.allocUnsafe(size)
    return this.length > 0
  }

  take(): Uint8Array {
    const taken = this.buffer.subarray(0, this.length)
    this.length = 0
    return taken
  }

  text(text: string): void {
    this.length += this.buffer.write(text, this.length)
  }

  /** What stands between two lines. */
  next(): void {
    this.buffer[this.length++] = COMMA
    this.buffer[this.length++] = NEW_LINE
  }

  bytes(bytes: Uint8Array): void {
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  /**
   * In: the name as JSON, and the RFC 8785 form of the entry as its first members and its last one. They are put together here only: a long
   * text that is joined is copied once more. Out: the hash of that form, and the line where it lies.
   */
  agent(name: string, [members, last]: EntryText): Line {
    const start = this.length
    this.text(name)
    this.text(BEFORE_HASH)
    const at = this.length
    this.length += HEX
    this.text('"')
    // The hash is over the form itself, whose first character is its brace; in the line the comma after the hash stands there.
    const from = this.length
    this.text(members)
    this.buffer[this.length - 1] = COMMA
    this.text(last)
    this.buffer[from] = OPEN
    const hex = hash('sha256', this.buffer.subarray(from, this.length))
    this.buffer[from] = COMMA
    this.buffer.write(hex, at, 'latin1')
    return { bytes: this.buffer.subarray(start, this.length), hash: `sha256:${hex}` }
  }
}

/** The most bytes that a text can take. */
export function mostBytes(text: string): number {
  return text.length * 3
}
