import { join, relative, sep } from 'node:path'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { brokenLink, unreadable } from '../findings/file.ts'
import { invalidPluginPath } from '../findings/plugin.ts'
import type { SourceFile } from '../source-file.ts'
import { lastPart, pathInside } from './path.ts'
import type { Stat } from './file-system.ts'
import type { Found } from './found.ts'
import type { Root } from './root.ts'
import { firstVisit, isLink, look, noteFolder, realOr, type Search } from './search.ts'
import { spotOrigin, type Spot } from './spot.ts'
import { takeFile, type Taking } from './take.ts'
import { walk } from './walk.ts'

/** In: a root, of which nothing is known yet. Out: the agent files in it, sorted by path; why there are none is reported, if it is a fault. */
export function filesIn(root: Root, search: Search): Found[] {
  const stat = look(search, root.path)
  if (stat === undefined) return absent(root, search)
  const real = realOr(search, root.path)
  const spot = rootSpot(root, real, search)
  const taking: Taking = { root, search, found: [] }
  if (typeof stat === 'string') search.diagnostics.push(unreadable(spotOrigin(spot, root), stat))
  else if (stat.kind === 'folder') return walk(spot, stat, real, taking)
  else if (!root.named) search.diagnostics.push(unreadable(spotOrigin(spot, root), 'ENOTDIR'))
  else if (root.path.endsWith('.md')) takeFile(spot, stat, taking)
  else refuse(root, 'is neither a folder nor a file that ends in ".md"', search)
  return taking.found
}

/** `.claude` or `agents` may be links themselves: the path stays as written, the real one is kept beside it (case 22). */
export function rootSpot(root: Root, real: string, search: Search): Spot {
  const realBase = realOr(search, root.base)
  const spot: Spot = { path: root.path, shown: pathInside(root.base, root.path) ?? '', realBase }
  if (join(realBase, relative(root.base, root.path)) !== real) spot.real = real
  if (root.plugin !== undefined) spot.namespace = root.plugin
  return spot
}

/**
 * A root that can only be a folder, and is there. Out: where it is; nothing if it is no folder, which is reported, or was visited before.
 */
export function openFolder(root: Root, stat: Stat | string, search: Search, kind: SourceFile['kind'] = 'agent'): Spot | undefined {
  const spot = rootSpot(root, realOr(search, root.path), search)
  if (typeof stat === 'string' || stat.kind !== 'folder') {
    search.diagnostics.push(unreadable(spotOrigin(spot, root), typeof stat === 'string' ? stat : 'ENOTDIR', kind))
    return undefined
  }
  if (!firstVisit(search, root.path, stat)) return undefined
  noteFolder(search, root.path, stat)
  return spot
}

/** A place that is not there is no fault, unless a manifest names it or a link on the way to it is broken. */
export function absent(root: Root, search: Search): Found[] {
  if (root.named) refuse(root, 'does not exist', search)
  else reportBrokenLink(root, search)
  return []
}

function reportBrokenLink(root: Root, search: Search): void {
  let path = root.base
  for (const part of relative(root.base, root.path).split(sep)) {
    path = join(path, part)
    if (look(search, path) !== undefined || !isLink(path, search)) continue
    search.diagnostics.push(brokenLink(spotOrigin({ path, shown: pathInside(root.base, path) ?? '', realBase: root.base }, root)))
    return
  }
}

/** What a search beside that for agents has to say: a `.claude` that leads nowhere is said once, by the search for agents. */
export function ownFindings({ diagnostics }: Search): Diagnostic[] {
  return diagnostics.filter(({ code, at }) => code !== 'file/broken-link' || lastPart(at.origin.path) !== '.claude')
}

function refuse(root: Root, reason: string, search: Search): void {
  search.diagnostics.push(invalidPluginPath(root.plugin!, root.named!.manifest, root.named!.part, root.named!.path, reason))
}
