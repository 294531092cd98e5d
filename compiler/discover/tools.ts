import { join } from 'node:path'
import { brokenLink, unreadable } from '../findings/file.ts'
import type { SourceFile } from '../source-file.ts'
import { faultOf, type Stat } from './file-system.ts'
import { openFolder } from './open.ts'
import type { DiscoverOptions } from './options.ts'
import { byPath, lastPart, pathInside } from './path.ts'
import type { Project } from './project.ts'
import { readSource } from './read.ts'
import type { Root } from './root.ts'
import { entriesIn, hide, isLink, look, type Search } from './search.ts'
import { spotBelow, spotOrigin, type Spot } from './spot.ts'
import { takeFile, type Taking } from './take.ts'

/**
 * Finds and reads the custom tools: `tools/*.ts` of the user and `.claude/tools/*.ts` of the project (issue 4, item 8). Out: lowest
 * precedence first, as for agents: the person's, then the project's from the root to the nearest folder. Nothing is run.
 */
export function findTools({ configDir, layers }: DiscoverOptions, project: Project, search: Search): SourceFile[] {
  const user: Root = { path: join(configDir, 'tools'), base: configDir, source: 'user' }
  const near = project.folders.map((folder): Root => ({ path: join(folder, '.claude', 'tools'), base: project.root, source: 'project' }))
  if (!layers.includes('user')) hide(search, user.path)
  const own = layers.includes('user') ? toolsIn(user, search) : []
  const others = layers.includes('project') ? near.map((root) => toolsIn(root, search)) : []
  return [...own, ...others.reverse().flat()]
}

/** The files of one folder, in the order of their names; folders in it are left alone, so that a tool can have its tests beside it. */
function toolsIn(root: Root, search: Search): SourceFile[] {
  const stat = look(search, root.path)
  if (stat === undefined) return (reportLink(spotOf(root), root, search), [])
  const start = openFolder(root, stat, search, 'tool')
  if (!start) return []
  const taking: Taking = { root, search, found: [] }
  try {
    const names = entriesIn(search, root.path).flatMap(({ name, kind }) => (kind !== 'folder' && isTool(name) ? [name] : []))
    for (const name of names.sort(byPath)) {
      const spot = spotBelow(start, name)
      takeTool(spot, look(search, spot.path), taking)
    }
  } catch (error) {
    search.diagnostics.push(unreadable(spotOrigin(start, root), faultOf(error), 'tool'))
  }
  return taking.found.flatMap((file) => readSource(file, 'typescript', search, 'tool'))
}

function spotOf({ path, base }: Root): Spot {
  return { path, shown: pathInside(base, path) ?? '', realBase: base }
}

function takeTool(spot: Spot, stat: Stat | undefined | string, taking: Taking): void {
  const { root, search } = taking
  if (stat === undefined) reportLink(spot, root, search)
  else if (typeof stat === 'string') search.diagnostics.push(unreadable(spotOrigin(spot, root), stat, 'tool'))
  else takeFile(spot, stat, taking)
}

/** Nothing is there, or a link that leads nowhere; `.#name.ts` is the lock of an editor. */
function reportLink(spot: Spot, root: Root, search: Search): void {
  if (!lastPart(spot.path).startsWith('.#') && isLink(spot.path, search))
    search.diagnostics.push(brokenLink(spotOrigin(spot, root), 'tool'))
}

/** Declarations and tests lie beside tools and are none. */
function isTool(name: string): boolean {
  return name.endsWith('.ts') && !/\.(?:d|test|spec)\.ts$/.test(name)
}
