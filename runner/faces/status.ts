import type { Usage } from '../message.ts'
import type { Paint } from './colours.ts'
import type { Output } from './face.ts'
import { count, cut } from './shown.ts'

/** The one line at the end of the terminal that is written over while a run goes on. */
export interface Status {
  /** Counts a reply. */
  count(usage: Usage): void
  /** The reply that was counted last is being worked on. */
  running(what: string): Output[]
  /** The next reply is waited for. */
  waiting(what: string): Output[]
  /** Takes the line away, before something else is written. */
  hide(): Output[]
}

/** Back to the start of the line, and nothing behind it. */
const ERASE = '\r\u001B[2K'

export function createStatus(shown: boolean, columns: number, paint: Paint): Status {
  let turns = 0
  let tokens = 0
  let visible = ''
  const show = (turn: number, what: string): Output[] => {
    const line = cut(`  turn ${turn} · ${count(tokens, 'token')} · ${what}`, columns - 1)
    if (!shown || line === visible) return []
    visible = line
    return [{ to: 'stderr', text: `${ERASE}${paint.quiet(line)}` }]
  }
  return {
    running: (what) => show(turns, what),
    waiting: (what) => show(turns + 1, what),
    count(usage) {
      turns += 1
      tokens += usage.output_tokens
    },
    hide() {
      if (visible === '') return []
      visible = ''
      return [{ to: 'stderr', text: ERASE }]
    },
  }
}
