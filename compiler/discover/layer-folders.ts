import { dirname, join } from 'node:path'
import type { Source } from '../../schemas/source.ts'
import { missing } from '../findings/skill.ts'
import type { DiscoverOptions } from './options.ts'
import { ownFindings } from './open.ts'
import { pluginRoots, type Plugin } from './plugin.ts'
import { projectRoots, type Project } from './project.ts'
import type { Root, RootPart } from './root.ts'
import { hide, type Search } from './search.ts'

/** A folder that lies beside `agents` in every layer and is found by the same rules. */
export type LayerFolder = Exclude<RootPart, 'agents'>

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
    ...projectRoots(folder, project, search),
    ...plugins.flatMap((plugin) => pluginRoots(folder, plugin, search)),
    ...(folder === 'skills' ? [{ path: join(builtinDir, folder), base: dirname(builtinDir), source: 'builtin' as const }] : []),
  ]
  if (!layers.includes('user')) hide(search, user.path)
  const asked = new Set<Source>(layers)
  return roots.filter(({ source }) => asked.has(source))
}

/** Passes on what was found on the way. */
export function report(own: Search, search: Search, what: 'skill' | 'command'): void {
  search.diagnostics.push(...ownFindings(own).map((found) => missing(found, what)))
}
