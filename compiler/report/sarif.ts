import type { Location, Log, ReportingDescriptor, Result, Run } from 'sarif'
import { sha256 } from '../../schemas/canonical.ts'
import { CODES, type Code } from '../../schemas/codes.ts'
import type { Diagnostic, Place } from '../../schemas/diagnostic.ts'
import type { Severity } from '../../schemas/diagnostic-severity.ts'
import { positionOf } from '../position.ts'
import { locationOf } from './location.ts'

const LEVEL = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<Severity, Result.level>

/**
 * SARIF 2.1.0, for code scanning (`build --format sarif`). The rules carry the documentation of `CODES`; a fingerprint survives
 * changes elsewhere in the file, because it is made of the code, the file and the text that the finding points at.
 */
export function sarifReport(diagnostics: readonly Diagnostic[], version: string): Log {
  const codes = [...new Set(diagnostics.map((item) => item.code))].sort()
  const seen = new Map<string, number>()
  const run: Run = {
    tool: { driver: { name: 'agentc', version, rules: codes.map(rule) } },
    columnKind: 'utf16CodeUnits',
    results: diagnostics.map((item) => result(item, codes.indexOf(item.code), seen)),
  }
  return { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
}

function rule(code: Code): ReportingDescriptor {
  const { severity, what, why, todo } = CODES[code]
  return {
    id: code,
    shortDescription: { text: what },
    fullDescription: { text: why },
    help: { text: todo, markdown: `${why}\n\n**What to do:** ${todo}` },
    defaultConfiguration: { level: LEVEL[severity] },
  }
}

function result({ code, severity, message, help, at, related, fix }: Diagnostic, ruleIndex: number, seen: Map<string, number>): Result {
  return {
    ruleId: code,
    ruleIndex,
    level: LEVEL[severity],
    message: { text: help === undefined ? message : `${message} ${help}` },
    locations: [location(at)],
    partialFingerprints: { 'agentc/v1': fingerprint(code, at, seen) },
    ...(related && { relatedLocations: related.map((other) => ({ ...location(other.at), message: { text: other.message } })) }),
    ...(fix && {
      fixes: [
        {
          description: { text: fix.title },
          artifactChanges: [
            {
              artifactLocation: { uri: uri(at) },
              replacements: fix.edits.map(({ range, text }) => ({ deletedRegion: region({ ...at, range }), insertedContent: { text } })),
            },
          ],
        },
      ],
    }),
  }
}

function location(at: Place): Location {
  return { physicalLocation: { artifactLocation: { uri: uri(at) }, ...(at.text !== '' && { region: region(at) }) } }
}

function region({ text, range: [start, end] }: Place): { startLine: number; startColumn: number; endLine: number; endColumn: number } {
  const [from, to] = [positionOf(text, start), positionOf(text, end)]
  return { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column }
}

/** A URI reference: what is no path character is percent-encoded. */
function uri({ origin }: Place): string {
  return locationOf(origin).split('/').map(encodeURIComponent).join('/')
}

/** Equal findings on equal text are counted, so that each has its own fingerprint. */
function fingerprint(code: Code, at: Place, seen: Map<string, number>): string {
  const key = JSON.stringify([code, at.origin.source, at.origin.path, at.text.slice(...at.range)])
  const count = (seen.get(key) ?? 0) + 1
  seen.set(key, count)
  return sha256(`${key}${count}`).slice('sha256:'.length)
}
