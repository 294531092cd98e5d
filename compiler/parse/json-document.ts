import { parseTree, printParseErrorCode, type Node as JsonNode, type ParseError } from 'jsonc-parser'
import type { Range } from '../../schemas/source.ts'
import type { Entry, Node } from './node.ts'

export type JsonResult = { root: Node } | { fault: { message: string; range: Range } }

/** Reads strict JSON (no comments, no trailing commas) into nodes with ranges. Faults are values; an empty text is one. */
export function readJson(text: string): JsonResult {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  const first = errors[0]
  if (first) return { fault: { message: messageOf(first), range: [first.offset, first.offset + first.length] } }
  if (!tree) return { fault: { message: 'it is empty', range: [0, 0] } }
  return { root: nodeOf(tree) }
}

/** `PropertyNameExpected` becomes `property name expected`. */
function messageOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase()
}

function nodeOf(node: JsonNode): Node {
  const range: Range = [node.offset, node.offset + node.length]
  if (node.type === 'array') return { kind: 'list', items: (node.children ?? []).map(nodeOf), range }
  if (node.type === 'object') return { kind: 'map', entries: (node.children ?? []).flatMap(entryOf), range }
  return { kind: 'scalar', value: node.value as string | number | boolean | null, range }
}

function entryOf({ children }: JsonNode): Entry[] {
  const [key, value] = children ?? []
  if (!key || !value) return []
  return [{ key: String(key.value), keyRange: [key.offset, key.offset + key.length], value: nodeOf(value) }]
}
