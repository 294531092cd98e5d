import { lstat, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'

/**
 * Where the tools work. Nothing outside `root` and the agent's own memory is ever opened.
 * `told` is the working directory as the model knows it: `cwd` itself, or the recorded one in a replay;
 * absolute paths below it are taken to `cwd`, and all paths in results are relative, so a run can be replayed in any folder.
 */
export interface Workspace {
  /** The git root, or the working directory outside git; without links. */
  root: string
  /** The working directory, without links. */
  cwd: string
  told: string
  /** The top of the checkout that the workspace is a worktree of. */
  checkout?: string | undefined
  /** The user's home folder, where it is known. */
  home?: string | undefined
  /** The user's configuration folder, from which `/` in the rules of the user layer counts. */
  config?: string | undefined
  /** The folder of the agent's notes, for an agent that has one; of no other agent. */
  memory?: OwnMemory | undefined
  /** Why the agent goes without its notes, as a clause. */
  memoryFault?: string | undefined
}

/** `folder` is without links; `told` is what the agent knows it by: relative to the working directory, or behind `~`. */
export interface OwnMemory {
  folder: string
  told: string
}

/** A path that a tool was given. `path` is absolute and may lead through links, `real` does not; `shown` is for the model. */
export type Place =
  | { kind: 'there'; given: string; shown: string; path: string; real: string }
  | { kind: 'missing'; given: string; shown: string; path: string; real: string }
  | { kind: 'outside'; given: string }
  | { kind: 'unusable'; given: string; reason: string }

export async function openWorkspace(cwd: string, home?: string, config?: string): Promise<Workspace> {
  const real = await realpath(cwd)
  return {
    root: (await gitRoot(real)) ?? real,
    cwd: real,
    told: real,
    home,
    config: config ?? (home === undefined ? undefined : join(home, '.claude')),
  }
}

async function gitRoot(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await lstat(join(at, '.git')).catch(() => undefined)
    if (found) return at
    if (at === dirname(at)) return undefined
  }
}

/** Resolves a path through all links before it says whether it is inside. A path that is not there is judged by its nearest folder. */
export async function locate(workspace: Workspace, given: string): Promise<Place> {
  if (given === '' || given.includes('\0')) return { kind: 'unusable', given, reason: 'it is not a path' }
  const path = onDisk(workspace, given)
  try {
    const real = await realpath(path)
    if (!isUsable(workspace, real)) return { kind: 'outside', given }
    return { kind: 'there', given, shown: shownPath(workspace, isInside(workspace.root, path) ? path : real), path, real }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return missing(workspace, given, path)
    return { kind: 'unusable', given, reason: code === 'ELOOP' ? 'its links form a loop' : `it cannot be opened (${code})` }
  }
}

async function missing(workspace: Workspace, given: string, path: string): Promise<Place> {
  let at = dirname(path)
  let real: string | undefined
  while (real === undefined) {
    real = await realpath(at).catch(() => undefined)
    if (real === undefined && at === dirname(at)) return { kind: 'outside', given }
    if (real === undefined) at = dirname(at)
  }
  const whole = join(real, relative(at, path))
  if (!isUsable(workspace, whole)) return { kind: 'outside', given }
  return { kind: 'missing', given, shown: shownPath(workspace, isInside(workspace.root, path) ? path : whole), path, real: whole }
}

function onDisk(workspace: Workspace, given: string): string {
  const noted = inMemory(workspace, given)
  if (noted !== undefined) return noted
  const own = workspace.home === undefined ? given : given.replace(/^~(?=\/|$)/, workspace.home)
  return resolve(workspace.cwd, isAbsolute(own) ? rebased(workspace, own) : own)
}

/** Where a path lies that begins with the folder of notes as the agent was told of it; `undefined` for any other. */
export function inMemory({ memory }: Workspace, given: string): string | undefined {
  const path = slashed(normalize(given))
  if (!memory || (path !== memory.told && !path.startsWith(`${memory.told}/`))) return undefined
  return join(memory.folder, path.slice(memory.told.length))
}

function isUsable({ root, memory }: Workspace, real: string): boolean {
  return isInside(root, real) || (memory !== undefined && isInside(memory.folder, real))
}

function rebased(workspace: Workspace, given: string): string {
  return isInside(workspace.told, given) ? join(workspace.cwd, relative(workspace.told, given)) : given
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** A path for the model: relative to the working directory, with `/`. Of notes that lie elsewhere it is what the agent was told. */
export function shownPath(workspace: Workspace, path: string): string {
  const { root, memory } = workspace
  if (memory && isInside(memory.folder, path) && !isInside(root, path)) return slashed(join(memory.told, relative(memory.folder, path)))
  return slashed(relative(workspace.cwd, path)) || '.'
}

export function slashed(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/')
}
