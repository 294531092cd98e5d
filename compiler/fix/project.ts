import { statSync } from 'node:fs'
import { join } from 'node:path'
import { textOf, writeAtomically } from '../emit/write.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { applyFixes } from './fix.ts'

const BOM = '\ufeff'
/** Stands where bytes were not UTF-8; writing such a text back would lose them. */
const REPLACEMENT = '\ufffd'

/**
 * Applies the safe fixes to the project's own files; those of other layers belong to somebody else and are only reported.
 * A file that changed since it was read is left alone. Returns how many fixes were applied.
 */
export function fixProject(diagnostics: readonly Diagnostic[], projectRoot: string): number {
  let applied = 0
  for (const [path, found] of byFile(diagnostics)) {
    const file = join(projectRoot, path)
    const before = textOf(file)
    const mark = before?.startsWith(BOM) ? BOM : ''
    if (before === undefined || before.includes(REPLACEMENT) || before.slice(mark.length) !== found[0]!.at.text) continue
    const fixed = applyFixes(found[0]!.at.text, found)
    if (fixed.applied > 0) writeAtomically(file, mark + fixed.text, { mode: statSync(file).mode & 0o777 })
    applied += fixed.applied
  }
  return applied
}

/** Findings with a fix, by file. A linked file is left alone: what it leads to may be no part of the project. */
function byFile(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
  const files = new Map<string, Diagnostic[]>()
  for (const item of diagnostics) {
    const { source, path, link, checkout } = item.at.origin
    if (!item.fix || source !== 'project' || link !== undefined || checkout !== undefined) continue
    const found = files.get(path)
    if (found) found.push(item)
    else files.set(path, [item])
  }
  return files
}
