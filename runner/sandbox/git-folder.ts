import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isInside, realPathOf } from '../workspace.ts'

/** What git keeps of a checkout: where commands may write, and what in it would make git run a program. */
export interface GitFolders {
  writable: readonly string[]
  closed: readonly string[]
}

/** Submodules of submodules, and names with slashes. */
const DEEPEST = 6

/**
 * The git folder of a checkout. In a worktree it is that of the repository, which lies elsewhere: without it nothing could be committed.
 * A `.git` file that leads to a repository which does not know of it opens nothing.
 */
export function gitFolders(checkout: string): GitFolders {
  const path = realPathOf(join(checkout, '.git')) ?? ''
  // A link out of the checkout opens nothing either.
  const kind = isInside(checkout, path) ? kindOf(path) : undefined
  if (kind === 'folder') return { writable: [path], closed: inGit(path) }
  if (kind !== 'file') return { writable: [], closed: [] }
  const own = ownFolder(path)
  if (own === undefined) return { writable: [], closed: [path] }
  const shared = sharedFolder(own)
  return { writable: [...new Set([shared, own])], closed: [path, ...inGit(shared), ...(shared === own ? [] : inGit(own))] }
}

/** Settings and hooks, those of submodules too. A folder for hooks is made where there is none, so that none is made by a command. */
function inGit(folder: string): string[] {
  const hooks = join(folder, 'hooks')
  if (kindOf(join(folder, 'objects')) === 'folder' && kindOf(hooks) === undefined) attempt(() => mkdirSync(hooks))
  const own = ['config', 'config.worktree', 'hooks', 'commondir', 'gitdir'].map((name) => join(folder, name))
  return [...own, ...modules(join(folder, 'modules'), DEEPEST)].filter((path) => kindOf(path) !== undefined)
}

function modules(folder: string, deep: number): string[] {
  if (deep === 0) return []
  return entries(folder).flatMap((name) => {
    const path = join(folder, name)
    if (kindOf(path) !== 'folder') return []
    return kindOf(join(path, 'HEAD')) === 'file' ? inGit(path) : modules(path, deep - 1)
  })
}

/** Where a `.git` file leads, if that place knows of it: as its worktree, or in its settings as the place of a submodule. */
function ownFolder(file: string): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(text(file))?.[1]
  const own = named && realPathOf(resolve(dirname(file), named))
  if (!own) return undefined
  const back = text(join(own, 'gitdir')).trim()
  const place = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(text(join(own, 'config')))?.[1]
  const known = back !== '' ? resolve(own, back) : place !== undefined ? join(resolve(own, place), '.git') : undefined
  return known !== undefined && realPathOf(known) === file ? own : undefined
}

function sharedFolder(own: string): string {
  const shared = text(join(own, 'commondir')).trim()
  return (shared !== '' && realPathOf(resolve(own, shared))) || own
}

/** A link counts as nothing: what it leads to has a path of its own. */
export function kindOf(path: string): 'file' | 'folder' | undefined {
  const stats = attempt(() => lstatSync(path, { throwIfNoEntry: false }))
  if (!stats || stats.isSymbolicLink()) return undefined
  return stats.isDirectory() ? 'folder' : 'file'
}

export function entries(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? []
}

function text(path: string): string {
  return attempt(() => readFileSync(path, 'utf8')) ?? ''
}

function attempt<T>(what: () => T): T | undefined {
  try {
    return what()
  } catch {
    return undefined
  }
}
