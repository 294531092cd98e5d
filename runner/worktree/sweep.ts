import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Env, git, withoutFilters } from './git.ts'
import { closed, type Owner, WORKTREES } from './close.ts'

/**
 * Looks through the worktrees of agents whose process is gone, as the kill of a run leaves them. Their locks are taken away, and those
 * that hold nothing are removed; whatever holds work stays. Worktrees of people, and of others' programs, are left alone.
 */
export async function sweep(checkout: string, env: Env, owner: Owner): Promise<void> {
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], checkout, env).catch(() => '')
  const top = await realpath(join(checkout, WORKTREES)).catch(() => undefined)
  if (top === undefined) return
  const stale = entries(listed).filter(({ path, branch, lock }) => {
    const isOurs = path.startsWith(`${top}/agent-`) && branch === `worktree-${basename(path)}`
    return isOurs && lock !== undefined && !owner.isAlive(lock)
  })
  // One that lies in another one comes first: the other one holds something as long as it is there.
  stale.sort((a, b) => b.path.length - a.path.length)
  if (stale.length === 0) return
  const filters = await withoutFilters(checkout, env)
  for (const { path, branch, head } of stale) {
    const base = await baseOf(checkout, branch, env)
    // Without a base it cannot be told whether there are commits, so it is kept.
    await closed({ checkout, path, branch, base: base ?? `not ${head}` }, env, filters).catch(() => 'kept')
  }
}

interface Entry {
  path: string
  head: string
  branch: string
  lock: string | undefined
}

function entries(listed: string): Entry[] {
  return listed.split('\0\0').map((block) => {
    const fields = block.split('\0')
    const field = (name: string): string | undefined => {
      const line = fields.find((text) => text === name || text.startsWith(`${name} `))
      return line?.slice(name.length + 1)
    }
    return {
      path: field('worktree') ?? '',
      head: field('HEAD') ?? '',
      branch: (field('branch') ?? '').replace('refs/heads/', ''),
      lock: field('locked'),
    }
  })
}

/** The commit that a branch was made from, as its reflog says; `undefined` if it has moved since, or nobody knows. */
async function baseOf(checkout: string, branch: string, env: Env): Promise<string | undefined> {
  const log = await git(['reflog', 'show', '--format=%H', `refs/heads/${branch}`], checkout, env).catch(() => '')
  const commits = log.split('\n').filter((line) => line !== '')
  return commits.length === 1 ? commits[0] : undefined
}
