import { basename, dirname, join } from 'node:path'
import { missingLock } from '../findings/server.ts'
import type { Origin } from '../../schemas/source.ts'
import type { SourceFile } from '../source-file.ts'
import { readKnown } from './known.ts'
import type { DiscoverOptions } from './options.ts'
import { pathInside } from './path.ts'
import { namedPaths, PLUGIN_MANIFEST, type Plugin } from './plugin.ts'
import type { Project } from './project.ts'
import { look, realOr, type Search } from './search.ts'

/** How far a server reaches; which of two servers of one name counts (claude-code-agents.md 10.3). */
export type ServerScope = 'plugin' | 'user' | 'project' | 'local' | 'policy'

/** A file that servers are set up in, and the keys that lead to them. */
export interface ServersFile {
  file: SourceFile
  scope: ServerScope
  /** For a plugin's file: servers may stand in it without `mcpServers` around them. */
  keys: readonly string[]
  /** Absolute folder of the plugin, for `${CLAUDE_PLUGIN_ROOT}` when its servers are started to be locked. */
  pluginFolder?: string
}

const SERVERS = ['mcpServers'] as const

/** It holds much else, and grows with every project a person opens. */
const USER_FILE_LIMIT = 64 * 1024 * 1024

/** Name of the lock file beside a project's `.mcp.json`; it is meant to be committed. */
export const MCP_LOCK = 'agentc.mcp.lock.json'

/**
 * The files in which servers are set up, lowest precedence first: plugins, the user, the project with the nearest folder last, the user's
 * own for this project (local), the policy.
 */
export function serverFiles(options: DiscoverOptions, project: Project, plugins: readonly Plugin[], search: Search): ServersFile[] {
  const wanted = (source: DiscoverOptions['layers'][number]): boolean => options.layers.includes(source)
  return [
    ...plugins.flatMap((plugin) => pluginFiles(plugin, search)),
    ...(wanted('user') ? userFiles(options, project, search) : []),
    ...(wanted('project') ? projectFiles(project, search) : []),
    ...(wanted('policy') ? policyFiles(options, search) : []),
  ].sort((a, b) => ORDER.indexOf(a.scope) - ORDER.indexOf(b.scope))
}

const ORDER: readonly ServerScope[] = ['plugin', 'user', 'project', 'local', 'policy']

/** `.claude.json` lies in the home folder, or in the configuration folder where that was moved. One file, two scopes. */
function userFiles({ home, configDir }: DiscoverOptions, project: Project, search: Search): ServersFile[] {
  const base = configDir === join(home, '.claude') ? home : configDir
  const root = { path: join(base, '.claude.json'), base, source: 'user' } as const
  return readKnown('servers', 'json', root, search, USER_FILE_LIMIT).flatMap((file): ServersFile[] => {
    const shown = base === home ? { ...file, origin: { ...file.origin, path: '../.claude.json' } } : file
    return [
      { file: shown, scope: 'user', keys: SERVERS },
      ...[...project.folders]
        .reverse()
        .map((folder): ServersFile => ({ file: shown, scope: 'local', keys: ['projects', folder, ...SERVERS] })),
    ]
  })
}

function projectFiles(project: Project, search: Search): ServersFile[] {
  return [...project.folders].reverse().flatMap((folder) => {
    const found = readKnown('servers', 'json', { path: join(folder, '.mcp.json'), base: project.root, source: 'project' }, search)
    return found.map((file): ServersFile => ({ file, scope: 'project', keys: SERVERS }))
  })
}

function policyFiles({ managedDir }: DiscoverOptions, search: Search): ServersFile[] {
  const root = { path: join(managedDir, 'managed-mcp.json'), base: managedDir, source: 'policy' } as const
  return readKnown('servers', 'json', root, search).map((file) => ({ file, scope: 'policy', keys: SERVERS }))
}

/** A plugin's `.mcp.json`, the files its manifest names, and what the manifest says itself. */
function pluginFiles(plugin: Plugin, search: Search): ServersFile[] {
  const files = filesOf(plugin, { kind: 'servers', part: 'mcpServers', usual: '.mcp.json' }, search)
  return files.map((file) => ({ file, scope: 'plugin', keys: SERVERS, pluginFolder: plugin.folder }))
}

/** A part of a plugin: where it usually lies, and under which key its manifest names files of it or holds it. */
interface Part {
  kind: 'servers' | 'hooks'
  part: 'mcpServers' | 'hooks'
  usual: string
}

/** Each file once, also if the manifest names the usual one; the manifest itself last, if it holds the part. */
function filesOf(plugin: Plugin, { kind, part, usual }: Part, search: Search): SourceFile[] {
  const { name, folder, manifest, manifestPath } = plugin
  const paths = new Set([join(folder, usual), ...namedPaths(plugin, part, search).map(({ target }) => target)])
  const files = [...paths].flatMap((path) => readKnown(kind, 'json', { path, base: folder, source: 'plugin', plugin: name }, search))
  return manifest.inline.has(part) && manifestPath !== undefined ? [...files, manifestFile(kind, plugin)] : files
}

function manifestFile(kind: SourceFile['kind'], { name, text, manifestHash: hash }: Plugin): SourceFile {
  return {
    kind,
    form: 'json',
    origin: { source: 'plugin', path: PLUGIN_MANIFEST, plugin: name },
    text,
    ...(hash !== undefined && { hash }),
  }
}

/** `hooks/hooks.json` of a plugin, the files its manifest names for hooks, and the manifest itself if it holds some; all have a key `hooks`. */
export function pluginHookFiles(plugin: Plugin, search: Search): SourceFile[] {
  return filesOf(plugin, { kind: 'hooks', part: 'hooks', usual: join('hooks', 'hooks.json') }, search)
}

/** The lock file: the one that was named, which has to be there, or the project's, which need not. */
export function lockFile({ mcpLock, layers }: DiscoverOptions, project: Project, search: Search): SourceFile | undefined {
  if (mcpLock === undefined && !layers.includes('project')) return undefined
  const path = mcpLock ?? join(project.root, MCP_LOCK)
  const origin = lockOrigin(path, project, search)
  const root = { path, base: dirname(path), source: origin.source }
  const [file] = readKnown('lock', 'json', root, search, LOCK_LIMIT)
  if (file) return { ...file, origin }
  const missing = mcpLock !== undefined && look(search, path) === undefined
  if (missing) search.diagnostics.push(missingLock({ kind: 'lock', form: 'json', origin, text: '' }, 'it does not exist'))
  return undefined
}

function lockOrigin(path: string, { root }: Project, search: Search): Origin {
  const inside = pathInside(root, join(realOr(search, dirname(path)), basename(path)))
  return inside === undefined ? { source: 'flag', path: `<outside>/${basename(path)}` } : { source: 'project', path: inside }
}

/** Descriptions and schemas of many servers may be long. */
const LOCK_LIMIT = 16 * 1024 * 1024
