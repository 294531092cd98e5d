import type { Range } from '../../schemas/source.ts'
import type { MapNode, Node } from '../parse/node.ts'

/**
 * What findings may show of a file with servers: nothing outside the part that was read, and in it no value of `env` and `headers`, which
 * are the places for secrets; references such as `${TOKEN}` stay. Every other character becomes a blank, so that offsets and lines hold.
 */
export function shownText(text: string, [start, end]: Range, root: Node): string {
  const hidden = root.kind === 'map' ? root.entries.flatMap(({ value }) => (value.kind === 'map' ? valuesOf(value) : [])) : []
  let result = blank(text.slice(0, start))
  let at = start
  for (const [from, to] of hidden.sort((a, b) => a[0] - b[0])) {
    if (from < at) continue
    result += `${text.slice(at, from + 1)}${text.slice(from + 1, to - 1).replaceAll(NOT_A_REFERENCE, covered)}`
    at = to - 1
  }
  return result + text.slice(at, end) + blank(text.slice(end))
}

function valuesOf({ entries }: MapNode): Range[] {
  return entries.flatMap(({ key, value }) => {
    if ((key !== 'env' && key !== 'headers') || value.kind !== 'map') return []
    return value.entries.flatMap((pair) => (pair.value.range[1] - pair.value.range[0] > 2 ? [pair.value.range] : []))
  })
}

const NOT_A_REFERENCE = /\$\{\w+\}|[^\r\n$]+|\$/g

function covered(part: string): string {
  return part.startsWith('${') ? part : '*'.repeat(part.length)
}

function blank(text: string): string {
  return text.replace(/[^\r\n]+/g, (line) => ' '.repeat(line.length))
}
