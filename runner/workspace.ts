import { realpathSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'

/**
 * Where the tools work. They open nothing outside of `root`, `folders`, the agent's own `memory` and, for one call, `beyond`: this holds
 * whatever the rules say.
 * `told` is the working directory as the model knows it: `cwd` itself, or the recorded one in a replay;
 * absolute paths below it are taken to `cwd`, and paths of the project are relative in results, so a run can be replayed in any folder.
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
  /** Further folders that are worked in like the root, without links (`additionalDirectories`). */
  folders?: readonly string[] | undefined
  /** Files and folders elsewhere that have been decided on for one call, without links. */
  beyond?: readonly string[] | undefined
  /** The user's configuration folder, from which `/` in the rules of the user layer counts. */
  config?: string | undefined
  /** Where the plugins of the manifest lie, by name, and the managed files, and what comes with agentc: skills have files there. */
  plugins?: Readonly<Record<string, string>> | undefined
  managed?: string | undefined
  bundled?: string | undefined
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
  const real = realpathSync.native(cwd)
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

/**
 * A path that a model wrote, made absolute, links not followed; `undefined` for what is no path. The rules and the tools must understand it
 * alike, so this is the one place that does: a tilde is home, and what was told as the working directory is the one that is worked in.
 */
export function absolutePath(workspace: Workspace, given: string, folder = workspace.cwd): string | undefined {
  if (given === '' || given.includes('\0')) return undefined
  const own = given
    .replace(/^\/proc\/(?:self|thread-self)\/cwd(?=\/|$)/, folder)
    .replace(/^\/proc\/(?:self|thread-self|\d+)\/root(?=\/|$)/, '/')
    .replace(/^~(?=\/|$)/, workspace.home ?? '~')
  return resolve(folder, isAbsolute(own) ? rebased(workspace, own) : own)
}

/** Resolves a path through all links before it says whether it is inside. A path that is not there is judged by its nearest folder. */
export async function locate(workspace: Workspace, given: string): Promise<Place> {
  const path = inMemory(workspace, given) ?? absolutePath(workspace, given)
  if (path === undefined) return { kind: 'unusable', given, reason: 'it is not a path' }
  try {
    const real = realpathSync.native(path)
    if (!opens(workspace, real)) return { kind: 'outside', given }
    return { kind: 'there', given, shown: shownPath(workspace, isInside(workspace.root, path) ? path : real), path, real }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return missing(workspace, given, path)
    return { kind: 'unusable', given, reason: code === 'ELOOP' ? 'its links form a loop' : `it cannot be opened (${code})` }
  }
}

/** Asked at once: to go through the thread pool takes longer than the answer, and every call of a tool asks. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** A path without links, as far as it is there. */
export function settled(path: string): string {
  const whole = resolve(path)
  const folder = dirname(whole)
  return realPathOf(whole) ?? (folder === whole ? whole : join(settled(folder), basename(whole)))
}

function missing(workspace: Workspace, given: string, path: string): Place {
  const whole = settled(path)
  if (!opens(workspace, whole)) return { kind: 'outside', given }
  return { kind: 'missing', given, shown: shownPath(workspace, isInside(workspace.root, path) ? path : whole), path, real: whole }
}

/** Where a path lies that begins with the folder of notes as the agent was told of it; `undefined` for any other. */
export function inMemory({ memory }: Workspace, given: string): string | undefined {
  const path = slashed(normalize(given))
  if (!memory || given.includes('\0') || (path !== memory.told && !path.startsWith(`${memory.told}/`))) return undefined
  return join(memory.folder, path.slice(memory.told.length))
}

function opens({ root, folders = [], beyond = [], memory }: Workspace, real: string): boolean {
  return [root, ...folders, ...beyond, ...(memory ? [memory.folder] : [])].some((folder) => isInside(folder, real))
}

function rebased(workspace: Workspace, given: string): string {
  const { cwd, root, checkout, told } = workspace
  if (cwd === told) return given
  // A path of the recorded run means the same place here: in the working directory, the project, or the checkout that it is a worktree of.
  const place = [cwd, root, ...(checkout === undefined ? [] : [checkout])].find((folder) => isInside(toldPath(workspace, folder), given))
  return place === undefined ? given : join(place, relative(toldPath(workspace, place), given))
}

/** An absolute path as the model is told of it: in a replay that of the recorded run. */
export function toldPath({ cwd, told }: Pick<Workspace, 'cwd' | 'told'>, path: string): string {
  return cwd === told ? path : join(told, relative(cwd, path))
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * A path for the model, with `/`: relative to the working directory, so that a run can be replayed in any folder. Of notes that lie elsewhere
 * it is what the agent was told, and all else elsewhere is as it is.
 */
export function shownPath(workspace: Workspace, path: string): string {
  const { root, memory } = workspace
  if (memory && isInside(memory.folder, path) && !isInside(root, path)) return slashed(join(memory.told, relative(memory.folder, path)))
  if (!isInside(root, path)) return slashed(path)
  return slashed(relative(workspace.cwd, path)) || '.'
}

/** The further folders of the settings, as they are on this disk, and those of them that there are none of. */
export async function furtherFolders(workspace: Workspace, given: readonly string[]): Promise<{ folders: string[]; missing: string[] }> {
  const found = await Promise.all(
    given.map(async (text) => {
      const path = absolutePath(workspace, text)
      const real = path === undefined ? undefined : realPathOf(path)
      const isFolder = real !== undefined && (await lstat(real).catch(() => undefined))?.isDirectory() === true
      return isFolder ? { real } : { text }
    }),
  )
  return { folders: found.flatMap(({ real }) => real ?? []), missing: found.flatMap(({ text }) => text ?? []) }
}

export function slashed(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/')
}
