import type { Code } from './codes.ts'
import type { Severity } from './diagnostic-severity.ts'
import type { Origin, Range } from './source.ts'

/** What a finding points at: a file's origin with its text (for the frame), and offsets into that text. */
export interface Place {
  origin: Origin
  text: string
  range: Range
}

/** A replacement that is safe to apply without a person looking. Offsets are into the text of the finding's own file. */
export interface Fix {
  title: string
  edits: { range: Range; text: string }[]
}

/**
 * The one shape of everything agentc has to say about its input, from a YAML fault to a failed hash.
 * `message` is one sentence that names the thing; `help` is what a beginner can do about it.
 */
export interface Diagnostic {
  code: Code
  severity: Severity
  at: Place
  message: string
  help?: string
  related?: { message: string; at: Place }[]
  fix?: Fix
}
