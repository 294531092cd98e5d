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

/** How a value is called in a message. */
export function typeOf(node: Node): string {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'a map'
  if (node.value === null) return 'empty'
  return typeof node.value === 'boolean' ? 'a boolean' : `a ${typeof node.value}`
}

/**
 * Where a part of a string value stands in the file: `[start, end)` are offsets into `node.value`.
 * Written and read text differ only by quotes, escapes and folded white space, so both are walked side by side.
 */
export function rangeWithin(node: ScalarNode, source: string, start: number, end: number): Range {
  const value = String(node.value)
  const quoted = /["'|>]/.test(source[node.range[0]] ?? '') ? 1 : 0
  const first = node.range[0] + quoted
  if (source.startsWith(value, first)) return [first + start, first + end]
  let at = first
  let begin = first
  for (let i = 0; i < end; i++) {
    at = sourceOffset(source, at, value[i]!, node.range[1])
    if (i === start) begin = at
    at += 1
  }
  return [begin, Math.min(at, node.range[1])]
}

/** The next place at or after `at` where `char` was written; a blank may have been written as a line break or an escape. */
function sourceOffset(source: string, at: number, char: string, limit: number): number {
  let i = at
  if (/\s/.test(char)) return i
  while (i < limit && source[i] !== char) i += 1
  return Math.min(i, limit)
}
