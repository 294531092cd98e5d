import { CODES, type Code } from '../../schemas/codes.ts'
import type { Diagnostic, Place } from '../../schemas/diagnostic.ts'

/** Makes a finding at the severity that the table `CODES` gives its code. */
export function finding(code: Code, at: Place, message: string, more: Pick<Diagnostic, 'help' | 'related' | 'fix'> = {}): Diagnostic {
  return { code, severity: CODES[code].severity, at, message, ...more }
}
