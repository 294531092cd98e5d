import type { Compilation } from '../compile.ts'
import { changeLine } from '../diff/text.ts'
import { jsonDiagnostic } from '../report/json.ts'
import { prettyFinding } from '../report/pretty.ts'
import { printable, type Style } from '../report/style.ts'
import { countsOf, countsText } from '../report/summary.ts'
import type { Difference } from '../watch/compare.ts'
import { isAble, type Io } from './io.ts'

/** A compilation, and what it made different; nothing of that the first time. */
export interface Built {
  compilation: Compilation
  parsed: number
  difference?: Difference
}

/** What became of the manifest. */
export interface Fate {
  state: 'written' | 'unchanged' | 'kept'
  shown: string
  reason?: string
}

/** How `agentc watch` speaks: first the result, then what became of the manifest. */
export interface Voice {
  built: (built: Built) => void
  manifest: (fate: Fate) => void
}

/** An event a line. */
export function jsonVoice(io: Io): Voice {
  const say = (event: object): void => io.out(`${JSON.stringify(event)}\n`)
  return {
    built: ({ compilation: { diagnostics, resolution }, parsed, difference }) => {
      const { changes = [], fresh = diagnostics, gone = [] } = difference ?? {}
      const found = { new: fresh.map(jsonDiagnostic), gone: gone.map(jsonDiagnostic) }
      say({ event: difference ? 'changed' : 'ready', agents: resolution.agents.size, ...countsOf(diagnostics), parsed, changes, ...found })
    },
    manifest: ({ state, shown, reason }) => say({ event: 'manifest', state, file: shown, ...(reason !== undefined && { reason }) }),
  }
}

/** More findings than this would push the first ones off the screen. */
const SHOWN = 12
/** Clears the screen and what was scrolled off it. */
const CLEAR = '\x1b[2J\x1b[3J\x1b[H'

/** A short screen for a person, drawn anew each time on a terminal that can clear it. */
export function prettyVoice(style: Style, io: Io): Voice {
  return {
    built: ({ compilation: { diagnostics, resolution }, difference }) => {
      const count = resolution.agents.size
      const title = `${style('bold', `${count} agent${count === 1 ? '' : 's'}`)}: ${countsText(countsOf(diagnostics))}`
      const lines = difference ? differenceLines(difference, style) : findingLines(worst(diagnostics), style)
      io.out(`${isAble(io) ? CLEAR : ''}${[title, ...lines].join('\n')}\n`)
    },
    manifest: ({ state, shown, reason }) => io.out(`${fateLine(state, printable(shown), reason, style)}\n\n`),
  }
}

function fateLine(state: Fate['state'], shown: string, reason: string | undefined, style: Style): string {
  if (state === 'kept') return style('yellow', `${shown} stays as it is: ${reason}`)
  return style('dim', state === 'written' ? `wrote ${shown}` : `unchanged: ${shown}`)
}

function differenceLines({ changes, fresh, gone }: Difference, style: Style): string[] {
  const lines = changes.map((item) => (item.gain ? style(['bold', 'red'], printable(changeLine(item))) : printable(changeLine(item))))
  const mended = gone.map(({ code, message }) => `${style('green', 'gone')}${style('dim', `[${code}]`)} ${printable(message)}`)
  return [...shortened(lines, 'change'), ...findingLines(worst(fresh), style), ...shortened(mended, 'finding that is gone')]
}

function findingLines(items: Compilation['diagnostics'], style: Style): string[] {
  return shortened(
    items.map((item) => prettyFinding(item, style)),
    'finding',
  )
}

/** What is more than a screen is counted. */
function shortened(lines: string[], what: string): string[] {
  if (lines.length <= SHOWN) return lines
  return [...lines.slice(0, SHOWN), `… and ${lines.length - SHOWN} more of this (${what}); agentc build shows everything`]
}

const RANK = { error: 0, warning: 1, info: 2 }

function worst(items: Compilation['diagnostics']): Compilation['diagnostics'] {
  return items.toSorted((a, b) => RANK[a.severity] - RANK[b.severity])
}
