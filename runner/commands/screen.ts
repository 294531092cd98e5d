import type { Readable, Writable } from 'node:stream'
import type { RunEvent } from '../events.ts'
import type { Face, Output } from '../faces/face.ts'
import { type Aside, lineTerminal, type Terminal } from '../permission/terminal.ts'
import { lineEditor } from '../session/line-editor.ts'
import { plainReader, type Streams } from '../session/line-reader.ts'
import { SessionTerminal } from '../session/session-terminal.ts'
import type { RunIo } from './run-io.ts'

/** Where a run is shown. While the person at it is asked something, what would be shown waits. */
export interface Screen {
  /** Who sits at it; nobody, unless both ends are a terminal. */
  terminal: Terminal | undefined
  /** The same, in a conversation. */
  session: SessionTerminal | undefined
  show(event: RunEvent, face: Face): void
  close(): void
}

/** `plain`: nothing that is written is ever written over. */
export function openScreen(io: RunIo, { interactive, plain }: { interactive: boolean; plain: boolean }): Screen {
  let asked = 0
  let shown: Face | undefined
  const waiting: Output[] = []
  const write = (outputs: readonly Output[]): void => {
    for (const { to, text } of outputs) io[to].write(text)
  }
  const settle = (): void => write(shown?.pause?.() ?? [])
  const aside: Aside = async (work) => {
    settle()
    asked += 1
    try {
      return await work()
    } finally {
      asked -= 1
      if (asked === 0) write(waiting.splice(0))
    }
  }
  const streams = streamsOf(io)
  const session =
    interactive && streams
      ? sessionAt(streams, plain, io, { aside, settle, draft: (text) => write(shown?.draft?.(text) ?? []) })
      : undefined
  const closed = session && opened(session, io)
  return {
    terminal: session ?? (streams && lineTerminal(streams, aside)),
    session,
    show(event, face) {
      shown = face
      if (asked > 0) return void waiting.push(...face(event))
      const outputs = face(event)
      if (outputs.length === 0) return
      if (session) session.above(() => write(outputs))
      else write(outputs)
    },
    close: () => closed?.(),
  }
}

/** Questions go where the account of the run goes, so that the answer of a run can be led away without them. */
function streamsOf({ stdin, stdout, stderr }: RunIo): Streams | undefined {
  if (stdin.isTTY !== true || stdout.isTTY !== true) return undefined
  return { input: stdin as unknown as Readable, output: (stderr.isTTY === true ? stderr : stdout) as unknown as Writable }
}

type Shown = Pick<ConstructorParameters<typeof SessionTerminal>[0], 'aside' | 'settle' | 'draft'>

function sessionAt(streams: Streams, plain: boolean, { interrupts }: RunIo, shown: Shown): SessionTerminal {
  return new SessionTerminal({
    ...shown,
    reader: (events, history) => (plain ? plainReader(streams, events) : lineEditor(streams, history, events)),
    write: (text) => void streams.output.write(text),
    interrupted: () => interrupts?.raise(),
  })
}

/** However the program ends, the terminal is left as it was found. */
function opened(session: SessionTerminal, { interrupts, atOnce }: RunIo): () => void {
  const back = [interrupts?.divert(() => session.interrupt()), atOnce?.(() => session.close())]
  return () => {
    session.close()
    for (const undo of back) undo?.()
  }
}
