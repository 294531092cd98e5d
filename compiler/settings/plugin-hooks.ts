import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { Located } from '../../schemas/source.ts'
import type { HookEvent } from '../../schemas/values.ts'
import { hooks as readHooks } from '../define/hooks.ts'
import { invalidPluginHooks } from '../findings/plugin.ts'
import { switchedOff } from '../findings/settings.ts'
import { readJson } from '../parse/json-document.ts'
import { entryOf, typeOf, type Entry } from '../parse/node.ts'
import { withReferences } from '../secret/mask.ts'
import type { SourceFile } from '../source-file.ts'
import { hooksOff } from './merge.ts'
import { hooksSwitch, type Settings, type SettingsReading, type Written } from './settings.ts'

/** What one file of a plugin says about hooks. */
interface PluginHooks {
  file: SourceFile
  keyRange: readonly [number, number]
  hooks: Hooks
  commands: Written<string>[]
}

/**
 * Adds the hooks of plugins to those of the settings, behind them and each with its place (issue 4, item 3). In: files that hold a key
 * `hooks`, in the form of settings. The switches that decide over the hooks of settings decide over these as well (claude-code-agents.md 7.7).
 */
export function withPluginHooks(files: readonly SourceFile[], settings: Settings): SettingsReading {
  const diagnostics: Diagnostic[] = []
  const hooks: Hooks = Object.fromEntries(Object.entries(settings.hooks).map(([event, groups]) => [event, [...groups]]))
  const hookCommands = [...settings.hookCommands]
  const off = [...settings.off]
  const by = hooksSwitch('plugin', settings)
  for (const read of files.flatMap((file) => readFile(file, diagnostics))) {
    off.push(...hooksOff(read.file, read.hooks, settings))
    if (by) diagnostics.push(switchedOff(read.file, read.keyRange, 'The `hooks`', by))
    if (by) continue
    for (const [event, groups] of Object.entries(read.hooks)) (hooks[event as HookEvent] ??= []).push(...withReferences(groups))
    hookCommands.push(...read.commands)
  }
  return { settings: { ...settings, hooks, hookCommands, off }, files, diagnostics }
}

function readFile(file: SourceFile, found: Diagnostic[]): PluginHooks[] {
  if (file.text.trim() === '') return []
  const result = readJson(file.text)
  if ('fault' in result) return lost(invalidPluginHooks(file, result.fault.range, `is not JSON (${result.fault.message})`), found)
  const { root } = result
  const problem = root.kind === 'map' ? 'has no key `hooks`' : `is ${typeOf(root)}, not an object`
  const entry = root.kind === 'map' ? entryOf(root, 'hooks') : undefined
  if (!entry) return lost(invalidPluginHooks(file, [root.range[0], root.range[0] + 1], problem), found)
  const { value, keyRange } = innermost(entry)
  const commands: Located<string>[] = []
  const hooks = readHooks(value, keyRange, { file, found, commands, placed: true })?.value
  return hooks ? [{ file, keyRange, hooks, commands: commands.map((command) => ({ ...command, file })) }] : []
}

/** A plugin's manifest may hold what would stand in `hooks.json`, the key `hooks` included. */
function innermost(entry: Entry): Entry {
  const inner = entry.value.kind === 'map' ? entryOf(entry.value, 'hooks') : undefined
  return inner ?? entry
}

function lost(finding: Diagnostic, found: Diagnostic[]): [] {
  found.push(finding)
  return []
}
