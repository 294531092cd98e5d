import type { Diagnostic } from '../../schemas/diagnostic.ts'
import * as say from '../findings/security.ts'
import type { ParsedDocument } from '../parse/parse.ts'
import type { SourceFile } from '../source-file.ts'
import { hiddenIn } from './invisible.ts'

/** What a file hides or gives away, whatever kind it is (issue 4, item 10). */
export function checkFile(file: SourceFile): Diagnostic[] {
  return [...secrets(file), ...invisible(file)]
}

/** The text is hidden already (`secret/mask.ts`); here it is said that it was there. */
function secrets(file: SourceFile): Diagnostic[] {
  return (file.secrets ?? []).map(({ kind, range }) => say.plainSecret(file, range, kind))
}

/** One finding a file: a text that was pasted with such characters has many of them. */
function invisible(file: SourceFile): Diagnostic[] {
  const hidden = hiddenIn(file.text)
  return hidden.length > 0 ? [say.invisibleText(file, hidden)] : []
}

/** The same of a file of agents, and what its body pretends to be. */
export function checkDocument(document: ParsedDocument): Diagnostic[] {
  return [...checkFile(document.file), ...checkBody(document)]
}

/** A body that begins with another frontmatter: whoever reads the file takes its restrictions for real. */
function checkBody({ file, root, bodyStart }: ParsedDocument): Diagnostic[] {
  if (!root || file.form !== 'markdown') return []
  const start = bodyStart + /^\s*/.exec(file.text.slice(bodyStart))![0].length
  return SECOND.test(file.text.slice(start, start + WINDOW)) ? [say.secondFrontmatter(file, [start, start + 3])] : []
}

/** How far a second frontmatter is looked for. */
const WINDOW = 4000
/** Three dashes, lines that are keys, items or indented, a `name:` or `description:` among them, three dashes. */
const SECOND = /^---[ \t]*\r?\n(?=(?:[^\n]*\n)*?(?:name|description):)(?:(?:[\w-]+:|[ \t]+|- |#)[^\n]*\n|[ \t]*\r?\n)*---[ \t]*(?:\r?\n|$)/
