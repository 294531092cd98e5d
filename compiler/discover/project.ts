import { dirname, join } from 'node:path'
import type { Root, RootPart } from './root.ts'
import { look, realOr, type Search } from './search.ts'
import { mainCheckout } from './worktree.ts'

/** The folders from the working directory up to the git root, nearest first. */
export interface Project {
  root: string
  folders: string[]
  /** Whether `root` holds a `.git`, and what that is. */
  git?: 'file' | 'folder'
}

/**
 * Finds the git root: the first folder going up that has `.git`, as a folder or a file (M1, M4). Outside a repository
 * only the working directory itself counts (design section 7). The way up is that of the real path, as git goes it.
 */
export function findProject(cwd: string, search: Search): Project {
  const start = realOr(search, cwd)
  const folders: string[] = []
  for (let folder = start; ; folder = dirname(folder)) {
    folders.push(folder)
    const git = gitIn(folder, search)
    if (git) return { root: folder, folders, git }
    if (dirname(folder) === folder) return { root: start, folders: [start] }
  }
}

function gitIn(folder: string, search: Search): 'file' | 'folder' | undefined {
  const path = join(folder, '.git')
  const stat = look(search, path)
  if (typeof stat !== 'object' || stat.kind === 'other') return undefined
  if (stat.kind === 'folder') search.inputs.set(path, { path, kind: 'folder' })
  return stat.kind
}

/**
 * The folders of a part in a project, such as `.claude/agents`, nearest folder first. A linked worktree that has none at its own root
 * takes that of its main checkout in its place (M4, case 24).
 */
export function projectRoots(part: RootPart, project: Project, search: Search): Root[] {
  const roots = project.folders.map((folder): Root => ({ path: join(folder, '.claude', part), base: project.root, source: 'project' }))
  if (project.git !== 'file' || look(search, roots.at(-1)!.path) !== undefined) return roots
  const main = mainCheckout(project.root, search)
  if (main === undefined) return roots
  return [...roots, { path: join(main, '.claude', part), base: main, source: 'project', checkout: 'main' }]
}
