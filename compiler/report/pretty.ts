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

/** So many infos of one code are shown whole; who has seen these needs only the places of the others. */
const WHOLE_INFOS = 5

/** All findings, one after the other. From the sixth on, infos of the same code take one line each: a big project has hundreds of them. */
export function prettyFindings(diagnostics: readonly Diagnostic[], style: Style): string {
  const seen = new Map<string, number>()
  let text = ''
  let wasBrief = false
  for (const item of diagnostics) {
    const count = (seen.get(item.code) ?? 0) + 1
    seen.set(item.code, count)
    const isBrief = item.severity === 'info' && count > WHOLE_INFOS
    if (wasBrief && !isBrief) text += '\n'
    text += isBrief ? `${briefFinding(item, style)}\n` : `${prettyFinding(item, style)}\n`
    wasBrief = isBrief
  }
  return wasBrief ? `${text}\n` : text
}

function briefFinding({ code, severity, message, at }: Diagnostic, style: Style): string {
  return `${style(LOOK[severity], severity)}${style('dim', `[${code}]`)} ${placeText(at)} ${printable(message)}`
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
