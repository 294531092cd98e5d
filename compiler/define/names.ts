import type { Located, Range } from '../../schemas/source.ts'
import { placesWithin, rangeWithin, type Node, type ScalarNode } from '../parse/node.ts'
import { refuse, type FieldReader, type Reading } from './reading.ts'

/**
 * Reads a list of names in every accepted spelling: a list, or one text with commas between the names.
 * Items that are no text are reported one by one and left out.
 */
export function nameList(key: string): FieldReader<Located<string>[]> {
  return (node, keyRange, reading) => {
    if (node.kind === 'list') return { value: node.items.flatMap((item) => itemNames(key, item, keyRange, reading)), range: node.range }
    if (node.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '') {
      return { value: split(node, reading), range: node.range }
    }
    return refuse(key, node, keyRange, reading, 'a list of names')
  }
}

function itemNames(key: string, item: Node, keyRange: Range, reading: Reading): Located<string>[] {
  if (item.kind === 'scalar' && typeof item.value === 'string' && item.value.trim() !== '') {
    const value = item.value.trim()
    const start = item.value.indexOf(value)
    return [{ value, range: rangeWithin(item, reading.file.text, start, start + value.length) }]
  }
  refuse(key, item, keyRange, reading, 'a list of names')
  return []
}

function split(node: ScalarNode, reading: Reading): Located<string>[] {
  const names: Located<string>[] = []
  const place = placesWithin(node, reading.file.text)
  for (const match of String(node.value).matchAll(/[^,\s](?:[^,]*[^,\s])?/g)) {
    names.push({ value: match[0], range: place(match.index, match.index + match[0].length) })
  }
  return names
}
