import { dirname, join } from 'node:path'
import type { Source } from '../../schemas/source.ts'
import { missing } from '../findings/skill.ts'
import type { DiscoverOptions } from './options.ts'
import { lastPart } from './path.ts'
import { namedPaths, type Plugin } from './plugin.ts'
import type { Project } from './project.ts'
import type { Root } from './root.ts'
import { hide, look, type Search } from './search.ts'
import { mainCheckout } from './worktree.ts'

/** A folder that lies beside `agents` in every layer and is found by the same rules. */
export type LayerFolder = 'skills' | 'commands'

/** What is looked through for skills and commands, and where what is found is noted. */
export interface Layers {
  options: DiscoverOptions
  project: Project
  plugins: readonly Plugin[]
  search: Search
}

/**
 * The places of a folder in all layers that are asked for, the winner first: policy, user, project with the nearest folder first, plugins.
 * The order is the opposite of agents: the person's own skill beats the project's (claude-code-agents.md 8.2). What comes with agentc is last.
 */
export function layerFolders(folder: LayerFolder, { options, project, plugins, search }: Layers): Root[] {
  const { managedDir, configDir, builtinDir, layers } = options
  const user: Root = { path: join(configDir, folder), base: configDir, source: 'user' }
  const roots: Root[] = [
    { path: join(managedDir, '.claude', folder), base: managedDir, source: 'policy' },
    user,
    ...projectFolders(folder, project, search),
    ...plugins.flatMap((plugin) => pluginFolders(folder, plugin, search)),
    ...(folder === 'skills' ? [{ path: join(builtinDir, folder), base: dirname(builtinDir), source: 'builtin' as const }] : []),
  ]
  if (!layers.includes('user')) hide(search, user.path)
  const asked = new Set<Source>(layers)
  return roots.filter(({ source }) => asked.has(source))
}

/** Passes on what was found on the way. A `.claude` that leads nowhere is said once, by the search for agents. */
export function report(own: Search, search: Search, what: 'skill' | 'command'): void {
  const others = own.diagnostics.filter(({ code, at }) => code !== 'file/broken-link' || lastPart(at.origin.path) !== '.claude')
  search.diagnostics.push(...others.map((found) => missing(found, what)))
}

/** As for agents, a linked worktree that has no such folder at its root takes that of its main checkout (M4). */
function projectFolders(folder: LayerFolder, project: Project, search: Search): Root[] {
  const roots = project.folders.map((path): Root => ({ path: join(path, '.claude', folder), base: project.root, source: 'project' }))
  if (project.git !== 'file' || look(search, roots.at(-1)!.path) !== undefined) return roots
  const main = mainCheckout(project.root, search)
  if (main === undefined) return roots
  return [...roots, { path: join(main, '.claude', folder), base: main, source: 'project', checkout: 'main' }]
}

/** What a plugin's manifest names comes in the place of `commands/`, and beside `skills/` (claude-code-agents.md 2.6 has it for agents). */
function pluginFolders(part: LayerFolder, plugin: Plugin, search: Search): Root[] {
  const common = { base: plugin.folder, source: 'plugin', plugin: plugin.name } as const
  const named = namedPaths(plugin, part, search).map(({ path, target }): Root => {
    return { path: target, ...common, named: { path, manifest: plugin.text, part } }
  })
  const usual: Root = { path: join(plugin.folder, part), ...common }
  return part === 'commands' && plugin.manifest.paths.commands ? named : [usual, ...named]
}
