import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import * as say from '../findings/settings.ts'
import type { Entry, MapNode, Node } from '../parse/node.ts'
import type { SourceFile } from '../source-file.ts'
import type { Written } from './settings.ts'

/** One settings file while it is read: everything that is wrong in it is collected. */
export interface FileReading {
  file: SourceFile
  found: Diagnostic[]
}

/** Reads the value of one key; a value of a wrong type is reported and gives nothing. */
export type ValueReader<T> = (entry: Entry, reading: FileReading) => T | undefined

/** The place to point at: a value on one line, else the key. */
export function pointAt({ value, keyRange }: Entry, { file }: FileReading): Range {
  return file.text.slice(...value.range).includes('\n') ? keyRange : value.range
}

export function refuse(entry: Entry, reading: FileReading, expected: string, restricts = false): undefined {
  const tell = restricts ? say.lostValue : say.invalidValue
  reading.found.push(tell(reading.file, pointAt(entry, reading), entry.key, expected))
}

/** `true` or `false`; a switch that restricts and is neither is an error. */
export function flag(restricts = false): ValueReader<Written<boolean>> {
  return (entry, reading) => {
    const { value } = entry
    if (value.kind === 'scalar' && typeof value.value === 'boolean') return { value: value.value, file: reading.file, range: value.range }
    return refuse(entry, reading, 'true or false', restricts)
  }
}

export const text: ValueReader<Written<string>> = (entry, reading) => {
  const { value } = entry
  if (value.kind === 'scalar' && typeof value.value === 'string' && value.value.trim() !== '')
    return { value: value.value, file: reading.file, range: value.range }
  return refuse(entry, reading, 'a text')
}

/** A list of texts; items of another type are reported one by one and left out. */
export const texts: ValueReader<Written<string>[]> = (entry, reading) => {
  if (entry.value.kind !== 'list') return refuse(entry, reading, 'a list of texts')
  return entry.value.items.flatMap((item) => {
    if (isText(item)) return [{ value: item.value, file: reading.file, range: item.range }]
    reading.found.push(say.invalidValue(reading.file, item.range, entry.key, 'a list of texts only'))
    return []
  })
}

export function isText(node: Node): node is Node & { kind: 'scalar'; value: string } {
  return node.kind === 'scalar' && typeof node.value === 'string'
}

/** The entries of a map by key, the last one of each; an earlier one of the same key is reported. */
export function entriesOf(map: MapNode, { file, found }: FileReading): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const entry of map.entries) {
    const first = entries.get(entry.key)
    if (first) found.push(say.duplicateKey(file, entry.keyRange, entry.key, first.keyRange))
    entries.set(entry.key, entry)
  }
  return entries
}
