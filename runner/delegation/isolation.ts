import { join, relative } from 'node:path'
import { turns } from '../in-turn.ts'
import { type Host, isAlive, ownerIn, ownerText } from '../processes.ts'
import type { WorktreeHooks } from '../hooks/occasion.ts'
import { toldPath, type Workspace } from '../workspace.ts'
import type { Env } from '../worktree/git.ts'
import type { Owner } from '../worktree/close.ts'
import type { Worktree } from '../worktree/worktree.ts'
import { movedTo } from './ceiling.ts'

/** What begins the reason of a lock of agentc; what follows is the process that holds it. */
const LOCK = 'agentc '

/** This process as the owner of worktrees, known by its number and the time it began at. */
export function ownerOf(host: Host): Owner {
  return {
    mark: `${LOCK}${ownerText(host)}`,
    isAlive(mark) {
      const owner = mark.startsWith(LOCK) ? ownerIn(mark.slice(LOCK.length)) : undefined
      return !owner || isAlive(owner, host)
    },
  }
}

/** Git does not make or remove two worktrees of one repository at the same time without one of them failing now and then. */
const inTurn = turns()

/** A worktree as its agent and those above it are told of it: in a replay by the path that it had in the recorded run. */
export interface Isolated extends Worktree {
  told: string
}

/** Makes a worktree for an agent, or lets a hook make one, or gives why there is none, in a sentence. */
export async function isolate(workspace: Workspace, id: string, env: Env, host: Host, hooks?: WorktreeHooks): Promise<Isolated | string> {
  const { openWorktree, WorktreeFault } = await import('../worktree/worktree.ts')
  const { path: given, refused } = (await hooks?.create(`agent-${id}`)) ?? {}
  if (refused !== undefined) return `No worktree could be made for the agent (${refused}). It was not started.`
  try {
    const made =
      given === undefined
        ? await inTurn(() => openWorktree(workspace.cwd, id, env, ownerOf(host), hooks?.remove))
        : await (await import('./given-worktree.ts')).givenWorktree(given, workspace.root, env, hooks?.remove)
    return { ...made, told: toldPath(workspace, made.path), close: () => inTurn(made.close) }
  } catch (error) {
    if (!(error instanceof WorktreeFault)) throw error
    const needs = given === undefined ? '; isolation needs a git repository with a commit' : ''
    return `No worktree could be made for the agent (${error.message}). It was not started${needs}.`
  }
}

/** Where an agent works, or has left its work, for who reads of it. */
export function placeText({ path, branch }: { path: string; branch?: string | undefined }): string {
  return branch === undefined ? path : `${path} on the branch ${branch}`
}

/** The folder of an agent in its worktree: the same as the parent's in the checkout. */
export function insideWorktree(workspace: Workspace, { checkout, path, told }: Isolated): Workspace {
  const moved = movedTo(workspace, checkout, path)
  return { ...moved, told: join(told, relative(path, moved.cwd)), checkout }
}
