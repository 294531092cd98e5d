import { basename, join, resolve } from 'node:path'
import { invalidPluginManifest, invalidPluginPath } from '../findings/plugin.ts'
import { pathInside } from './path.ts'
import { manifestText, parsePluginManifest, type PluginManifest, type PluginPart } from './plugin-manifest.ts'
import type { Root, RootPart } from './root.ts'
import type { Search } from './search.ts'

export const PLUGIN_MANIFEST = '.claude-plugin/plugin.json'

/** A plugin as it was found; what it brings along is read by those who know the parts. */
export interface Plugin {
  name: string
  /** Absolute. */
  folder: string
  manifest: PluginManifest
  /** The text the manifest was read from: `plugin.json`, or the marketplace that lists the plugin. */
  text: string
  /** Where that text is, relative to the plugin's folder, and the hash of its bytes; nothing if there is no manifest. */
  manifestPath?: string
  manifestHash?: string | undefined
  /** Where the plugin lies in the folder that was given, with `/`; `.` if it is that folder. */
  within: string
}

/** The plugin in a folder: called as its manifest says, else as its folder (claude-code-agents.md 2.6). */
export function pluginIn(folder: string, search: Search): Plugin {
  const base = basename(folder)
  const fault = (text: string) => (reason: string) => void search.diagnostics.push(invalidPluginManifest(base, text, reason))
  const read = manifestText(join(folder, ...PLUGIN_MANIFEST.split('/')), search, fault(''))
  if (!read) return { name: base, folder, manifest: { paths: {}, inline: new Set() }, text: '', within: '.' }
  const { text, hash } = read
  const manifest = parsePluginManifest(text, fault(text))
  return { name: manifest.name ?? base, folder, manifest, text, manifestPath: PLUGIN_MANIFEST, manifestHash: hash, within: '.' }
}

/** The places a part of a plugin is read from: the usual folder, or what the manifest names in its place, for skills beside it (claude-code-agents.md 2.6). */
export function pluginRoots(part: RootPart, plugin: Plugin, search: Search): Root[] {
  const { name, folder, manifest, text } = plugin
  const common = { base: folder, source: 'plugin', plugin: name } as const
  const usual: Root = { path: join(folder, part), ...common }
  const named = namedPaths(plugin, part, search).map(({ path, target }): Root => {
    return { path: target, ...common, named: { path, manifest: text, part } }
  })
  return part !== 'skills' && manifest.paths[part] ? named : [usual, ...named]
}

/** The paths that the manifest names for a part: each starts with `./` and stays inside the plugin's folder; any other is reported and left out. */
export function namedPaths({ name, folder, manifest, text }: Plugin, part: PluginPart, search: Search): { path: string; target: string }[] {
  return (manifest.paths[part] ?? []).flatMap((path) => {
    const target = resolve(folder, path)
    const reason = faultInPath(folder, target, path)
    if (reason === undefined) return [{ path, target }]
    search.diagnostics.push(invalidPluginPath(name, text, part, path, reason))
    return []
  })
}

export function faultInPath(folder: string, target: string, path: string): string | undefined {
  if (!path.startsWith('./')) return 'does not start with "./"'
  if (path.includes('\0')) return 'holds a NUL character'
  if (pathInside(folder, target) === undefined) return "leads out of the plugin's folder"
  return undefined
}
