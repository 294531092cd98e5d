import { CODES, type Code } from '../../schemas/codes.ts'
import type { Diagnostic, Place } from '../../schemas/diagnostic.ts'
import type { Origin } from '../../schemas/source.ts'

/** Makes a finding at the severity that the table `CODES` gives its code. */
export function finding(code: Code, at: Place, message: string, more: Pick<Diagnostic, 'help' | 'related' | 'fix'> = {}): Diagnostic {
  return { code, severity: CODES[code].severity, at, message, ...more }
}

/** The place of what has no text to point into: a folder, or a file that was not read or not understood. */
export function wholeFile(origin: Origin, text = ''): Place {
  return { origin, text, range: [0, 0] }
}
