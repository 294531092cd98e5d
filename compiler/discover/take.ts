import { brokenLink, notRegular, unreadable } from '../findings/file.ts'
import type { Stat } from './file-system.ts'
import { lastPart } from './path.ts'
import type { Found } from './found.ts'
import type { Root } from './root.ts'
import { firstVisit, isLink, type Search } from './search.ts'
import { spotOrigin, type Spot } from './spot.ts'

/** What is being read, and where its files are collected. */
export interface Taking {
  readonly root: Root
  readonly search: Search
  readonly found: Found[]
}

/** Collects a file, unless the same physical file was met before or it is none that may be opened (FIFO, socket, device). */
export function takeFile(spot: Spot, stat: Stat | undefined | string, { root, search, found }: Taking): void {
  if (typeof stat !== 'object') return reportUnknown(spot, stat, root, search)
  if (stat.kind === 'other') return void search.diagnostics.push(notRegular(spotOrigin(spot, root)))
  if (stat.kind === 'folder' || !firstVisit(search, spot.path, stat)) return
  const file: Found = { path: spot.path, stat, origin: spotOrigin(spot, root) }
  if (spot.namespace !== undefined) file.namespace = spot.namespace
  found.push(file)
}

/**
 * For something that was listed and of which no stat can be had. Refused: an error. A link that leads nowhere: a warning
 * if its name is that of an agent or of a folder. Else it vanished since, unless its name is one that cannot be written here.
 */
export function reportUnknown(spot: Spot, stat: undefined | string, root: Root, search: Search): void {
  const origin = spotOrigin(spot, root)
  if (stat !== undefined) return void search.diagnostics.push(unreadable(origin, stat))
  const name = lastPart(spot.shown)
  if (name.includes('\ufffd')) search.diagnostics.push(unreadable(origin, 'its name is not valid UTF-8'))
  else if (missesAnAgent(name) && isLink(spot.path, search)) search.diagnostics.push(brokenLink(origin))
}

/** `.#name.md` is the lock of an editor, a link that never leads anywhere. */
function missesAnAgent(name: string): boolean {
  return !name.startsWith('.#') && (name.endsWith('.md') || !name.includes('.'))
}
