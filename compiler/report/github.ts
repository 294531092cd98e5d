import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Severity } from '../../schemas/diagnostic-severity.ts'
import { positionOf } from '../position.ts'
import { locationOf } from './location.ts'
import { printable } from './style.ts'

/** What GitHub calls our levels. */
const LEVEL: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice' }

/** Workflow commands, a line each, which GitHub shows beside the lines of a pull request (`build --format github`). */
export function githubReport(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((item) => `${command(item)}\n`).join('')
}

function command({ severity, code, message, help, at }: Diagnostic): string {
  const start = positionOf(at.text, at.range[0])
  const end = positionOf(at.text, at.range[1])
  const columns = start.line === end.line ? `,col=${start.column},endColumn=${end.column}` : `,col=${start.column}`
  const properties = `file=${property(locationOf(at.origin))},line=${start.line},endLine=${end.line}${columns},title=${property(code)}`
  return `::${LEVEL[severity]} ${properties}::${data(help === undefined ? message : `${message} ${help}`)}`
}

/** Percent, line ends and, in properties, the separators have to be escaped. */
export function data(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

export function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
