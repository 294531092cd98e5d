import type { Located, Range } from '../../schemas/source.ts'
import { NAME_LIMIT } from '../../schemas/values.ts'
import * as say from '../findings/field.ts'
import { entryOf, typeOf, type MapNode } from '../parse/node.ts'
import { pointAt, shown, type Reading } from './reading.ts'

/** The name of the file without folder and ending: what a plugin agent is called, and what we suggest to others. */
export function fileStem(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '')
}

/** Keys by which a file shows that it means to be an agent; a document has a title and a date. */
const AGENT_MARKS = ['tools', 'disallowedTools', 'model', 'permissionMode', 'maxTurns', 'mcpServers', 'color', 'effort']

/**
 * Reads the name: text, NFC-normalised, no `:` but the plugin's own, no control characters, not beginning with `-`, at most 256 characters
 * (design 7; claude-code-agents.md 2.1). Without one a file is a document, unless a plugin names it by its file.
 */
export function nameOf(root: MapNode, reading: Reading): Located<string> | undefined {
  const entry = entryOf(root, 'name')
  const { file } = reading
  if (!entry && file.origin.source === 'plugin') return qualified({ value: fileStem(file.origin.path), range: [0, 0] }, reading)
  if (!entry) return unnamed(root, reading)
  const { value, keyRange } = entry
  if (value.kind === 'scalar' && (value.value === null || value.value === '')) {
    reading.found.push(say.missingName(file, value.range, fileStem(file.origin.path)))
    return undefined
  }
  if (value.kind !== 'scalar' || typeof value.value !== 'string') {
    reading.found.push(say.nameType(file, pointAt(value, keyRange, file), typeOf(value)))
    return undefined
  }
  return checked({ value: value.value.normalize('NFC'), range: value.range }, reading)
}

function unnamed(root: MapNode, reading: Reading): undefined {
  const marks = AGENT_MARKS.filter((key) => entryOf(root, key))
  const meansToBe = root.entries.length === 0 || (marks.length > 0 && entryOf(root, 'description')) || marks.length > 1
  const capital = root.entries.some((entry) => entry.key.toLowerCase() === 'name')
  if (meansToBe && !capital) reading.found.push(say.missingName(reading.file, [0, 3], fileStem(reading.file.origin.path)))
}

function checked(name: Located<string>, reading: Reading): Located<string> | undefined {
  const fault = nameFault(name.value)
  if (fault === undefined) return qualified(name, reading)
  reading.found.push(say.invalidName(reading.file, name.range, fault))
  return undefined
}

/** What is wrong with a name, as the end of a sentence about it. */
export function nameFault(name: string): string | undefined {
  if (name.includes(':')) return 'contains `:`, which is kept for agents of plugins'
  if (name.startsWith('-')) return 'begins with `-`, like an option'
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return 'contains a control character'
  if (name.trim() === '') return 'holds only blanks'
  return name.length > NAME_LIMIT ? `is ${name.length} characters long` : undefined
}

function qualified(name: Located<string>, { file }: Reading): Located<string> {
  return file.namespace === undefined ? name : { value: `${file.namespace}:${name.value}`, range: name.range }
}

/** Reads the description: text that is not empty; without one the agent is not loaded (measured.md "Loading"). */
export function descriptionOf(root: MapNode, nameRange: Range, reading: Reading): Located<string> | undefined {
  const entry = entryOf(root, 'description')
  const { file, found } = reading
  if (!entry) {
    found.push(say.missingDescription(file, file.form === 'json' ? nameRange : [0, 3], false))
    return undefined
  }
  const { value, keyRange } = entry
  const empty = value.kind === 'scalar' && (value.value === null || value.value === '')
  if (empty) {
    found.push(say.missingDescription(file, value.range, true))
    return undefined
  }
  if (value.kind !== 'scalar' || typeof value.value !== 'string') {
    found.push(say.descriptionType(file, pointAt(value, keyRange, file), typeOf(value)))
    return undefined
  }
  if (shown(value, file).trim() === '' || value.value.trim() === '') found.push(say.blankDescription(file, value.range))
  return { value: value.value, range: value.range }
}
