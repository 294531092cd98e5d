import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import type { BuildReport, JsonDiagnostic } from '../../schemas/shapes/output.ts'
import { positionOf } from '../position.ts'
import { locationOf } from './location.ts'
import { countsOf } from './summary.ts'

/** The report of `build --format json`; its shape is `schemas/report.schema.json`. Lines and columns from 1, columns in UTF-16 units. */
export function jsonReport(diagnostics: readonly Diagnostic[], agents: number): BuildReport {
  const { errors, warnings, infos } = countsOf(diagnostics)
  return { diagnostics: diagnostics.map(jsonDiagnostic), summary: { agents, errors, warnings, infos } }
}

export function jsonDiagnostic({ code, severity, message, help, at, related, fix }: Diagnostic): JsonDiagnostic {
  return {
    code,
    severity,
    message,
    ...(help !== undefined && { help }),
    file: locationOf(at.origin),
    range: rangeOf(at.text, at.range),
    ...(related && {
      related: related.map((item) => ({
        message: item.message,
        file: locationOf(item.at.origin),
        range: rangeOf(item.at.text, item.at.range),
      })),
    }),
    ...(fix && { fix: { title: fix.title, edits: fix.edits.map(({ range, text }) => ({ range: rangeOf(at.text, range), text })) } }),
  }
}

function rangeOf(text: string, [start, end]: Range): JsonDiagnostic['range'] {
  return { start: positionOf(text, start), end: positionOf(text, end) }
}
