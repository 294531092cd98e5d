import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Source, Range } from '../../schemas/source.ts'
import type { HookGroup, Hooks } from '../../schemas/shapes/hook.ts'
import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { PlacedOrigin, Rule } from '../../schemas/shapes/permission.ts'
import type { InstructionMode } from '../../schemas/values.ts'
import type { RuleList } from '../permission/specifier.ts'
import { originAt, type SourceFile } from '../source-file.ts'

/** A value with the file and the place it was written at. */
export interface Written<T> {
  value: T
  file: SourceFile
  range: Range
}

/** What an entry of a list is about: a server's name, its whole command line, or its address with `*` for anything. */
export type ServerPattern = { serverName: string } | { serverCommand: readonly string[] } | { serverUrl: string }

/** What one file says of which servers may be used, or may not (`server-lists.ts`). */
export type ServerList = Written<readonly ServerPattern[]>

/** A rule that counts, with its text and place for findings. */
export interface WrittenRule {
  rule: Rule
  list: RuleList
  text: string
  file: SourceFile
  range: Range
}

/** What only an organisation may switch (claude-code-agents.md 3.4, 5.2, 7.7), with where it is switched on. */
export interface Switches {
  disableAllHooks?: Written<boolean>
  /** `false`: no agent has a memory (claude-code-agents.md 9). */
  autoMemoryEnabled?: Written<boolean>
  allowManagedHooksOnly?: Written<boolean>
  allowManagedPermissionRulesOnly?: Written<boolean>
  /** Of lists of allowed servers only the organisation's counts. */
  allowManagedMcpServersOnly?: Written<boolean>
  disableBypassPermissionsMode?: Written<boolean>
  disableSideloadFlags?: Written<boolean>
  /** `agents`, `skills`, `hooks`, `mcp`: kinds that only plugins and managed files may bring; `all` for every kind. */
  strictPluginOnlyCustomization?: Written<readonly string[]>
}

/** All settings of all files, merged: lists add up, of other values the one of the highest file counts. */
export interface Settings {
  permissions: { allow: Rule[]; ask: Rule[]; deny: Rule[] }
  /** The rules with their texts, lowest file first. */
  rules: readonly WrittenRule[]
  /** What the manifest holds beside rules and hooks. */
  values: ManifestHeader['settings']
  hooks: Hooks
  /** The command lines of all hooks that count. */
  hookCommands: readonly Written<string>[]
  enabledPlugins: ReadonlyMap<string, Written<boolean>>
  /** Which instructions count: patterns of files that are left out, the organisation's own text, and which names are read. */
  instructions: { excludes: readonly Written<string>[]; managed?: Written<string>; mode?: Written<InstructionMode> }
  /** Approvals of servers of the project's `.mcp.json`, and lists about all servers. */
  servers: {
    enableAll?: Written<boolean>
    enabled: readonly Written<string>[]
    disabled: readonly Written<string>[]
    /** Which servers may be used at all, a list a file (`server-lists.ts`). */
    allowed: readonly ServerList[]
    denied: readonly ServerList[]
  }
  switches: Switches
  /** Rules and hooks that a switch keeps from counting. */
  off: readonly SwitchedOff[]
  /** Key to all values that were written for it, lowest first: the last one counts, the others are overruled. */
  written: ReadonlyMap<string, readonly Written<unknown>[]>
}

/** A rule or a group of hooks that does not count, and the switch that decides. */
export type SwitchedOff = { origin: PlacedOrigin; by: Switch } & ({ rule: WrittenRule } | { event: string; group: HookGroup })

export interface SettingsReading {
  settings: Settings
  /** The files with their secrets covered, as they may be shown. */
  files: readonly SourceFile[]
  diagnostics: Diagnostic[]
}

/** What there is without any settings file. */
export function noSettings(): Settings {
  return {
    permissions: { allow: [], ask: [], deny: [] },
    rules: [],
    values: { bypassDisabled: false, additionalDirectories: [], env: {} },
    hooks: {},
    hookCommands: [],
    enabledPlugins: new Map(),
    instructions: { excludes: [] },
    servers: { enabled: [], disabled: [], allowed: [], denied: [] },
    switches: {},
    off: [],
    written: new Map(),
  }
}

/** The place of a value as the manifest holds it. */
export function placed({ file, range }: Omit<Written<unknown>, 'value'>): PlacedOrigin {
  return originAt(file, range)
}

/** A switch by its key, with the place it is switched on at. */
export type Switch = { key: string } & Omit<Written<unknown>, 'value'>

/** The switch that keeps hooks of a layer from counting: those of agents, skills and plugins are asked about as well (claude-code-agents.md 3.4, 7.7). */
export function hooksSwitch(source: Source, { switches }: Pick<Settings, 'switches'>): Switch | undefined {
  const { allowManagedHooksOnly: managed, disableAllHooks: off } = switches
  if (managed?.value && source !== 'policy') return { ...managed, key: 'allowManagedHooksOnly' }
  if (off?.value && (source !== 'policy' || off.file.origin.source === 'policy')) return { ...off, key: 'disableAllHooks' }
  return pluginsOnly('hooks', source, { switches })
}

/** The switch after which only plugins and managed files bring this kind of thing, if it keeps the layer from it (claude-code-agents.md 3.4). */
export function pluginsOnly(kind: string, source: Source, { switches }: Pick<Settings, 'switches'>): Switch | undefined {
  const strict = switches.strictPluginOnlyCustomization
  if (!strict || (source !== 'user' && source !== 'project')) return undefined
  return strict.value.includes('all') || strict.value.includes(kind) ? { ...strict, key: 'strictPluginOnlyCustomization' } : undefined
}

export function hooksCount(source: Source, settings: Pick<Settings, 'switches'>): boolean {
  return hooksSwitch(source, settings) === undefined
}
