import { dirname, join } from 'node:path'
import { isProtectedName } from '../permission/protected.ts'
import { isInside, realPathOf, type Workspace } from '../workspace.ts'
import { entries, gitFolders, kindOf } from './git-folder.ts'

/** What one command may touch. Everything else can be read and not written. Later lists win over earlier ones. */
export interface Walls {
  cwd: string
  /** Shown as they are, although what lies around them is not. */
  shown: readonly string[]
  writable: readonly string[]
  /** Not written, although they lie in a folder that is. */
  closed: readonly string[]
  /** Written all the same: whoever may allow it has allowed it for this very command. */
  opened: readonly string[]
  /** What deny rules keep from being written, and from being read: that is empty inside. */
  locked: readonly string[]
  hidden: readonly string[]
}

/** The system's temporary folders, each with the name of the one in the run's that commands get in its place. */
export const TEMPORARY: ReadonlyMap<string, string> = new Map([
  ['/tmp', 'tmp'],
  ['/var/tmp', 'var-tmp'],
])

/** Folders of which commands see nothing: a person's sockets lie there, some of which start programs outside. */
export const EMPTIED = ['/run/user']

/** `yarn install` writes these; what yarn runs lies in two of its folders. */
const GENERATED = new Set(['.yarn', '.pnp.cjs', '.pnp.loader.mjs'])
const YARN = ['.yarn/releases', '.yarn/plugins']

/** Where commands of an agent may write, and what stays as it is there: what makes later programs run something (claude-code-agents.md 5.7). */
export function groundWalls(
  workspace: Workspace,
  path: string | undefined,
): Pick<Walls, 'cwd' | 'shown' | 'writable' | 'closed' | 'opened'> {
  const { root, cwd, home, folders = [] } = workspace
  const git = gitFolders(root)
  const shown = [...(path ?? '').split(':'), ...(home === undefined ? [] : [home])].filter((at) =>
    [...TEMPORARY.keys(), ...EMPTIED].some((top) => isBelow(top, at)),
  )
  return {
    cwd,
    shown: shown.filter((at) => [at, realPathOf(at) ?? at].some((place) => kindOf(place) === 'folder')),
    writable: [root, ...folders, ...git.writable].sort((a, b) => a.length - b.length),
    closed: [...git.closed, ...levels(root, cwd, folders).flatMap(protectedIn)],
    opened: [...worktrees(root), ...(workspace.memory && kindOf(workspace.memory.folder) === 'folder' ? [workspace.memory.folder] : [])],
  }
}

/** What is protected in a folder now, a link's target in its place. */
function protectedIn(folder: string): string[] {
  const names = entries(folder).filter((name) => name !== '.git' && isProtectedName(name) && !GENERATED.has(name))
  return [...names, ...YARN].flatMap((name) => realPathOf(join(folder, name)) ?? [])
}

/** Names that are protected and were not there before: walls cannot keep a file from being made. */
export function protectedNames({ root, cwd, folders = [] }: Workspace): string[] {
  const named = (folder: string): string[] =>
    entries(folder)
      .filter(isProtectedName)
      .map((name) => join(folder, name))
  const git = gitFolders(root).writable.flatMap((folder) => ['commondir', 'config.worktree'].map((name) => join(folder, name)))
  return [...levels(root, cwd, folders).flatMap(named), ...git.filter((path) => kindOf(path) !== undefined)]
}

/** The folders that programs look into for their settings: the working directory and all above it in the project, and the further ones. */
function levels(root: string, cwd: string, folders: readonly string[]): string[] {
  const found = [root]
  for (let at = cwd; at !== root && isInside(root, at); at = dirname(at)) found.push(at)
  return [...found, ...folders]
}

/** Worktrees of agents lie below a protected folder; whoever works in the checkout may merge and remove them. */
function worktrees(root: string): string[] {
  const path = join(root, '.claude/worktrees')
  return kindOf(path) === 'folder' && realPathOf(path) === path ? [path] : []
}

function isBelow(folder: string, path: string): boolean {
  return path !== folder && isInside(folder, path)
}
