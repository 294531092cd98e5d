import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import type { HookHandler } from '../../schemas/shapes/hook.ts'
import type { ManifestHeader, ManifestPlugin } from '../../schemas/shapes/manifest.ts'
import { Trouble } from './kept.ts'

/** Where the plugins of a manifest lie here, by name. */
export type PluginFolders = Readonly<Record<string, string>>

/** Why a plugin of the manifest cannot be run from any of the folders that were given, as the end of a sentence. */
type Fault = 'not given' | { changed: string }

/**
 * Finds the plugins of a manifest in the folders that this run was given (`--plugin-dir`). The manifest holds no absolute path; it knows a
 * plugin by the contents of its files, so that nothing else is ever run in its name. A hook may be what refuses a call, so a run whose
 * hooks need a folder that is not here does not begin. `say` hears of a plugin that is another one. Throws `Trouble`.
 */
export async function pluginFolders(
  header: ManifestHeader,
  dirs: readonly string[],
  cwd: string,
  say: (message: string) => void,
): Promise<PluginFolders> {
  const folders: Record<string, string> = {}
  for (const [name, plugin] of Object.entries(header.plugins ?? {})) {
    const found = await folderOf(plugin, dirs, cwd)
    if (typeof found === 'string') folders[name] = found
    else if (hooksFrom(header, name)) throw new Trouble(missing(name, found.fault))
    else if (found.fault !== 'not given') say(`Nothing is run from the plugin ${name}: ${notAsBuilt(found.fault)}`)
  }
  return folders
}

async function folderOf(plugin: ManifestPlugin, dirs: readonly string[], cwd: string): Promise<string | { fault: Fault }> {
  let fault: Fault = 'not given'
  for (const dir of dirs) {
    const folder = resolve(cwd, dir, plugin.folder)
    const states = await Promise.all(
      Object.entries(plugin.files).map(async ([path, hash]) => [path, await stateOf(folder, path, hash)] as const),
    )
    if (states.every(([, state]) => state === 'same')) return folder
    const isIt = states.some(([, state]) => state === 'same')
    const changed = states.find(([, state]) => state === 'changed' || (isIt && state === 'absent'))
    if (changed) fault = { changed: changed[0] }
  }
  return { fault }
}

async function stateOf(folder: string, path: string, hash: string): Promise<'same' | 'changed' | 'absent'> {
  const bytes = await readFile(join(folder, path)).catch(() => undefined)
  if (!bytes) return 'absent'
  return sha256(bytes) === hash ? 'same' : 'changed'
}

/** Whether hooks that a plugin has brought along name its folder. */
function hooksFrom({ hooks }: ManifestHeader, plugin: string): boolean {
  const own = Object.values(hooks).flatMap((groups) => groups.filter(({ origin }) => origin?.plugin === plugin))
  return own.some(({ handlers }) => handlers.some(namesRoot))
}

/** Whether a handler runs from the folder of its plugin. */
function namesRoot(handler: HookHandler): boolean {
  return handler.type === 'command' && JSON.stringify([handler.command, handler.args]).includes('CLAUDE_PLUGIN_ROOT')
}

function missing(name: string, fault: Fault): string {
  return fault === 'not given'
    ? `The hooks of the plugin ${name} run programs of its folder, and it is not here: give it with --plugin-dir.`
    : `The hooks of the plugin ${name} cannot be run: ${notAsBuilt(fault)}`
}

function notAsBuilt({ changed }: { changed: string }): string {
  return `its ${changed} is not as it was when the manifest was built. Run agentc build again.`
}
