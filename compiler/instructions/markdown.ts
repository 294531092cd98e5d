import type { Range } from '../../schemas/source.ts'

/** `@path` in a text. */
export interface Mention {
  path: string
  /** From the `@` to the end of the path, offsets into the text. */
  range: Range
}

/** Instructions as text understood. */
export interface Understood {
  /** Without comments for people, and without blank lines around it. */
  body: string
  mentions: Mention[]
}

/**
 * In: Markdown, from an offset on. Out: what a model gets of it, and what it imports. Comments that begin a line are for people and go;
 * in code, in fences or between backticks, a comment stays and a path is only a word (claude-code-agents.md 11.1).
 */
export function understood(text: string, from = 0): Understood {
  const { comments, plain } = divided(text, from)
  let body = ''
  let at = from
  for (const [start, end] of comments) {
    body += text.slice(at, start)
    at = end
  }
  return { body: trimmed(body + text.slice(at)), mentions: mentionsIn(withoutSpans(plain)) }
}

interface Divided {
  comments: Range[]
  /** As long as the text, with blanks in the place of comments and fenced code. */
  plain: string
}

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?![^\n]*`)|~{3,})/

function divided(text: string, from: number): Divided {
  const comments: Range[] = []
  const hidden: Range[] = [[0, from]]
  const lastClose = text.lastIndexOf('-->')
  for (let at = from; at < text.length;) {
    const comment = at <= lastClose ? commentAt(text, at) : undefined
    if (comment) {
      comments.push(comment)
      at = comment[1]
      continue
    }
    const end = lineEnd(text, at)
    const fence = FENCE.exec(text.slice(at, end))?.[1]
    if (fence) hidden.push([at, fenceEnd(text, end, fence)])
    at = fence ? hidden.at(-1)![1] : end
  }
  return {
    comments,
    plain: blanked(
      text,
      [...hidden, ...comments].sort((a, b) => a[0] - b[0]),
    ),
  }
}

function lineEnd(text: string, at: number): number {
  const feed = text.indexOf('\n', at)
  return feed < 0 ? text.length : feed + 1
}

/** A comment that begins here, after blanks at most; one that stands alone takes its line along. One without an end is text. */
function commentAt(text: string, at: number): Range | undefined {
  const open = /^ {0,3}<!--/.exec(text.slice(at, at + 7))
  const close = open ? text.indexOf('-->', at + open[0].length) : -1
  if (close < 0) return undefined
  const end = close + 3
  const alone = (at === 0 || text[at - 1] === '\n') && text.slice(end, lineEnd(text, end)).trim() === ''
  return [at, alone ? lineEnd(text, end) : end]
}

/** Code that is never closed goes on to the end. */
function fenceEnd(text: string, from: number, fence: string): number {
  for (let at = from; at < text.length; at = lineEnd(text, at)) {
    const line = text
      .slice(at, lineEnd(text, at))
      .replace(/^[ \t>]+/, '')
      .trimEnd()
    if (line.length >= fence.length && line === fence[0]!.repeat(line.length)) return lineEnd(text, at)
  }
  return text.length
}

function blanked(text: string, ranges: readonly Range[]): string {
  let result = ''
  let at = 0
  for (const [start, end] of ranges) {
    result += text.slice(at, start) + text.slice(Math.max(at, start), end).replaceAll(/[^\n]/g, ' ')
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}

/** Without what stands between backticks: a span ends at the next run of as many, within its paragraph. */
function withoutSpans(text: string): string {
  const runs = [...text.matchAll(/`+|\n[ \t]*(?=\n)/g)]
  const next = new Map<number, number>()
  const partner: (number | undefined)[] = []
  for (let i = runs.length - 1; i >= 0; i--) {
    const [run] = runs[i]!
    if (!run.startsWith('`')) next.clear()
    else {
      partner[i] = next.get(run.length)
      next.set(run.length, i)
    }
  }
  const spans: Range[] = []
  for (let i = 0; i < runs.length; i++) {
    const end = partner[i]
    if (end === undefined) continue
    spans.push([runs[i]!.index, runs[end]!.index + runs[end]![0].length])
    i = end
  }
  return blanked(text, spans)
}

/** What may stand behind a path in a sentence. */
const AROUND = new Set('.,;:!?)]}>\'"*_')

/** A path ends at the first blank that has no backslash before it; the punctuation of the sentence around it is no part of it. */
function mentionsIn(text: string): Mention[] {
  return [...text.matchAll(/(?<!\S)@((?:\\ |\S)+)/g)].flatMap(({ 1: raw, index }) => {
    let end = raw!.length
    while (end > 0 && AROUND.has(raw![end - 1]!)) end -= 1
    const written = raw!.slice(0, end)
    if (written === '' || /^['"(]/.test(written)) return []
    return [{ path: written.replaceAll('\\ ', ' '), range: [index, index + 1 + written.length] as const }]
  })
}

/** Line ends become `\n`, blank lines around the text go. */
function trimmed(text: string): string {
  const lines = text.replaceAll('\r\n', '\n')
  return lines.slice(lines.lastIndexOf('\n', Math.max(0, lines.search(/\S/))) + 1).trimEnd()
}
