import { INSTRUCTION_MODES, type InstructionMode } from '../../schemas/values.ts'
import * as say from '../findings/settings.ts'
import type { Entry } from '../parse/node.ts'
import type { Settings, Written } from './settings.ts'
import { entriesOf, isText, pointAt, refuse, text, texts, type FileReading } from './value.ts'

/** What one file says about CLAUDE.md and AGENTS.md (code.claude.com, "memory"). */
export type FileInstructions = Settings['instructions']

/** The plugin of Claude Code that reads AGENTS.md, under its name and the one it had before 2.1.285. */
const PLUGINS = ['agents-md@builtin', 'cc-plugin-agents-md@builtin'] as const

export function readInstructions(keys: ReadonlyMap<string, Entry>, reading: FileReading): FileInstructions {
  const [excludes, managed] = [keys.get('claudeMdExcludes'), keys.get('claudeMd')]
  const mode = modeIn(keys, reading)
  const text = managed && ofPolicy(managed, reading)
  return {
    excludes: excludes ? patterns(excludes, reading) : [],
    ...(text && { managed: text }),
    ...(mode && { mode }),
  }
}

/** Lists add up; of the other values that of the highest file counts. */
export function mergeInstructions(files: readonly FileInstructions[]): FileInstructions {
  return Object.assign({}, ...files, { excludes: files.flatMap(({ excludes }) => excludes) }) as FileInstructions
}

/** Patterns are compared with absolute paths: one that can fit none is as good as misspelt. */
function patterns(entry: Entry, reading: FileReading): Written<string>[] {
  return (texts(entry, reading) ?? []).filter(({ value, range }) => {
    const absolute = /^(?:\/|\*\*|[A-Za-z]:|\{)/.test(value)
    if (!absolute) reading.found.push(say.invalidValue(reading.file, range, entry.key, 'a pattern that begins with `/` or `**`'))
    return absolute
  })
}

function ofPolicy(entry: Entry, reading: FileReading): Written<string> | undefined {
  if (reading.file.origin.source === 'policy') return text(entry, reading)
  reading.found.push(say.managedOnly(reading.file, entry.keyRange, 'claudeMd'))
  return undefined
}

function modeIn(keys: ReadonlyMap<string, Entry>, reading: FileReading): Written<InstructionMode> | undefined {
  const plugins = keys.get('pluginConfigs')?.value
  if (plugins?.kind !== 'map') return undefined
  const all = entriesOf(plugins, { ...reading, found: [] })
  const values = PLUGINS.flatMap((name) => {
    const options = memberOf(all.get(name), 'options', reading)
    return memberOf(options, 'instructionFiles', reading) ?? []
  })
  const entry = values.at(-1)
  return entry && modeOf(entry, reading)
}

function memberOf(entry: Entry | undefined, key: string, reading: FileReading): Entry | undefined {
  return entry?.value.kind === 'map' ? entriesOf(entry.value, { ...reading, found: [] }).get(key) : undefined
}

function modeOf(entry: Entry, reading: FileReading): Written<InstructionMode> | undefined {
  const { file, found } = reading
  if (file.origin.source === 'project') return void found.push(say.notInProject(file, entry.keyRange, entry.key))
  const { value } = entry
  const mode = isText(value) ? INSTRUCTION_MODES.find((known) => known === value.value) : undefined
  if (!mode) return refuse(entry, reading, `one of ${INSTRUCTION_MODES.join(', ')}`)
  return { value: mode, file, range: pointAt(entry, reading) }
}
