import type { Readable, Writable } from 'node:stream'
import type { RunEvent } from '../events.ts'
import type { Face, Output } from '../faces/face.ts'
import { type Aside, lineTerminal, type Terminal } from '../permission/terminal.ts'
import type { RunIo } from './run-io.ts'

/** Where a run is shown. While the person at it is asked something, what would be shown waits. */
export interface Screen {
  /** Who sits at it; nobody, unless both ends are a terminal. */
  terminal: Terminal | undefined
  show(event: RunEvent, face: Face): void
}

export function openScreen(io: RunIo): Screen {
  let asked = 0
  let shown: Face | undefined
  const waiting: Output[] = []
  const write = (outputs: readonly Output[]): void => {
    for (const { to, text } of outputs) io[to].write(text)
  }
  const aside: Aside = async (work) => {
    write(shown?.pause?.() ?? [])
    asked += 1
    try {
      return await work()
    } finally {
      asked -= 1
      if (asked === 0) write(waiting.splice(0))
    }
  }
  return {
    terminal: terminalOf(io, aside),
    show(event, face) {
      shown = face
      if (asked > 0) waiting.push(...face(event))
      else write(face(event))
    },
  }
}

/** Questions go where the account of the run goes, so that the answer of a run can be led away without them. */
function terminalOf({ stdin, stdout, stderr }: RunIo, aside: Aside): Terminal | undefined {
  if (stdin.isTTY !== true || stdout.isTTY !== true) return undefined
  const output = (stderr.isTTY === true ? stderr : stdout) as unknown as Writable
  return lineTerminal({ input: stdin as unknown as Readable, output }, aside)
}
