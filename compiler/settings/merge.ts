import type { Profile } from '../../schemas/profile.ts'
import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { HookEvent } from '../../schemas/values.ts'
import { withReferences } from '../secret/mask.ts'
import type { SourceFile } from '../source-file.ts'
import type { FileSettings } from './file.ts'
import { mergeInstructions } from './instructions.ts'
import {
  hooksCount,
  hooksSwitch,
  noSettings,
  placed,
  type Settings,
  type SwitchedOff,
  type Switches,
  type Written,
  type WrittenRule,
} from './settings.ts'

/**
 * Folds the files, lowest precedence first, into one: lists add up, of any other value that of the highest file counts
 * (claude-code-agents.md 5.2). What managed settings switch off is left out; a restriction of lower settings stays in force,
 * because a higher file may only tighten it.
 */
export function mergeSettings(files: readonly FileSettings[], profile: Profile): Settings {
  const settings: Settings = { ...noSettings(), switches: switchesOf(files) }
  const rules = files.flatMap(({ permissions }) => permissions?.rules ?? []).filter((rule) => ruleCounts(rule, settings, profile))
  const written = new Map<string, Written<unknown>[]>()
  for (const file of files) for (const [key, value] of scalars(file)) written.set(key, [...(written.get(key) ?? []), value])
  return {
    ...settings,
    rules,
    permissions: { allow: listOf('allow', rules), ask: listOf('ask', rules), deny: listOf('deny', rules) },
    values: valuesOf(files, settings),
    hooks: hooksOf(files, settings),
    hookCommands: files.flatMap(({ file, hookCommands }) => (hooksCount(file.origin.source, settings) ? hookCommands : [])),
    enabledPlugins: new Map(files.flatMap(({ enabledPlugins }) => [...enabledPlugins])),
    instructions: mergeInstructions(files.map(({ instructions }) => instructions)),
    servers: serversOf(files),
    off: [...rulesOff(files, settings, profile), ...files.flatMap(({ file, hooks }) => hooksOff(file, hooks, settings))],
    written,
  }
}

function listOf(list: WrittenRule['list'], rules: readonly WrittenRule[]): Settings['permissions']['allow'] {
  return rules.filter((rule) => rule.list === list).map(({ rule }) => rule)
}

function switchesOf(files: readonly FileSettings[]): Switches {
  const last: Switches = Object.assign({}, ...files.map(({ switches }) => switches)) as Switches
  const disabled = files.map(({ switches }) => switches.disableBypassPermissionsMode).filter((value) => value !== undefined)
  return { ...last, ...(disabled[0] && { disableBypassPermissionsMode: disabled.at(-1)! }) }
}

/** Where only managed rules count, Claude Code drops the restrictions of others as well; agentc keeps them. */
export function ruleCounts({ list, file }: Pick<WrittenRule, 'list' | 'file'>, { switches }: Settings, profile: Profile): boolean {
  if (!switches.allowManagedPermissionRulesOnly?.value || file.origin.source === 'policy') return true
  return list !== 'allow' && profile.name === 'agentc'
}

function valuesOf(files: readonly FileSettings[], { switches }: Settings): Settings['values'] {
  const mode = lastOf(files.map(({ permissions }) => permissions?.defaultMode))
  const agent = lastOf(files.map((file) => file.agent))
  const bypassDisabled = switches.disableBypassPermissionsMode?.value === true
  const env = new Map(files.flatMap((file) => [...file.env]))
  return {
    ...(mode && !(bypassDisabled && mode.value === 'bypassPermissions') && { defaultMode: { value: mode.value, origin: placed(mode) } }),
    bypassDisabled,
    additionalDirectories: files.flatMap(({ permissions }) =>
      (permissions?.additionalDirectories ?? []).map((folder) => ({ value: folder.value, origin: placed(folder) })),
    ),
    env: Object.fromEntries([...env].map(([name, item]) => [name, { value: withReferences(item.value), origin: placed(item) }])),
    ...(agent && { agent: { value: agent.value, origin: placed(agent) } }),
  }
}

function rulesOff(files: readonly FileSettings[], settings: Settings, profile: Profile): SwitchedOff[] {
  const written = settings.switches.allowManagedPermissionRulesOnly
  if (!written) return []
  const off = files.flatMap(({ permissions }) => permissions?.rules ?? []).filter((rule) => !ruleCounts(rule, settings, profile))
  return off.map((rule) => ({ rule, origin: placed(rule), by: { ...written, key: 'allowManagedPermissionRulesOnly' } }))
}

/** The groups of hooks of one file, if a switch keeps them from counting. */
export function hooksOff({ origin }: SourceFile, hooks: Hooks | undefined, settings: Settings): SwitchedOff[] {
  const by = hooks && hooksSwitch(origin.source, settings)
  if (!by) return []
  return Object.entries(hooks).flatMap(([event, groups]) => groups.map((group) => ({ event, group, origin: group.origin!, by })))
}

function lastOf<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.findLast((value) => value !== undefined)
}

function hooksOf(files: readonly FileSettings[], settings: Settings): Hooks {
  const merged: Hooks = {}
  for (const { file, hooks } of files) {
    if (!hooks || !hooksCount(file.origin.source, settings)) continue
    for (const [event, groups] of Object.entries(hooks)) (merged[event as HookEvent] ??= []).push(...withReferences(groups))
  }
  return merged
}

function serversOf(files: readonly FileSettings[]): Settings['servers'] {
  const enableAll = lastOf(files.map(({ enableAllServers }) => enableAllServers))
  return {
    ...(enableAll && { enableAll }),
    enabled: files.flatMap(({ enabledServers }) => enabledServers),
    disabled: files.flatMap(({ disabledServers }) => disabledServers),
    allowed: files.flatMap(({ allowedServers }) => allowedServers ?? []),
    denied: files.flatMap(({ deniedServers }) => deniedServers ?? []),
  }
}

/** The values of which only one counts, by the key they are written under. */
function scalars({
  permissions,
  agent,
  env,
  enabledPlugins,
  enableAllServers,
  instructions,
  switches,
}: FileSettings): [string, Written<unknown>][] {
  return [
    ['permissions.defaultMode', permissions?.defaultMode] as const,
    ['agent', agent] as const,
    ['instructionFiles', instructions.mode] as const,
    ['enableAllProjectMcpServers', enableAllServers] as const,
    ...Object.entries(switches as Record<string, Written<unknown>>),
    ...[...env].map(([name, value]) => [`env.${name}`, value] as const),
    ...[...enabledPlugins].map(([name, value]) => [`enabledPlugins.${name}`, value] as const),
  ].flatMap(([key, value]) => (value === undefined ? [] : [[key, value as Written<unknown>]]))
}
