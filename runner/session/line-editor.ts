import { EventEmitter } from 'node:events'
import { clearScreenDown, createInterface, cursorTo, type Interface, type Key, moveCursor } from 'node:readline'
import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { keyReader } from './keys.ts'
import type { LineEvents, LineReader, Streams } from './line-reader.ts'
import type { PromptHistory } from './prompt-history.ts'

/** What of readline's interface is written here: Node documents these members, but only for reading. */
interface Edited {
  line: string
  cursor: number
  /** Rows that its last drawing has above the cursor. */
  prevRows: number
}

/** The terminal says where a paste begins and ends, or no longer. */
const PASTE_ON = '\u001B[?2004h'
const PASTE_OFF = '\u001B[?2004l'

/**
 * For capable terminals: Node's own editing of lines, with texts of several lines, history and pasting. While no prompt is shown it goes
 * on unseen, so that what is typed meanwhile is there with the next one.
 */
export function lineEditor(streams: Streams, history: PromptHistory, events: LineEvents): LineReader {
  const { input, output } = streams
  const keys = keySource(streams.input)
  const gate = gateTo(output)
  const lines = createInterface({ input: keys as never, output: gate.stream, terminal: true, historySize: 0, escapeCodeTimeout: 50 })
  const edited = lines as unknown as Edited
  const changed = (): void => (gate.open ? lines.prompt(true) : events.draft(edited.line))
  const replace = (text: string, cursor = text.length): void => {
    edited.line = text
    edited.cursor = cursor
    changed()
  }
  const insert = (text: string): void => {
    const { line, cursor } = edited
    replace(line.slice(0, cursor) + text + line.slice(cursor), cursor + text.length)
  }
  const stop = keys.read(input, insert)
  keys.prependListener('keypress', (_, key: Key | undefined) => {
    // The terminal belongs to somebody else until this program is brought back.
    if (key?.ctrl && key.name === 'z') output.write(PASTE_OFF)
  })
  keys.on('keypress', (_, key: Key | undefined) => {
    const way = wayOf(key)
    if (way) look(way, edited, history, replace)
    // Enter has been told of as a line.
    else if (!gate.open && key?.name !== 'return') events.draft(edited.line)
  })
  lines.on('line', (text) => {
    gate.open = false
    events.line(text)
  })
  lines.on('SIGINT', () => events.interrupt())
  lines.on('SIGCONT', () => {
    output.write(PASTE_ON)
    changed()
  })
  lines.once('close', () => {
    stop()
    output.write(PASTE_OFF)
    events.end()
  })
  output.write(PASTE_ON)
  return { ...shownOn(output, lines, edited, gate), take: () => taken(edited), put: (text) => replace(text), close: () => lines.close() }
}

function taken(edited: Edited): string {
  const { line } = edited
  edited.line = ''
  edited.cursor = 0
  return line
}

function shownOn(output: Writable, lines: Interface, edited: Edited, gate: { open: boolean }): Pick<LineReader, 'show' | 'hide'> {
  return {
    show(prompt) {
      gate.open = true
      edited.prevRows = 0
      lines.setPrompt(prompt)
      lines.prompt(true)
    },
    hide() {
      if (!gate.open) return
      moveCursor(output, 0, -lines.getCursorPos().rows)
      cursorTo(output, 0)
      clearScreenDown(output)
      gate.open = false
    },
  }
}

function wayOf(key: Key | undefined): 'up' | 'down' | undefined {
  if (key?.name === 'up' || (key?.ctrl && key.name === 'p')) return 'up'
  return key?.name === 'down' || (key?.ctrl && key.name === 'n') ? 'down' : undefined
}

/** Up and down: within a text of several lines first, then through the history. */
function look(
  way: 'up' | 'down',
  { line, cursor }: Edited,
  history: PromptHistory,
  replace: (text: string, cursor?: number) => void,
): void {
  const start = line.lastIndexOf('\n', cursor - 1) + 1
  const end = line.indexOf('\n', cursor)
  if (way === 'up' && start > 0) {
    const above = line.lastIndexOf('\n', start - 2) + 1
    return replace(line, Math.min(above + cursor - start, start - 1))
  }
  if (way === 'down' && end >= 0) {
    const below = line.indexOf('\n', end + 1)
    return replace(line, Math.min(end + 1 + cursor - start, below < 0 ? line.length : below))
  }
  const entry = way === 'up' ? history.older(line) : history.newer()
  if (entry !== undefined) replace(entry)
}

/** A key: a control sequence, a sign with Escape before it, or a sign. */
const KEY = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O[^]|[^])?|[^]/gu

/** Stands for the terminal's input: what it gives passes through `keyReader` before readline gets it. */
function keySource(terminal: Streams['input']) {
  const source = new EventEmitter()
  return Object.assign(source, {
    isTTY: true,
    pause: () => source,
    resume: () => source,
    setRawMode: (raw: boolean) => void terminal.setRawMode?.(raw),
    /** Begins to read; gives what ends that. `insert` gets texts that are no keys. */
    read(input: Streams['input'], insert: (text: string) => void): () => void {
      const decoder = new StringDecoder('utf8')
      const parted = keyReader()
      const take = (chunk: Buffer | string): void => {
        for (const typed of parted(typeof chunk === 'string' ? chunk : decoder.write(chunk))) {
          // One by one: what comes at once, Node 20 puts at the end of the line, wherever the cursor is.
          if ('keys' in typed) for (const key of typed.keys.match(KEY) ?? []) source.emit('data', key)
          else insert(typed.text)
        }
      }
      const ended = (): void => void source.emit('end')
      input.on('data', take).once('end', ended)
      return () => {
        input.off('data', take).off('end', ended)
        input.pause()
      }
    },
  })
}

/** Lets through what readline draws, or swallows it. */
function gateTo(output: Streams['output']): { open: boolean; stream: Writable } {
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      if (gate.open) output.write(text)
      done()
    },
  })
  Object.defineProperty(stream, 'columns', { get: () => output.columns || 80 })
  output.on('resize', () => stream.emit('resize'))
  const gate = { open: false, stream }
  return gate
}
