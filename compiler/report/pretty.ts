import type { Diagnostic, Place } from '../../schemas/diagnostic.ts'
import type { Severity } from '../../schemas/diagnostic-severity.ts'
import { positionOf } from '../position.ts'
import { frame } from './frame.ts'
import { locationOf } from './location.ts'
import { printable, type Style } from './style.ts'

const LOOK = { error: 'red', warning: 'yellow', info: 'cyan' } as const satisfies Record<Severity, string>

/** A finding as a person reads it: what, where with a caret, related places, and what to do. */
export function prettyFinding({ code, severity, message, help, at, related }: Diagnostic, style: Style): string {
  const lines = [`${style(LOOK[severity], severity)}${style('dim', `[${code}]`)} ${printable(message)}`, ...place(at, style)]
  for (const other of related ?? []) lines.push(`  ${style('dim', 'note:')} ${printable(other.message)}`, ...place(other.at, style))
  if (help !== undefined) lines.push(`  ${style('green', 'help:')} ${printable(help)}`)
  return `${lines.join('\n')}\n`
}

/** `file:line:column`, as terminals and editors make a link of it. */
export function placeText({ origin, text, range }: Place): string {
  if (text === '') return printable(locationOf(origin))
  const { line, column } = positionOf(text, range[0])
  return `${printable(locationOf(origin))}:${line}:${column}`
}

function place(at: Place, style: Style): string[] {
  const framed = frame(at, style) ?? []
  return [`  ${style('dim', '-->')} ${placeText(at)}`, ...framed.map((line) => `  ${line}`)]
}
