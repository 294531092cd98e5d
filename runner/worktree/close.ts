import { lstat, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Env, git, WorktreeFault } from './git.ts'

/** Where worktrees are, below the top of the repository. */
export const WORKTREES = '.claude/worktrees'

/** Who holds a worktree, by the reason of its lock. */
export interface Owner {
  /** Of this process. */
  mark: string
  /** A mark that tells of no process, such as the words of a person, is nobody's who is gone. */
  isAlive(mark: string): boolean
}

/** A worktree and what it was made from. */
export interface Found {
  /** The top of the checkout that it was made from. */
  checkout: string
  path: string
  branch: string
  /** The commit that it was made from. */
  base: string
}

/** Removes a worktree that holds nothing, else unlocks it and keeps it. `removing` is told before. */
export async function closed(
  found: Found,
  env: Env,
  filters: readonly string[],
  removing?: () => Promise<void>,
): Promise<'removed' | 'kept'> {
  const { checkout, path, branch } = found
  await git(['worktree', 'unlock', path], checkout, env).catch(() => undefined)
  if (!(await isUnchanged(found, env, filters))) return 'kept'
  await removing?.()
  // What cannot be removed is kept and said to be: an agent's report does not get lost over it.
  const gone = await git(['worktree', 'remove', path], checkout, env, filters).then(
    () => true,
    () => false,
  )
  if (!gone) return 'kept'
  // `-d` alone would refuse nothing here: the branch is where it began, so nothing is lost with it.
  await git(['branch', '--quiet', '-D', branch], checkout, env).catch(() => undefined)
  await rmdir(join(checkout, WORKTREES)).catch(() => undefined)
  return 'removed'
}

/** Whether nothing was changed, added, ignored or committed since it was made. When that cannot be told, it counts as changed. */
export async function isUnchanged({ path, branch, base, checkout }: Found, env: Env, filters: readonly string[]): Promise<boolean> {
  try {
    const tip = (await git(['rev-parse', `refs/heads/${branch}`], checkout, env)).trim()
    // Of a folder that somebody has taken away, only its commits are left.
    if (!(await isThere(path))) return tip === base
    const status = ['status', '--porcelain', '--untracked-files=all', '--ignored', '--ignore-submodules=none']
    if ((await git(status, path, env, filters)).trim() !== '') return false
    const head = (await git(['rev-parse', 'HEAD'], path, env)).trim()
    return head === base && tip === base
  } catch (error) {
    if (error instanceof WorktreeFault) return false
    throw error
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
