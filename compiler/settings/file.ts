import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { didYouMean } from '../../schemas/near.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { Located, Range } from '../../schemas/source.ts'
import { hooks as readHooks } from '../define/hooks.ts'
import * as say from '../findings/settings.ts'
import { readJson } from '../parse/json-document.ts'
import { typeOf, type Entry, type MapNode } from '../parse/node.ts'
import { withoutValues } from '../secret/named.ts'
import type { SourceFile } from '../source-file.ts'
import { covered, environment } from './environment.ts'
import { readInstructions, type FileInstructions } from './instructions.ts'
import { checkKeys, TOP_KEYS } from './key.ts'
import { readPermissions, type FilePermissions } from './permissions.ts'
import { serverList } from './server-lists.ts'
import type { ServerList, Switches, Written } from './settings.ts'
import { entriesOf, flag, isText, refuse, text, texts, type FileReading, type ValueReader } from './value.ts'

/** What one file says, by itself. */
export interface FileSettings {
  file: SourceFile
  permissions?: FilePermissions
  hooks?: Hooks
  /** The command lines of its hooks. */
  hookCommands: Written<string>[]
  env: ReadonlyMap<string, Written<string>>
  agent?: Written<string>
  enabledPlugins: ReadonlyMap<string, Written<boolean>>
  instructions: FileInstructions
  enableAllServers?: Written<boolean>
  enabledServers: Written<string>[]
  disabledServers: Written<string>[]
  allowedServers?: ServerList
  deniedServers?: ServerList
  switches: Switches
  /** Where a key of the file stands. */
  keys: ReadonlyMap<string, Entry>
  found: Diagnostic[]
}

/** Reads one settings file. A file that is no JSON object gives findings only; an empty one says nothing, as in Claude Code. */
export function readFile(file: SourceFile, profile: Profile): FileSettings {
  const result = readJson(file.text)
  if (file.text.trim() === '') return empty(file, [])
  if ('fault' in result) return broken(file, result.fault)
  const { root } = result
  if (root.kind !== 'map') return empty(file, [say.invalidJson(file, [root.range[0], root.range[0] + 1], `it is ${typeOf(root)}`)])
  return fromMap(root, { file: covered(file, root), found: [] }, profile)
}

/** What is not understood may hold secrets, so of its texts only the keys are shown. */
function broken(file: SourceFile, { range, message }: { range: Range; message: string }): FileSettings {
  const shown = { ...file, text: withoutValues(file.text) }
  return empty(shown, [say.invalidJson(shown, range, message)])
}

function empty(file: SourceFile, found: Diagnostic[]): FileSettings {
  return {
    file,
    hookCommands: [],
    env: new Map(),
    enabledPlugins: new Map(),
    instructions: { excludes: [] },
    enabledServers: [],
    disabledServers: [],
    switches: {},
    keys: new Map(),
    found,
  }
}

function fromMap(root: MapNode, reading: FileReading, profile: Profile): FileSettings {
  const keys = entriesOf(root, reading)
  checkKeys(keys, TOP_KEYS, reading)
  const read = <K extends string, T>(key: K, reader: ValueReader<T>, member: string = key): { [P in K]?: T } => {
    const entry = keys.get(key)
    const value = entry && reader(entry, reading)
    return (value === undefined ? {} : { [member]: value }) as { [P in K]?: T }
  }
  const { permissions } = read('permissions', (entry) => readPermissions(entry, reading, profile))
  const { disableBypassPermissionsMode } = permissions ?? {}
  const commands: Located<string>[] = []
  return {
    file: reading.file,
    ...(permissions && { permissions }),
    ...read('hooks', hooks(commands)),
    hookCommands: commands.map(({ value, range }) => ({ value, range, file: reading.file })),
    env: read('env', environment).env ?? new Map(),
    ...read('agent', text),
    enabledPlugins: read('enabledPlugins', plugins).enabledPlugins ?? new Map(),
    instructions: readInstructions(keys, reading),
    ...read('enableAllProjectMcpServers', flag(), 'enableAllServers'),
    enabledServers: read('enabledMcpjsonServers', texts).enabledMcpjsonServers ?? [],
    disabledServers: read('disabledMcpjsonServers', texts).disabledMcpjsonServers ?? [],
    ...read('allowedMcpServers', serverList, 'allowedServers'),
    ...read('deniedMcpServers', serverList, 'deniedServers'),
    switches: { ...switches(keys, reading), ...(disableBypassPermissionsMode && { disableBypassPermissionsMode }) },
    keys,
    found: reading.found,
  }
}

/** The reader of agents' hooks serves settings too; here each group carries its place (claude-code-agents.md 7.1). */
const hooks =
  (commands: Located<string>[]): ValueReader<Hooks> =>
  ({ value, keyRange }, { file, found }) =>
    readHooks(value, keyRange, { file, found, commands, placed: true })?.value

/** Plugin to whether it is enabled. Some programs write a list of versions in place of `true`. */
const plugins: ValueReader<Map<string, Written<boolean>>> = (entry, reading) => {
  if (entry.value.kind !== 'map') return refuse(entry, reading, 'a map from plugins to true or false')
  const values = [...entriesOf(entry.value, reading).values()].map((item): [string, Written<boolean> | undefined] => {
    if (item.value.kind === 'list') return [item.key, { value: true, file: reading.file, range: item.value.range }]
    return [item.key, flag()({ ...item, key: `enabledPlugins.${item.key}` }, reading)]
  })
  return new Map(values.filter((item): item is [string, Written<boolean>] => item[1] !== undefined))
}

const MANAGED_ONLY = [
  'allowManagedHooksOnly',
  'allowManagedMcpServersOnly',
  'allowManagedPermissionRulesOnly',
  'disableSideloadFlags',
  'strictPluginOnlyCustomization',
]

function switches(keys: ReadonlyMap<string, Entry>, reading: FileReading): Switches {
  const { file, found } = reading
  const managed = file.origin.source === 'policy'
  const result: Record<string, unknown> = {}
  for (const key of ['disableAllHooks', 'autoMemoryEnabled', ...MANAGED_ONLY]) {
    const entry = keys.get(key)
    if (!entry) continue
    const onlyManaged = MANAGED_ONLY.includes(key)
    if (onlyManaged && !managed) found.push(say.managedOnly(file, entry.keyRange, key))
    else result[key] = (key === 'strictPluginOnlyCustomization' ? strict : flag(onlyManaged))(entry, reading)
  }
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined)) as Switches
}

const KINDS = ['agents', 'skills', 'hooks', 'mcp']

/** `true` is every kind, a list names the kinds (claude-code-agents.md 3.4). Some are of another program's concern, a near miss is of nobody's. */
const strict: ValueReader<Written<readonly string[]>> = (entry, { file, ...rest }) => {
  const { value } = entry
  if (value.kind === 'list' && value.items.every(isText)) {
    for (const item of value.items) {
      const meant = KINDS.includes(item.value) ? undefined : didYouMean(item.value, KINDS)
      if (meant !== undefined) rest.found.push(say.lostValue(file, item.range, entry.key, `a list of kinds such as \`${meant}\``))
    }
    return { value: value.items.map((item) => item.value), file, range: value.range }
  }
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return { value: value.value ? ['all'] : [], file, range: value.range }
  return refuse(entry, { file, ...rest }, 'true, false or a list of kinds', true)
}
