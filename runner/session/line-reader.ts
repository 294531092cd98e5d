import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** Both ends of a terminal. */
export interface Streams {
  input: Readable & { setRawMode?: (raw: boolean) => unknown }
  output: Writable & { columns?: number | undefined }
}

/** What the person at the terminal does. */
export interface LineEvents {
  /** Enter. The text may be of several lines. */
  line(text: string): void
  /** Ctrl-C, where it comes as a key and not as a signal. */
  interrupt(): void
  /** Ctrl-D on an empty line, or the terminal is gone. */
  end(): void
  /** Something is typed while no prompt is shown: all of it. */
  draft(text: string): void
}

/** The only reader of a terminal. */
export interface LineReader {
  /** Shows a prompt, and behind it what has been typed so far. */
  show(prompt: string): void
  /** Takes the prompt away, so that something else can be written; what has been typed is kept. */
  hide(): void
  /** Takes what has been typed. */
  take(): string
  put(text: string): void
  /** Leaves the terminal as it was found. */
  close(): void
}

/**
 * For terminals that can only append, and for screen readers: lines as the system gives them, with its own editing. Nothing that is
 * written ever moves the cursor.
 */
export function plainReader({ input, output }: Streams, events: LineEvents): LineReader {
  const lines = createInterface({ input, terminal: false })
  let shown = false
  lines.on('line', (text) => {
    shown = false
    events.line(text)
  })
  lines.once('close', () => events.end())
  return {
    show(prompt) {
      shown = true
      output.write(prompt)
    },
    hide() {
      if (shown) output.write('\n')
      shown = false
    },
    take: () => '',
    put: () => {},
    close: () => lines.close(),
  }
}
