import { lstat, realpath } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'
import { isInside } from '../workspace.ts'
import { type Env, git, withoutFilters, WorktreeFault } from '../worktree/git.ts'
import type { Worktree } from '../worktree/worktree.ts'

/**
 * A worktree that somebody else has made (a hook of WorktreeCreate, with git or without). It has to be a folder apart from the checkout. Where
 * git can tell that it is as it was, `remove` is called when it is closed, and may take it away; nothing of it is removed here.
 * Throws `WorktreeFault`.
 */
export async function givenWorktree(
  given: string,
  checkout: string,
  env: Env,
  remove?: (path: string) => Promise<void>,
): Promise<Worktree> {
  const path = isAbsolute(given) ? await realpath(given).catch(() => undefined) : undefined
  if (path === undefined || !(await isFolder(path)))
    throw new WorktreeFault(`a hook has made ${given}, which is not the absolute path of a folder`)
  const said = (...args: string[]): Promise<string | undefined> =>
    git(args, path, env).then(
      (text) => text.trim(),
      () => undefined,
    )
  const top = await said('rev-parse', '--show-toplevel')
  if (isInside(path, checkout) || top === checkout)
    throw new WorktreeFault(`a hook has made ${given}, which is not apart from the checkout`)
  const base = await said('rev-parse', '--verify', 'HEAD^{commit}')
  const branch = await said('symbolic-ref', '--quiet', '--short', 'HEAD')
  const close = async (): Promise<'removed' | 'kept'> => {
    if (base === undefined || !(await isAsItWas(path, base, env))) return 'kept'
    await remove?.(path)
    return (await isFolder(path)) ? 'kept' : 'removed'
  }
  let closing: Promise<'removed' | 'kept'> | undefined
  const shown = isInside(checkout, path) ? relative(checkout, path) : path
  return { checkout, path, shown, ...(branch && { branch }), ...(base && { base }), close: () => (closing ??= close()) }
}

async function isAsItWas(path: string, base: string, env: Env): Promise<boolean> {
  try {
    const filters = await withoutFilters(path, env)
    const status = ['status', '--porcelain', '--untracked-files=all', '--ignored', '--ignore-submodules=none']
    if ((await git(status, path, env, filters)).trim() !== '') return false
    return (await git(['rev-parse', 'HEAD'], path, env)).trim() === base
  } catch (error) {
    if (error instanceof WorktreeFault) return false
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isDirectory(),
    () => false,
  )
}
