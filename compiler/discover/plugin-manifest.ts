import { invalidPluginManifest } from '../findings/file.ts'
import type { Search } from './search.ts'

/** What discovery needs of a `plugin.json`. Wrong parts are reported and left out. */
export interface PluginManifest {
  name?: string
  /** Replaces the default scan of `agents/` (claude-code-agents.md 2.6). */
  agents?: string[]
}

/** In: the text of `.claude-plugin/plugin.json` and the folder's name for findings. Out: what can be used of it. */
export function parsePluginManifest(text: string, folder: string, search: Search): PluginManifest {
  const fault = (reason: string): void => void search.diagnostics.push(invalidPluginManifest(folder, text, reason))
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    fault('is not JSON')
    return {}
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    fault('is not a JSON object')
    return {}
  }
  const manifest: PluginManifest = {}
  if ('name' in json) {
    if (isPluginName(json.name)) manifest.name = json.name
    else fault('has a "name" that is not a plain, non-empty text without ":"')
  }
  if ('agents' in json) {
    const paths = typeof json.agents === 'string' ? [json.agents] : json.agents
    if (Array.isArray(paths) && paths.every((path) => typeof path === 'string')) manifest.agents = paths
    else fault('has "agents" that is neither a path nor a list of paths')
  }
  return manifest
}

/** A colon would be read as a folder of the plugin, and a control character cannot be typed. */
function isPluginName(name: unknown): name is string {
  return typeof name === 'string' && name.trim() !== '' && !/[:\u0000-\u001f\u007f-\u009f]/.test(name)
}
