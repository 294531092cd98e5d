import type { Range } from '../../schemas/source.ts'

/** Looking for one part of a JSON text without understanding the rest: `.claude.json` may be many megabytes, and most of it is nobody's business. */

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * In: a JSON text, and keys that lead into it. Out: the range of the value they lead to; of equal keys the last counts, as for every reader
 * of JSON. Nothing if it is not there, or the text is no JSON on the way to it.
 */
export function sectionOf(text: string, keys: readonly string[]): Range | undefined {
  let range: Range | undefined = [0, text.length]
  for (const key of keys) {
    range = range && memberOf(text, range[0], key)
    if (!range) return undefined
  }
  return range
}

/** The value of a member of the object that begins at or after `from`. */
function memberOf(text: string, from: number, wanted: string): Range | undefined {
  let at = afterBlanks(text, from)
  if (text[at] !== '{') return undefined
  let found: Range | undefined
  for (at = afterBlanks(text, at + 1); text.charCodeAt(at) === QUOTE; at = afterBlanks(text, at + 1)) {
    const keyEnd = afterString(text, at)
    const key = keyIn(text.slice(at, keyEnd))
    at = afterBlanks(text, keyEnd)
    if (text[at] !== ':') return found
    const start = afterBlanks(text, at + 1)
    const end = afterValue(text, start)
    if (key === wanted) found = [start, end]
    at = afterBlanks(text, end)
    if (text[at] !== ',') return found
  }
  return found
}

function keyIn(text: string): string | undefined {
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}

const BLANKS = /[ \t\r\n]*/y

function afterBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at
  BLANKS.test(text)
  return BLANKS.lastIndex
}

/** In: the offset of an opening quote. Out: the one after the closing quote. */
function afterString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end + 1
  }
  return text.length
}

const STRUCTURE = /["[\]{},]/g

/** The end of the value at an offset: brackets are counted, strings skipped. A number or a word ends before what follows it. */
function afterValue(text: string, from: number): number {
  if (text.charCodeAt(from) === QUOTE) return afterString(text, from)
  let depth = 0
  STRUCTURE.lastIndex = from
  for (let match = STRUCTURE.exec(text); match; match = STRUCTURE.exec(text)) {
    const [char] = match
    if (char === '"') STRUCTURE.lastIndex = afterString(text, match.index)
    else if (char === '[' || char === '{') depth += 1
    else if (depth === 0) return match.index
    else if (char !== ',' && --depth === 0) return match.index + 1
  }
  return text.length
}
