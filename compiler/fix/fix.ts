import type { Diagnostic, Fix } from '../../schemas/diagnostic.ts'

/** Text after its fixes, and how many of them were applied. */
export interface Fixed {
  text: string
  applied: number
}

/**
 * Applies the fixes of one file's findings to its text. Fixes that overlap an earlier one are left for the next round, and so is
 * a second fix at the same place: each fix was made for the text as it is. Offsets are those of the findings.
 */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[]): Fixed {
  const chosen: Fix['edits'] = []
  let applied = 0
  for (const { fix } of diagnostics) {
    if (!fix || fix.edits.some((edit) => chosen.some((other) => overlaps(edit.range, other.range)))) continue
    chosen.push(...fix.edits)
    applied += 1
  }
  const fromTheEnd = chosen.toSorted((a, b) => b.range[0] - a.range[0])
  return {
    text: fromTheEnd.reduce((result, { range, text: by }) => result.slice(0, range[0]) + by + result.slice(range[1]), text),
    applied,
  }
}

function overlaps([a, b]: readonly [number, number], [c, d]: readonly [number, number]): boolean {
  return (a < d && c < b) || a === c
}
