import { pathRule, ruleFrontmatter } from '../findings/instructions.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { divide } from '../parse/fence.ts'
import { entryOf, type Node } from '../parse/node.ts'
import { readSubset } from '../parse/subset.ts'
import type { SourceFile } from '../source-file.ts'

/** A rule with its frontmatter taken off. */
export interface Rule {
  /** Where its text begins. */
  bodyStart: number
  /** It is for some files only. */
  scoped: boolean
  diagnostics: Diagnostic[]
}

/**
 * Reads the frontmatter of a file in `rules`, of which only `paths` counts (code.claude.com, "memory"). One that cannot be read is left out
 * and the rule holds for all files; a file without one is all text.
 */
export async function readRule(file: SourceFile): Promise<Rule> {
  const division = divide(file.text)
  if (division.kind !== 'frontmatter') return { bodyStart: 0, scoped: false, diagnostics: [] }
  const { yaml, bodyStart, open } = division
  const root = readSubset(file.text, yaml) ?? (await import('../parse/frontmatter.ts')).readFrontmatter(file, yaml).root
  if (!root) return { bodyStart, scoped: false, diagnostics: [ruleFrontmatter(file, open)] }
  const paths = entryOf(root, 'paths')
  if (!paths || !namesSome(paths.value)) return { bodyStart, scoped: false, diagnostics: [] }
  return { bodyStart, scoped: true, diagnostics: [pathRule(file, paths.keyRange)] }
}

/** A list of patterns, or some in one text with commas between them. */
function namesSome(value: Node): boolean {
  if (value.kind === 'list') return value.items.some(namesSome)
  return value.kind === 'scalar' && typeof value.value === 'string' && value.value.replaceAll(',', '').trim() !== ''
}
