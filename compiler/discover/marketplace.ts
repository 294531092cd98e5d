import { basename, join, resolve } from 'node:path'
import { invalidMarketplace, remotePlugin } from '../findings/plugin.ts'
import { isObject, isPluginName, manifestOf, manifestText, objectIn, type ReportFault } from './plugin-manifest.ts'
import { pathInside } from './path.ts'
import { faultInPath, pluginIn, PLUGIN_MANIFEST, type Plugin } from './plugin.ts'
import { look, type Search } from './search.ts'

export const MARKETPLACE = '.claude-plugin/marketplace.json'

/**
 * In: a folder. Out: the plugins that its `marketplace.json` lists and that lie in it, or nothing if it is no marketplace. A folder with a
 * `plugin.json` is a plugin, whatever it lists. A plugin that the settings switch off (`"name@marketplace": false`) is left out; one that
 * lies elsewhere (GitHub, a URL) is said, because nothing is fetched at build time.
 */
export function pluginsOfMarketplace(folder: string, enabled: ReadonlyMap<string, boolean>, search: Search): Plugin[] | undefined {
  if (typeof look(search, join(folder, ...PLUGIN_MANIFEST.split('/'))) === 'object') return undefined
  const base = basename(folder)
  const report = (text: string) => (reason: string) => void search.diagnostics.push(invalidMarketplace(base, text, reason))
  const text = manifestText(join(folder, ...MARKETPLACE.split('/')), search, report(''))?.text
  if (text === undefined) return undefined
  const json = objectIn(text, report(text))
  if (!json) return []
  const { plugins } = json
  if (!Array.isArray(plugins)) return (report(text)('has no list of "plugins"'), [])
  const market: Market = { folder, text, root: pluginRoot(json), report: report(text), search }
  const name = typeof json['name'] === 'string' ? json['name'] : base
  return plugins.flatMap((entry: unknown) =>
    isObject(entry) && enabled.get(`${String(entry['name'])}@${name}`) === false ? [] : listed(entry, market),
  )
}

interface Market {
  folder: string
  text: string
  /** What relative sources begin with, if the marketplace says so. */
  root: string
  report: ReportFault
  search: Search
}

function pluginRoot({ metadata }: Record<string, unknown>): string {
  const root = isObject(metadata) ? metadata['pluginRoot'] : undefined
  return typeof root === 'string' ? root : '.'
}

/** One entry: its own `plugin.json` says what it is; where there is none, the entry itself may. */
function listed(entry: unknown, market: Market): Plugin[] {
  const { folder, text, report, search } = market
  if (!isObject(entry) || !isPluginName(entry['name'])) return (report('has a plugin without a "name" that is a plain text'), [])
  const { name, source } = entry
  if (isObject(source)) return (search.diagnostics.push(remotePlugin(basename(folder), text, name)), [])
  if (typeof source !== 'string') return (report(`has no "source" for the plugin ${JSON.stringify(name)}`), [])
  const path = source.startsWith('./') || market.root === '.' ? source : `./${source}`
  const target = resolve(folder, market.root, path)
  const reason = faultInPath(folder, target, path) ?? missing(target, search)
  if (reason !== undefined) return (report(`has a "source" ${JSON.stringify(source)} that ${reason}`), [])
  const plugin = { ...pluginIn(target, search), within: pathInside(folder, target) || '.' }
  if (plugin.manifestPath !== undefined) return [{ ...plugin, name: plugin.manifest.name ?? name }]
  return [{ ...plugin, name, manifest: manifestOf(entry, report), text }]
}

function missing(target: string, search: Search): string | undefined {
  const stat = look(search, target)
  return typeof stat === 'object' && stat.kind === 'folder' ? undefined : 'is no folder'
}
