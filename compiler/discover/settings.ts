import { basename, join } from 'node:path'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { unreadable } from '../findings/file.ts'
import { settingsUnreadable } from '../findings/settings.ts'
import type { SourceFile } from '../source-file.ts'
import { findConfig } from './config.ts'
import { DISK, faultOf, type FileSystem } from './file-system.ts'
import { flagSources } from './flag.ts'
import type { Input } from './input.ts'
import type { KnownSources } from './known-sources.ts'
import { readKnown } from './known.ts'
import type { DiscoverOptions } from './options.ts'
import { byPath, pathInside } from './path.ts'
import { findProject, type Project } from './project.ts'
import type { Root } from './root.ts'
import { entriesIn, firstVisit, hide, inputsOf, look, newSearch, noteFolder, type Search } from './search.ts'

export interface SettingsDiscovery {
  /** Lowest precedence first. */
  files: SourceFile[]
  /** `agentc.config.json` of the project and of policy. */
  config: SourceFile[]
  diagnostics: Diagnostic[]
  inputs: Input[]
  /** The working directory relative to the project's root, with `/`. */
  folder: string
}

/** As `findSettings`, with a search of its own: settings say which plugins are enabled, so they are read before anything else is looked for. */
export function discoverSettings(options: DiscoverOptions, fs: FileSystem = DISK, known?: KnownSources): SettingsDiscovery {
  const search = newSearch(fs, known)
  const project = findProject(options.cwd, search)
  const files = findSettings(options, project, search)
  const folder = pathInside(project.root, project.folders[0]!) ?? ''
  const config = findConfig(options, project, search)
  return { files, config, diagnostics: search.diagnostics, inputs: inputsOf(search), folder }
}

/**
 * Finds and reads all settings files. Out: lowest precedence first: user, project, local, `--settings`, managed (claude-code-agents.md 3.4, 5.4).
 *
 * The project's are those of every folder from the git root down to the working directory, the nearest last, as for agents. Claude Code
 * reads shared ones from the working directory only, so that a rule of the root silently does not hold in a package below it
 * (anthropics/claude-code#74023, #86187); agentc says so with `--target`. One physical file counts once: home as the project stays user.
 */
export function findSettings(options: DiscoverOptions, project: Project, search: Search): SourceFile[] {
  const own: Search = { ...search, diagnostics: [] }
  const { layers, configDir, settingsFlag } = options
  const asked = <T>(layer: (typeof layers)[number], find: () => T[]): T[] => (layers.includes(layer) ? find() : [])
  const user: Root = { path: join(configDir, 'settings.json'), base: configDir, source: 'user' }
  const policy = asked('policy', () => managedRoots(options.managedDir, own).flatMap((root) => once(root, own)))
  const ofUser = asked('user', () => once(user, own))
  if (!layers.includes('user')) hide(own, user.path)
  const shared = asked('project', () => ofProject('settings.json', project, own))
  const local = (options.localSettings ?? layers.includes('project')) ? ofProject('settings.local.json', project, own) : []
  const flag = asked('flag', () =>
    settingsFlag === undefined ? [] : flagSources(settingsFlag, options.cwd, project.root, own, { name: '--settings', kind: 'settings' }),
  )
  search.diagnostics.push(...own.diagnostics.map(settingsUnreadable))
  return [...ofUser, ...shared, ...local, ...flag, ...policy]
}

/** Nearest folder first, so that of two ways to one file the nearest is kept; then turned round. */
function ofProject(name: string, project: Project, search: Search): SourceFile[] {
  const roots = project.folders.map((folder): Root => ({ path: join(folder, '.claude', name), base: project.root, source: 'project' }))
  return roots.flatMap((root) => once(root, search)).reverse()
}

function once(root: Root, search: Search): SourceFile[] {
  const stat = look(search, root.path)
  if (typeof stat === 'object' && stat.kind === 'file' && !firstVisit(search, root.path, stat)) return []
  return readKnown('settings', 'json', root, search)
}

/** `managed-settings.json`, then what lies in `managed-settings.d`, in the order of names; hidden files are left alone. */
function managedRoots(managedDir: string, search: Search): Root[] {
  const root = (path: string): Root => ({ path, base: managedDir, source: 'policy' })
  const folder = join(managedDir, 'managed-settings.d')
  const names = namesIn(folder, search).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  return [root(join(managedDir, 'managed-settings.json')), ...names.sort(byPath).map((name) => root(join(folder, name)))]
}

function namesIn(folder: string, search: Search): string[] {
  const stat = look(search, folder)
  if (stat === undefined) return []
  const refuse = (reason: string): string[] => {
    search.diagnostics.push(unreadable({ source: 'policy', path: basename(folder) }, reason))
    return []
  }
  if (typeof stat === 'string' || stat.kind !== 'folder') return refuse(typeof stat === 'string' ? stat : 'ENOTDIR')
  noteFolder(search, folder, stat)
  try {
    return entriesIn(search, folder).map(({ name }) => name)
  } catch (error) {
    return refuse(faultOf(error))
  }
}
