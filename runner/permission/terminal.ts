import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { turns } from '../in-turn.ts'

/** A person at a terminal. One question is asked at a time, and nothing else is written meanwhile. */
export interface Terminal {
  /** Writes the text, which ends where the answer is to stand, and gives the line that comes; `undefined` if the input ends, or the run. */
  ask(text: string, signal: AbortSignal): Promise<string | undefined>
}

/** Does a piece of work while whatever else writes to the terminal is held back. */
export type Aside = <T>(work: () => Promise<T>) => Promise<T>

/** A terminal that reads whole lines, as the system gives them. */
export function lineTerminal(streams: { input: Readable; output: Writable }, aside: Aside = (work) => work()): Terminal {
  const inTurn = turns()
  return {
    ask: (text, signal) => inTurn(() => (signal.aborted ? undefined : aside(() => line(streams, text, signal)))),
  }
}

function line({ input, output }: { input: Readable; output: Writable }, text: string, signal: AbortSignal): Promise<string | undefined> {
  if (input.readableEnded || input.destroyed) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const lines = createInterface({ input, terminal: false })
    let over = false
    const end = (answer: string | undefined): void => {
      if (over) return
      over = true
      signal.removeEventListener('abort', broken)
      if (answer === undefined) output.write('\n')
      resolve(answer)
      lines.close()
    }
    const broken = (): void => end(undefined)
    signal.addEventListener('abort', broken)
    lines.once('close', broken)
    lines.once('line', end)
    output.write(text)
  })
}
