import { parseTree, printParseErrorCode, type Node as JsonNode, type ParseError } from 'jsonc-parser'
import type { Range } from '../../schemas/source.ts'
import type { Entry, Node } from './node.ts'

export type JsonResult = { root: Node } | { fault: { message: string; range: Range } }

/**
 * Reads strict JSON (no comments, no trailing commas) into nodes with ranges. Faults are values; an empty text is one.
 * Ranges count from `offset`, for a part of a larger text.
 */
export function readJson(text: string, offset = 0): JsonResult {
  if (isTooDeep(text)) return { fault: { message: 'it is nested too deeply', range: [offset, offset] } }
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  const first = errors[0]
  if (first) return { fault: { message: messageOf(first), range: rangeOf(first, offset) } }
  if (!tree) return { fault: { message: 'it is empty', range: [offset, offset] } }
  return { root: nodeOf(tree, offset) }
}

function rangeOf({ offset, length }: { offset: number; length: number }, base: number): Range {
  return [base + offset, base + offset + length]
}

/** Deeper than this is no one's settings, but an attempt to exhaust a reader that calls itself. */
const DEPTH_LIMIT = 200
const STRUCTURE = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[[{]|[\]}]/g

function isTooDeep(text: string): boolean {
  let depth = 0
  for (const [part] of text.matchAll(STRUCTURE)) {
    if (part === '[' || part === '{') depth += 1
    else if (part === ']' || part === '}') depth -= 1
    if (depth > DEPTH_LIMIT) return true
  }
  return false
}

/** `PropertyNameExpected` becomes `property name expected`. */
function messageOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase()
}

function nodeOf(node: JsonNode, base: number): Node {
  const range = rangeOf(node, base)
  const children = node.children ?? []
  if (node.type === 'array') return { kind: 'list', items: children.map((child) => nodeOf(child, base)), range }
  if (node.type === 'object') return { kind: 'map', entries: children.flatMap((child) => entryOf(child, base)), range }
  return { kind: 'scalar', value: node.value as string | number | boolean | null, range }
}

function entryOf({ children }: JsonNode, base: number): Entry[] {
  const [key, value] = children ?? []
  if (!key || !value) return []
  return [{ key: String(key.value), keyRange: rangeOf(key, base), value: nodeOf(value, base) }]
}
