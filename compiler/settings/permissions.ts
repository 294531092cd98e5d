import type { Profile } from '../../schemas/profile.ts'
import { PERMISSION_MODES, type PermissionMode } from '../../schemas/values.ts'
import { ruleType } from '../findings/permission.ts'
import { typeOf, type Entry, type Node } from '../parse/node.ts'
import { readRule } from '../permission/rule.ts'
import type { RuleList } from '../permission/specifier.ts'
import { checkKeys, PERMISSION_KEYS } from './key.ts'
import type { Written, WrittenRule } from './settings.ts'
import { entriesOf, isText, refuse, texts, type FileReading, type ValueReader } from './value.ts'

/** What one file says under `permissions`. */
export interface FilePermissions {
  rules: WrittenRule[]
  /** Where each list stands, for findings about all of it. */
  lists: ReadonlyMap<RuleList, Entry>
  additionalDirectories: Written<string>[]
  defaultMode?: Written<PermissionMode>
  disableBypassPermissionsMode?: Written<boolean>
}

const LISTS = ['allow', 'ask', 'deny'] as const

/** Reads `permissions`. Rules are parsed here, at their place, and never again (mission M19). */
export function readPermissions(entry: Entry, reading: FileReading, profile: Profile): FilePermissions | undefined {
  if (entry.value.kind !== 'map') return refuse(entry, reading, 'a map', true)
  const entries = entriesOf(entry.value, reading)
  checkKeys(entries, PERMISSION_KEYS, reading)
  const read = <T>(key: string, reader: ValueReader<T>): T | undefined => {
    const found = entries.get(key)
    return found && reader(found, reading)
  }
  const mode = read('defaultMode', defaultMode)
  const disabled = read('disableBypassPermissionsMode', disable)
  return {
    rules: LISTS.flatMap((list) => read(list, rules(list, profile)) ?? []),
    lists: new Map(LISTS.flatMap((list) => (entries.has(list) ? [[list, entries.get(list)!] as const] : []))),
    additionalDirectories: read('additionalDirectories', texts) ?? [],
    ...(mode && { defaultMode: mode }),
    ...(disabled && { disableBypassPermissionsMode: disabled }),
  }
}

function rules(list: RuleList, profile: Profile): ValueReader<WrittenRule[]> {
  return (entry, reading) => {
    if (entry.value.kind !== 'list') return refuse(entry, reading, 'a list of rules', list !== 'allow')
    const all = entry.value.items.flatMap((item) => one(item, list, reading, profile))
    return all.filter(({ rule }, i) => all.findIndex((other) => sameRule(other.rule, rule)) === i)
  }
}

function one(item: Node, list: RuleList, { file, found }: FileReading, profile: Profile): WrittenRule[] {
  const { range } = item
  if (!isText(item)) {
    found.push(ruleType({ text: file.text.slice(...range), list, file, range }, typeOf(item)))
    return []
  }
  const written = { text: item.value, list, file, range }
  const reading = readRule(written, profile)
  found.push(...reading.found)
  return reading.rule ? [{ ...written, rule: reading.rule }] : []
}

function sameRule(a: WrittenRule['rule'], b: WrittenRule['rule']): boolean {
  return a.tool === b.tool && JSON.stringify(a.match) === JSON.stringify(b.match)
}

/** `manual` is a later spelling of `default` (claude-code-agents.md 5.6). */
const defaultMode: ValueReader<Written<PermissionMode>> = (entry, reading) => {
  const { value } = entry
  const written = isText(value) ? (value.value === 'manual' ? 'default' : value.value) : undefined
  const mode = PERMISSION_MODES.find((known) => known === written)
  return mode ? { value: mode, file: reading.file, range: value.range } : refuse(entry, reading, `one of ${PERMISSION_MODES.join(', ')}`)
}

const disable: ValueReader<Written<boolean>> = (entry, reading) => {
  if (isText(entry.value) && entry.value.value === 'disable') return { value: true, file: reading.file, range: entry.value.range }
  return refuse(entry, reading, 'the text "disable"', true)
}
