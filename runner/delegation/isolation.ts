import { join, relative } from 'node:path'
import { turns } from '../in-turn.ts'
import { type Host, isAlive, ownerIn, ownerText } from '../processes.ts'
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

/** Makes a worktree for an agent, or gives why there is none, in a sentence. */
export async function isolate(workspace: Workspace, id: string, env: Env, host: Host): Promise<Isolated | string> {
  const { openWorktree, WorktreeFault } = await import('../worktree/worktree.ts')
  try {
    const made = await inTurn(() => openWorktree(workspace.cwd, id, env, ownerOf(host)))
    return { ...made, told: toldPath(workspace, made.path), close: () => inTurn(made.close) }
  } catch (error) {
    if (!(error instanceof WorktreeFault)) throw error
    return `No worktree could be made for the agent (${error.message}). It was not started; isolation needs a git repository with a commit.`
  }
}

/** The folder of an agent in its worktree: the same as the parent's in the checkout. */
export function insideWorktree(workspace: Workspace, { checkout, path, told }: Isolated): Workspace {
  const moved = movedTo(workspace, checkout, path)
  return { ...moved, told: join(told, relative(path, moved.cwd)), checkout }
}
