import { appendFile, lstat, mkdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { closed, type Found, type Owner, WORKTREES } from './close.ts'
import { type Env, git, withoutFilters, WorktreeFault } from './git.ts'
import { sweep } from './sweep.ts'

export { WorktreeFault } from './git.ts'

/** A worktree of one agent. One that was not made by agentc may have neither branch nor commit. */
export interface Worktree extends Pick<Found, 'checkout' | 'path'>, Partial<Pick<Found, 'branch' | 'base'>> {
  /** As people are told of it: relative to the checkout. */
  shown: string
  /** Removes it if the agent has left it as it was, its branch too; else keeps both. Never removes work. */
  close(): Promise<'removed' | 'kept'>
}

/**
 * Makes a worktree for an agent: `.claude/worktrees/agent-<id>` on the branch `worktree-agent-<id>`, from the commit that is checked out
 * (measured.md, Delegation). Those that dead runs have left behind are looked through first. Throws `WorktreeFault` with git's cause.
 * `removing` is told before it is removed.
 */
export async function openWorktree(
  cwd: string,
  id: string,
  env: Env,
  owner: Owner,
  removing?: (path: string) => Promise<void>,
): Promise<Worktree> {
  const checkout = await realpath((await git(['rev-parse', '--show-toplevel'], cwd, env)).replace(/\n$/, ''))
  const base = (await git(['rev-parse', '--verify', 'HEAD^{commit}'], cwd, env)).trim()
  await plainFolders(checkout)
  await sweep(checkout, env, owner)
  const filters = await withoutFilters(checkout, env)
  const branch = `worktree-agent-${id}`
  const path = join(checkout, WORKTREES, `agent-${id}`)
  await git(['worktree', 'add', '--quiet', '--lock', '--reason', owner.mark, '-b', branch, path, base], checkout, env, filters)
  await staysOut(checkout, env)
  const shown = relative(checkout, path)
  const found = { checkout, path, branch, base }
  let closing: Promise<'removed' | 'kept'> | undefined
  return { ...found, shown, close: () => (closing ??= closed(found, env, filters, removing && (() => removing(path)))) }
}

/**
 * A link in place of a folder would lead the worktree out of the project. Another run may take the empty folders away at the very moment,
 * with its last worktree; then they are made again.
 */
async function plainFolders(checkout: string, tries = 10): Promise<void> {
  try {
    await mkdir(join(checkout, WORKTREES), { recursive: true })
    for (const folder of ['.claude', WORKTREES]) {
      if (!(await lstat(join(checkout, folder))).isDirectory()) throw new WorktreeFault(`${folder} is not a folder but a link`)
    }
  } catch (error) {
    if (error instanceof WorktreeFault) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' || tries === 0) throw new WorktreeFault(`${WORKTREES} cannot be made (${code})`)
    await plainFolders(checkout, tries - 1)
  }
}

/** Worktrees are no files of the project: the checkout's own list of what git is not to see names their folder. */
async function staysOut(checkout: string, env: Env): Promise<void> {
  const file = resolve(checkout, (await git(['rev-parse', '--git-path', 'info/exclude'], checkout, env)).replace(/\n$/, ''))
  const line = `/${WORKTREES}/`
  const text = await readFile(file, 'utf8').catch(() => '')
  if (text.split('\n').includes(line)) return
  await mkdir(dirname(file), { recursive: true }).catch(() => undefined)
  await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`).catch(() => undefined)
}
