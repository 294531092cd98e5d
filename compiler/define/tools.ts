import type { Range } from '../../schemas/source.ts'
import * as say from '../findings/tool.ts'
import { placesWithin, typeOf, type Node, type ScalarNode } from '../parse/node.ts'
import type { ToolEntry, ToolSelector } from './definition.ts'
import { pointAt, type Reading } from './reading.ts'

/**
 * Reads `tools`: absent or `*` is everything, nothing written is no tool at all, else only these (M3; measured.md "Tools of a sub-agent").
 * A value of a wrong type grants nothing, as measured, and is an error.
 */
export function toolSelector(node: Node | undefined, keyRange: Range, reading: Reading): ToolSelector {
  if (!node) return { kind: 'all' }
  const entries = toolEntries('tools', node, keyRange, reading)
  const wildcard = entries.find((entry) => entry.text === '*')
  if (!wildcard) return { kind: 'only', entries }
  const others = entries.filter((entry) => entry.text !== '*')
  if (others.length > 0)
    reading.found.push(
      say.wildcardMix(
        reading.file,
        wildcard.range,
        others.map((entry) => entry.text),
      ),
    )
  return { kind: 'all' }
}

/** Reads `tools` or `disallowedTools` into entries: text with commas, blanks or bars between them, or a list. */
export function toolEntries(key: string, node: Node, keyRange: Range, reading: Reading): ToolEntry[] {
  if (node.kind === 'list') return node.items.flatMap((item) => itemEntries(key, item, keyRange, reading))
  if (node.kind === 'scalar' && (node.value === null || (typeof node.value === 'string' && node.value.trim() === ''))) {
    if (key === 'tools') reading.found.push(say.emptyTools(reading.file, keyRange))
    return []
  }
  if (node.kind === 'scalar' && typeof node.value === 'string') return textEntries(key, node, reading)
  reading.found.push(say.toolsType(reading.file, pointAt(node, keyRange, reading.file), key, typeOf(node)))
  return []
}

function itemEntries(key: string, item: Node, keyRange: Range, reading: Reading): ToolEntry[] {
  if (item.kind === 'scalar' && typeof item.value === 'string') return split(item, reading)
  reading.found.push(say.toolItemType(reading.file, pointAt(item, keyRange, reading.file), key, typeOf(item)))
  return []
}

function textEntries(key: string, node: ScalarNode, reading: Reading): ToolEntry[] {
  if (/^\s*\[[^]*\]\s*$/.test(String(node.value))) {
    reading.found.push(say.jsonInString(reading.file, node.range, key))
    return []
  }
  return split(node, reading)
}

/** Commas, blanks and bars divide entries, but not inside brackets: `Agent(a, b)` is one (measured.md, cases 16 and 46). */
function split(node: ScalarNode, reading: Reading): ToolEntry[] {
  const entries: ToolEntry[] = []
  const place = placesWithin(node, reading.file.text)
  for (const match of String(node.value).matchAll(/[^\s,|()]*\([^)]*\)?[^\s,|]*|[^\s,|]+/g)) {
    entries.push(entry(match[0], place(match.index, match.index + match[0].length)))
  }
  return entries
}

function entry(text: string, range: Range): ToolEntry {
  const match = /^([^()]+)\(([^]*)\)$/.exec(text)
  if (!match) return { text, name: text, range }
  const specifier = match[2]!.trim()
  return specifier === '' || specifier === '*' ? { text, name: match[1]!, range } : { text, name: match[1]!, specifier, range }
}
