import { basename, join, resolve } from 'node:path'
import { FILE_LIMIT } from '../../schemas/values.ts'
import { invalidPluginManifest, invalidPluginPath, pluginMissing } from '../findings/file.ts'
import { textOf } from './decode.ts'
import { faultOf } from './file-system.ts'
import { pathInside } from './path.ts'
import { parsePluginManifest, type PluginManifest } from './plugin-manifest.ts'
import type { Root } from './root.ts'
import { look, noteAbsent, noteFile, type Search } from './search.ts'

const MANIFEST = '.claude-plugin/plugin.json'

/**
 * In: a plugin's folder. Out: the places its agents are read from: `agents/`, or what `agents` in its manifest names.
 * The plugin is called as its manifest says, else as its folder (claude-code-agents.md 2.6, mission M6).
 */
export function pluginRoots(folder: string, search: Search): Root[] {
  const stat = look(search, folder)
  const base = basename(folder)
  if (stat === undefined || typeof stat === 'string' || stat.kind !== 'folder') {
    if (stat === undefined) noteAbsent(search, folder)
    search.diagnostics.push(pluginMissing(base))
    return []
  }
  const text = manifestText(folder, search)
  const manifest: PluginManifest = text === undefined ? {} : parsePluginManifest(text, base, search)
  const plugin = manifest.name ?? base
  if (!manifest.agents) return [{ path: join(folder, 'agents'), base: folder, source: 'plugin', plugin }]
  return manifest.agents.flatMap((path) => namedRoot(folder, plugin, path, text!, search))
}

/** A path of the manifest starts with `./` and stays inside the plugin's folder; any other is reported and left out. */
function namedRoot(folder: string, plugin: string, path: string, manifest: string, search: Search): Root[] {
  const target = resolve(folder, path)
  const reason = faultInPath(folder, target, path)
  if (reason === undefined) return [{ path: target, base: folder, source: 'plugin', plugin, named: { path, manifest } }]
  search.diagnostics.push(invalidPluginPath(plugin, manifest, path, reason))
  return []
}

function faultInPath(folder: string, target: string, path: string): string | undefined {
  if (!path.startsWith('./')) return 'does not start with "./"'
  if (path.includes('\0')) return 'holds a NUL character'
  if (pathInside(folder, target) === undefined) return "leads out of the plugin's folder"
  return undefined
}

/** The text of the manifest; nothing if there is none, or none that can be read, which is reported. */
function manifestText(folder: string, search: Search): string | undefined {
  const path = join(folder, ...MANIFEST.split('/'))
  const stat = look(search, path)
  if (stat === undefined) noteAbsent(search, path)
  if (stat === undefined) return undefined
  const refuse = (reason: string): undefined => void search.diagnostics.push(invalidPluginManifest(basename(folder), '', reason))
  if (typeof stat === 'string') return refuse(`cannot be read (${stat})`)
  if (stat.kind !== 'file') return refuse('is not a regular file')
  try {
    const bytes = search.fs.read(path, stat.size, FILE_LIMIT + 1)
    noteFile(search, path, stat, bytes)
    return bytes.length > FILE_LIMIT ? refuse('is larger than 1 MiB') : textOf(bytes).text
  } catch (error) {
    return refuse(`cannot be read (${faultOf(error)})`)
  }
}
