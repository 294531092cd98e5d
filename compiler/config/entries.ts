import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { didYouMean } from '../../schemas/near.ts'
import * as say from '../findings/config.ts'
import { readJson } from '../parse/json-document.ts'
import { typeOf, type Entry, type MapNode } from '../parse/node.ts'
import type { SourceFile } from '../source-file.ts'

/** The entries of one configuration file by their keys; nothing of one that is no JSON object. */
export function topEntries(file: SourceFile, keys: readonly string[], found: Diagnostic[]): Map<string, Entry> {
  const result = readJson(file.text)
  if (!('fault' in result) && result.root.kind === 'map') return knownEntries(result.root, keys, file, found)
  const wrong = 'fault' in result ? result.fault : { range: result.root.range, message: `it is ${typeOf(result.root)}` }
  const [start] = wrong.range
  found.push(say.configNotJson(file, [start, Math.min(start + 1, file.text.length)], wrong.message))
  return new Map()
}

/** The entries of a map whose keys are known; every other is reported. */
export function knownEntries(map: MapNode, keys: readonly string[], file: SourceFile, found: Diagnostic[]): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const entry of map.entries) {
    const { key, keyRange } = entry
    if (keys.includes(key) && !entries.has(key)) entries.set(key, entry)
    else if (key !== '$schema')
      found.push(say.unknownConfigKey(file, keyRange, key, entries.has(key) ? undefined : didYouMean(key, keys), keys))
  }
  return entries
}
