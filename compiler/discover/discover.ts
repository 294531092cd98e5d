import { dirname, join } from 'node:path'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { SOURCES, type Source } from '../../schemas/source.ts'
import type { SourceFile } from '../source-file.ts'
import { DISK, type FileSystem } from './file-system.ts'
import { flagSources } from './flag.ts'
import type { Input } from './input.ts'
import type { KnownSources } from './known-sources.ts'
import { filesIn } from './open.ts'
import type { DiscoverOptions } from './options.ts'
import { byPath } from './path.ts'
import { pluginRoots, type Plugin } from './plugin.ts'
import type { PluginProgram } from './programs.ts'
import { findPlugins } from './plugins.ts'
import { findProject, projectRoots, type Project } from './project.ts'
import { readSource } from './read.ts'
import type { Root } from './root.ts'
import { hide, inputsOf, newSearch, type Search } from './search.ts'
import { lockFile, pluginHookFiles, serverFiles, type ServersFile } from './server-files.ts'
import { findSkills } from './skills.ts'
import { findCommands } from './slash-commands.ts'
import { findTools } from './tools.ts'

export type { Input } from './input.ts'

export interface Discovery {
  /** Lowest precedence first; inside one folder by path. */
  files: SourceFile[]
  /** Skills and slash commands, lowest precedence first, which is another order than that of agents (`layerFolders`). */
  skills: SourceFile[]
  commands: SourceFile[]
  /** The project's and the person's own tools, lowest precedence first. */
  tools: SourceFile[]
  diagnostics: Diagnostic[]
  /** All that was looked at or looked for. Host-local. */
  inputs: Input[]
  /** The git root, or the working directory outside a repository; a real path. */
  projectRoot: string
  /** The folders from the working directory up to it, nearest first; real paths. */
  projectFolders: string[]
  plugins: Plugin[]
  /** Where MCP servers are set up, lowest precedence first. */
  servers: ServersFile[]
  /** What their tools are locked to. */
  lock?: SourceFile
  /** Files of plugins with a key `hooks`. */
  pluginHooks: SourceFile[]
  /** What these and the plugins' servers run from their folders; known once they are understood. */
  programs: PluginProgram[]
}

/**
 * The order in which the layers are visited. One physical file counts once, and its first place is kept: policy, then user,
 * then project with the nearest folder first (claude-code-agents.md 2.4; so home as the project stays user, case 27),
 * then plugins in the order given; inside one folder what is no link first, then by path.
 */
const VISITS = ['policy', 'user', 'project', 'plugin', 'builtin', 'flag'] as const satisfies readonly Source[]

/**
 * Finds and reads the agent files of all six layers (mission M1, M4). In: where to look, and a disk. Out: the files with
 * their texts, lowest precedence first. Bad input is a finding, never an exception, and one bad file never stops the others.
 */
export function discover(options: DiscoverOptions, fs: FileSystem = DISK, known?: KnownSources): Discovery {
  const search = newSearch(fs, known, options.whenMany)
  const project = findProject(options.cwd, search)
  const plugins = options.layers.includes('plugin') ? findPlugins(options, search) : []
  const layers = new Map<Source, SourceFile[]>()
  for (const source of VISITS) {
    if (options.layers.includes(source)) layers.set(source, readLayer(source, options, project, plugins, search))
  }
  const files = SOURCES.flatMap((source) => layers.get(source) ?? [])
  const skills = findSkills({ options, project, plugins, search })
  const commands = findCommands({ options, project, plugins, search })
  const tools = findTools(options, project, search)
  const servers = serverFiles(options, project, plugins, search)
  const lock = lockFile(options, project, search)
  const pluginHooks = plugins.flatMap((plugin) => pluginHookFiles(plugin, search))
  return {
    files,
    skills,
    commands,
    tools,
    plugins,
    servers,
    ...(lock && { lock }),
    pluginHooks,
    programs: [],
    diagnostics: search.diagnostics,
    inputs: inputsOf(search),
    projectRoot: project.root,
    projectFolders: project.folders,
  }
}

function readLayer(source: Source, options: DiscoverOptions, project: Project, plugins: readonly Plugin[], search: Search): SourceFile[] {
  const read = (roots: Root[]) => readRoots(roots, search)
  const { managedDir, configDir, builtinDir } = options
  switch (source) {
    case 'policy':
      return read([{ path: join(managedDir, '.claude', 'agents'), base: managedDir, source }])
    case 'user':
      return read([userRoot(configDir)])
    case 'project':
      hide(search, userRoot(configDir).path)
      return projectRoots('agents', project, search)
        .map((root) => read([root]))
        .reverse()
        .flat()
    case 'plugin':
      return plugins.flatMap((plugin) => read(pluginRoots('agents', plugin, search)))
    case 'builtin':
      return read([{ path: builtinDir, base: dirname(builtinDir), source, flat: true }])
    case 'flag':
      return options.agentsFlag === undefined ? [] : flagSources(options.agentsFlag, options.cwd, project.root, search)
  }
}

function userRoot(configDir: string): Root {
  return { path: join(configDir, 'agents'), base: configDir, source: 'user' }
}

/** The files of several roots that are shown as one folder. */
function readRoots(roots: Root[], search: Search): SourceFile[] {
  const found = roots.flatMap((root) => filesIn(root, search))
  if (roots.length > 1) found.sort((a, b) => byPath(a.origin.path, b.origin.path))
  return found.flatMap((file) => readSource(file, 'markdown', search))
}
