import { basename, join } from 'node:path'
import { duplicatePlugin, pluginEmpty, pluginMissing } from '../findings/plugin.ts'
import { pluginsOfMarketplace } from './marketplace.ts'
import type { DiscoverOptions } from './options.ts'
import { pluginIn, type Plugin } from './plugin.ts'
import { look, realOr, type Search } from './search.ts'

/**
 * In: the plugin folders that were given. Out: the plugins in them, in that order: a folder is a plugin, or a marketplace that lists some
 * (mission M6). Each folder counts once; two plugins of one name are reported.
 */
export function findPlugins({ pluginDirs, enabledPlugins }: DiscoverOptions, search: Search): Plugin[] {
  const found = pluginDirs
    .filter((folder) => isFolder(folder, search))
    .flatMap((folder) => {
      return pluginsOfMarketplace(folder, enabledPlugins ?? new Map(), search) ?? [givenPlugin(folder, search)]
    })
  const plugins = new Map(found.map((plugin) => [realOr(search, plugin.folder), plugin]))
  reportNames([...plugins.values()], search)
  return [...plugins.values()]
}

/** Without any of these a folder brings nothing along. */
const PARTS = ['.claude-plugin', 'agents', 'skills', 'commands', 'hooks', '.mcp.json', 'settings.json', 'SKILL.md']

/** The plugin in a folder that was given as one. */
function givenPlugin(folder: string, search: Search): Plugin {
  if (PARTS.every((part) => look(search, join(folder, part)) === undefined)) search.diagnostics.push(pluginEmpty(basename(folder)))
  return pluginIn(folder, search)
}

function isFolder(folder: string, search: Search): boolean {
  const stat = look(search, folder)
  if (typeof stat === 'object' && stat.kind === 'folder') return true
  search.diagnostics.push(pluginMissing(basename(folder)))
  return false
}

function reportNames(plugins: readonly Plugin[], search: Search): void {
  const first = new Map<string, Plugin>()
  for (const plugin of plugins) {
    const before = first.get(plugin.name)
    if (before) search.diagnostics.push(duplicatePlugin(plugin.name, plugin.text, basename(before.folder), basename(plugin.folder)))
    else first.set(plugin.name, plugin)
  }
}
