import type { Range } from '../../schemas/source.ts'

/** A YAML or JSON value with the place of every part of it; every later stage reads positions from here and never searches for them. */
export type Node = ScalarNode | ListNode | MapNode

export interface ScalarNode {
  kind: 'scalar'
  value: string | number | boolean | null
  /** From the first character to after the last, quotes included. An empty value has the range of its key. */
  range: Range
}

export interface ListNode {
  kind: 'list'
  items: Node[]
  range: Range
}

export interface MapNode {
  kind: 'map'
  /** In written order, duplicates included. */
  entries: Entry[]
  range: Range
}

export interface Entry {
  key: string
  keyRange: Range
  value: Node
}

/** The entry that counts for a key: the last one written (measured.md "Loading"; a duplicate is reported when the file is parsed). */
export function entryOf(map: MapNode, key: string): Entry | undefined {
  return map.entries.findLast((entry) => entry.key === key)
}

/** The entries whose key stands before them already, each with the place where it stands first. */
export function repeatedKeys({ entries }: MapNode): (Entry & { first: Range })[] {
  const places = new Map<string, Range>()
  return entries.flatMap((entry) => {
    const first = places.get(entry.key)
    if (!first) places.set(entry.key, entry.keyRange)
    return first ? [{ ...entry, first }] : []
  })
}

/** The same value with every place in it as `to` has it. */
export function withRanges(node: Node, to: (range: Range) => Range): Node {
  const range = to(node.range)
  if (node.kind === 'scalar') return { ...node, range }
  if (node.kind === 'list') return { ...node, range, items: node.items.map((item) => withRanges(item, to)) }
  const entries = node.entries.map(({ key, keyRange, value }) => ({ key, keyRange: to(keyRange), value: withRanges(value, to) }))
  return { ...node, range, entries }
}

/** How a value is called in a message. */
export function typeOf(node: Node): string {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'a map'
  if (node.value === null) return 'empty'
  if (typeof node.value === 'string') return 'text'
  return typeof node.value === 'boolean' ? 'true or false' : 'a number'
}

/**
 * Where parts of a string value stand in the file: what it gives takes offsets `[start, end)` into `node.value`.
 * Written and read text differ only by quotes, escapes and folded white space, so both are walked side by side, once for all parts.
 * The parts of an alias are where the alias is.
 */
export function placesWithin(node: ScalarNode, source: string): (start: number, end: number) => Range {
  const value = String(node.value)
  const [from, limit] = node.range
  if (source.startsWith(value, from)) return (start, end) => [from + start, from + end]
  const style = source[from]!
  if (style === '*') return () => node.range
  const first = contentStart(source, from)
  if (source.startsWith(value, first) && style !== '|' && style !== '>') return (start, end) => [first + start, first + end]
  const begins: number[] = []
  const ends: number[] = []
  let at = first
  for (let i = 0; i < value.length; i++) {
    const begin = Math.min(written(source, at, value[i]!, limit, style), limit)
    at = Math.min(begin + unitLength(source, begin, style), limit)
    begins.push(begin)
    ends.push(at)
    if (!isWidePair(source, begin, style)) continue
    i += 1
    begins.push(begin)
    ends.push(at)
  }
  return (start, end) => [begins[start] ?? limit, ends[end - 1] ?? limit]
}

/** Where one part stands. */
export function rangeWithin(node: ScalarNode, source: string, start: number, end: number): Range {
  return placesWithin(node, source)(start, end)
}

/** Behind the opening quote, or behind the line of a block scalar's `|` or `>`. */
function contentStart(source: string, from: number): number {
  if (/["']/.test(source[from]!)) return from + 1
  if (!/[|>]/.test(source[from]!)) return from
  const feed = source.indexOf('\n', from)
  return feed < 0 ? source.length : feed + 1
}

/** The next place at or after `at` where `char` was written; a blank may have been written as a line break, any character as an escape. */
function written(source: string, at: number, char: string, limit: number, style: string): number {
  if (/\s/.test(char)) return at
  let i = at
  while (i < limit && source[i] !== char && !isEscape(source, i, style)) i += 1
  return i
}

/** An escape that stands for a character: one before a line break only joins two lines. */
function isEscape(source: string, at: number, style: string): boolean {
  return style === '"' && source[at] === '\\' && !/[\r\n]/.test(source[at + 1] ?? '\n')
}

/** An escape such as `\U0001F680` is written once and makes two units of the value. */
function isWidePair(source: string, at: number, style: string): boolean {
  return isEscape(source, at, style) && source[at + 1] === 'U' && Number.parseInt(source.slice(at + 2, at + 10), 16) > 0xffff
}

function unitLength(source: string, at: number, style: string): number {
  if (style === "'" && source.startsWith("''", at)) return 2
  if (!isEscape(source, at, style)) return 1
  return { x: 4, u: 6, U: 10 }[source[at + 1]!] ?? 2
}
