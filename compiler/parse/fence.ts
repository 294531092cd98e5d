import type { Range } from '../../schemas/source.ts'

/** How a Markdown file is divided. Offsets are into the file's text. */
export type Division =
  | { kind: 'frontmatter'; yaml: Range; open: Range; bodyStart: number }
  /** An opening fence and no closing one. */
  | { kind: 'unclosed'; open: Range }
  /** `---js` and the like: another language, which must never be run. */
  | { kind: 'language'; open: Range; language: string }
  /** A fenced block that does not begin on the first line. */
  | { kind: 'late'; open: Range }
  | { kind: 'none' }

const OPEN = /^---[ \t]*(?:\r?\n|$)/
const CLOSE = /^---[ \t]*(?:\r?\n|$)/gm
const INDENTED_CLOSE = /^[ \t]+---[ \t]*(?:\r?\n|$)/gm
const LANGUAGE = /^---[ \t]*([A-Za-z][\w.+-]*)[ \t]*(?=\r?\n|$)/
/** How far into a file a misplaced frontmatter is looked for, in UTF-16 units. */
const LATE_WINDOW = 4000
const LATE =
  /^[ \t]*---[ \t]*\r?\n(?=(?:[^\n]*\n)*?[ \t]*name:)(?=(?:[^\n]*\n)*?[ \t]*description:)(?:(?![ \t]*---)[^\n]*\n)+[ \t]*---[ \t]*(?:\r?\n|$)/m

/**
 * Divides a file into frontmatter and body. A fence is a line of its own: three dashes at its start, blanks behind them allowed
 * (design 7; measured.md "Loading"). Where no such line closes the block, an indented one does, as measured.
 */
export function divide(text: string): Division {
  const open = OPEN.exec(text)
  if (!open) return withoutFence(text)
  const start = open[0].length
  const close = find(CLOSE, text, start) ?? find(INDENTED_CLOSE, text, start)
  if (!close) return { kind: 'unclosed', open: [0, 3] }
  return { kind: 'frontmatter', open: [0, 3], yaml: [start, close.index], bodyStart: close.index + close[0].length }
}

function withoutFence(text: string): Division {
  const language = LANGUAGE.exec(text)
  if (language) return { kind: 'language', open: [0, language[0].length], language: language[1]! }
  const late = LATE.exec(text.slice(0, LATE_WINDOW))
  if (!late || text.slice(0, late.index).includes('```')) return { kind: 'none' }
  const at = late.index + late[0].indexOf('---')
  return { kind: 'late', open: [at, at + 3] }
}

function find(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from
  return pattern.exec(text)
}

/** The body as a prompt: line ends become `\n`, blank lines around it go, everything else stays (design 7). */
export function promptOf(text: string, bodyStart: number): string {
  const body = text.slice(bodyStart)
  const lines = body.includes('\r') ? body.replaceAll('\r\n', '\n') : body
  const begin = /^(?:[ \t]*\n)*/.exec(lines)![0].length
  let end = lines.length
  for (;;) {
    const breakAt = lines.lastIndexOf('\n', end - 1)
    if (breakAt < begin || lines.slice(breakAt, end).trim() !== '') break
    end = breakAt
  }
  const prompt = lines.slice(begin, end)
  return prompt.trim() === '' ? '' : prompt
}
