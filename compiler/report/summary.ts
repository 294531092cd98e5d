import type { Diagnostic } from '../../schemas/diagnostic.ts'

export interface Counts {
  errors: number
  warnings: number
  infos: number
}

export function countsOf(diagnostics: readonly Diagnostic[]): Counts {
  const counts: Counts = { errors: 0, warnings: 0, infos: 0 }
  for (const { severity } of diagnostics) {
    if (severity === 'error') counts.errors += 1
    else if (severity === 'warning') counts.warnings += 1
    else counts.infos += 1
  }
  return counts
}

/** `2 errors, 1 warning`; `no findings` when there are none. */
export function countsText({ errors, warnings, infos }: Counts): string {
  const parts = [count(errors, 'error'), count(warnings, 'warning'), count(infos, 'info')].filter((part) => part !== '')
  return parts.length === 0 ? 'no findings' : parts.join(', ')
}

function count(number: number, word: string): string {
  return number === 0 ? '' : `${number} ${word}${number === 1 ? '' : 's'}`
}
