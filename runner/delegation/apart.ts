import { join, relative } from 'node:path'
import { type Asked, type AskedFile, denied } from '../permission/asked.ts'
import type { Decide } from '../permission/decide.ts'
import { isInside, toldPath } from '../workspace.ts'
import { gitLedTo } from './git-escape.ts'
import { shellLedTo } from './shell-escape.ts'

/** A worktree that an agent, and all below it, is held to, and the checkout that it was made from. */
export interface Apart {
  checkout: string
  path: string
}

/** Decides as before, but keeps from the checkouts behind all of these worktrees. */
export function keptApart(decide: Decide, worktrees: readonly Apart[]): Decide {
  return worktrees.reduce(notInCheckout, decide)
}

/**
 * In a worktree nothing of the checkout that it was made from is touched: no tool opens it, and no command writes to it, or is led to it by a
 * name while it cannot be known what it does (M30). The agent's own memory is there all the same; rules see its files as if they lay in the
 * worktree, so that one that denies them still does.
 */
function notInCheckout(decide: Decide, { checkout, path: worktree }: Apart): Decide {
  const leaks = (path: string): boolean => isInside(checkout, path) && !isInside(worktree, path)
  return (given, rights) => {
    const { workspace, own, readable = [] } = rights
    const isOwn = ({ real }: AskedFile): boolean => own?.some((folder) => isInside(folder, real)) === true
    const moved = (file: AskedFile): AskedFile => ({ ...file, path: join(worktree, relative(checkout, file.real)) })
    const asked = { ...given, files: given.files.map((file) => (isOwn(file) && leaks(file.real) ? moved(file) : file)) }
    const led = gitLedTo(asked, workspace.cwd, leaks)
    if (led !== undefined) return denied(`git is led to ${led}, and this agent works in the worktree ${toldPath(workspace, worktree)} only`)
    // Programs of a skill that is at work are run where they lie.
    const isSkills = ({ real }: AskedFile): boolean => readable.some((folder) => isInside(folder, real))
    const isApart = (file: AskedFile): boolean => !isOwn(file) && !isSkills(file) && [file.real, file.path].some(leaks)
    const path = pathsOf(asked, isOwn).find(leaks) ?? shellLedTo(asked, workspace, isApart)
    if (path === undefined) return decide(asked, rights)
    const [there, instead] = [path, join(worktree, relative(checkout, path))].map((at) => toldPath(workspace, at))
    return denied(`${there} is in the main checkout, and this agent works in a worktree: use ${instead}`)
  }
}

function pathsOf({ files, shell }: Asked, isOwn: (file: AskedFile) => boolean): string[] {
  const written = shell?.files.filter(({ how }) => how === 'write') ?? []
  return [...files, ...written].filter((file) => !isOwn(file)).flatMap(({ path, real }) => [real, path])
}
