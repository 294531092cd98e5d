import type { ManifestHeader, ManifestPlugin } from '../../schemas/shapes/manifest.ts'
import type { SourceFile } from '../source-file.ts'

/** What was found, as far as plugins are concerned. */
interface Found {
  /** `within` is relative to the folder that was given; `.` if it is that folder. */
  plugins: readonly { name: string; within: string }[]
  pluginHooks: readonly SourceFile[]
  servers: readonly { file: SourceFile }[]
  skills: readonly SourceFile[]
  commands: readonly SourceFile[]
  /** What hooks and servers run from the folder of their plugin. */
  programs: readonly { plugin: string; path: string; hash: string }[]
}

/**
 * The plugins that something of the manifest runs from: hooks and servers name `${CLAUDE_PLUGIN_ROOT}`, skills and commands the folder they
 * lie in. Each is known by the files of these parts and by the programs that they name. Of two plugins of one name, which is reported, the first counts.
 */
export function pluginEntries({ plugins, pluginHooks, servers, skills, commands, programs }: Found): Pick<ManifestHeader, 'plugins'> {
  const files = [...pluginHooks, ...servers.map(({ file }) => file), ...skills, ...commands]
  const entries = plugins.toReversed().flatMap(({ name, within }): [string, ManifestPlugin][] => {
    const own = files.flatMap(({ origin, hash }) => (origin.plugin === name && hash !== undefined ? [[origin.path, hash] as const] : []))
    const run = programs.flatMap(({ plugin, path, hash }) => (plugin === name ? [[path, hash] as const] : []))
    return own.length > 0 ? [[name, { folder: within, files: Object.fromEntries([...own, ...run].sort()) }]] : []
  })
  return entries.length > 0 ? { plugins: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) } : {}
}
