import { posix } from 'node:path'
import { CONFIG } from '../discover/config.ts'
import { MCP_LOCK } from '../discover/server-files.ts'
import type { TreeEntry } from './git.ts'
import { INSTRUCTIONS } from './imports.ts'

/** Files that say how a project's agents are, by the name of one part of their path. */
const FILES: ReadonlySet<string> = new Set(['.mcp.json', MCP_LOCK, CONFIG, ...INSTRUCTIONS])

/** An entry is wanted if a build could read it: below `.claude`, in a plugin or marketplace (`.claude-plugin` marks one), or by its name. */
function isWanted(path: string, plugins: readonly string[]): boolean {
  const parts = path.split('/')
  return parts.includes('.claude') || FILES.has(parts.at(-1)!) || plugins.some((folder) => isBelow(path, folder))
}

/**
 * The entries of a commit that a build can read, so that a revision of a large repository is not written out whole. Links count with all
 * that they lead to, over any number of links. In: all entries, what each link says, and paths that are wanted whatever they are called.
 * Unsafe paths are left out.
 */
export function selectEntries(
  entries: readonly TreeEntry[],
  targetOf: (entry: TreeEntry) => string,
  also: ReadonlySet<string> = new Set(),
): TreeEntry[] {
  const safe = entries.filter(({ path }) => isSafe(path))
  const plugins = [...new Set(safe.flatMap(({ path }) => pluginFolder(path)))]
  const links = safe.filter(({ kind }) => kind === 'link')
  const chosen = new Set(safe.filter(({ path }) => also.has(path) || isWanted(path, plugins)))
  for (const entry of chosen) {
    if (entry.kind !== 'link') continue
    const target = posix.join(posix.dirname(entry.path), targetOf(entry))
    for (const link of links) if (isBelow(target, link.path)) chosen.add(link)
    for (const other of safe) if (isBelow(other.path, target)) chosen.add(other)
    for (const path of throughLinks(target, links, targetOf)) for (const other of safe) if (isBelow(other.path, path)) chosen.add(other)
  }
  return [...chosen]
}

/** Where a path leads if folders on its way are links; a bound ends loops. */
function throughLinks(path: string, links: readonly TreeEntry[], targetOf: (entry: TreeEntry) => string): string[] {
  const found: string[] = []
  for (let turn = 0; turn < 40; turn++) {
    const link = links.find((entry) => isBelow(path, entry.path))
    if (!link) break
    path = posix.join(posix.dirname(link.path), targetOf(link), path.slice(link.path.length))
    found.push(path.replace(/\/$/, ''))
  }
  return found
}

/** The path itself or anything below it; `.` is the root. */
function isBelow(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`)
}

function pluginFolder(path: string): string[] {
  const parts = path.split('/')
  const at = parts.indexOf('.claude-plugin')
  return at < 0 ? [] : [parts.slice(0, at).join('/') || '.']
}

/** No part of a path may lead out of the folder it is written to, or into its `.git`. */
function isSafe(path: string): boolean {
  return path
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git' && !/[\\\0]/.test(part))
}
