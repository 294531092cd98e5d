import { linkLoop, tooManyFolders, unreadable } from '../findings/file.ts'
import { linkOutside } from '../findings/instructions.ts'
import { faultOf, type Entry, type Stat } from './file-system.ts'
import { byPath, lastPart, pathInside } from './path.ts'
import type { Found } from './found.ts'
import { entriesIn, firstVisit, look, noteFolder, realOr } from './search.ts'
import { sameSpot, spotBelow, spotOrigin, type Spot } from './spot.ts'
import { reportUnknown, takeFile, type Taking } from './take.ts'

/** More folders than this below one root are no set of agents but a link into a disk. */
const FOLDER_LIMIT = 10_000

interface Walk extends Taking {
  readonly realRoot: string
  /** Links met and not yet followed. */
  links: Spot[]
  folders: number
}

/**
 * In: a root, its folder with its stat and real path. Out: the `*.md` files below, sorted by path.
 * Everything is read, dot-files, hidden folders and `node_modules` too; links are followed, and a folder or file already
 * visited is skipped (measured.md "Loading", mission M4). Of several ways to one file a way without links is kept, then
 * the first by path: so the tree itself is walked first, then the links, level by level.
 */
export function walk(start: Spot, stat: Stat, realRoot: string, taking: Taking): Found[] {
  const state: Walk = { ...taking, realRoot, links: [], folders: 0 }
  walkTree(start, stat, state)
  if (state.links.length === 0) return state.found
  while (state.links.length > 0) {
    const level = state.links.sort((a, b) => byPath(a.shown, b.shown))
    state.links = []
    for (const link of level) follow(link, state)
  }
  return state.found.sort((a, b) => byPath(a.origin.path, b.origin.path))
}

/** Visits a folder and all folders below; its files are taken in the order of their paths, its links put aside. */
function walkTree(start: Spot, stat: Stat, state: Walk): void {
  const folders: Spot[] = []
  const files: Spot[] = []
  if (enter(start, stat, state)) folders.push(start)
  for (let i = 0; i < folders.length; i++) {
    const folder = folders[i]!
    const inside = insideOf(folder, entriesOf(folder, state))
    for (const link of inside.links) state.links.push(link)
    for (const name of inside.folders) enterBelow(folder, name, folders, state)
    for (const file of inside.files) files.push(file)
  }
  if (folders.length > 1) files.sort((a, b) => byPath(a.shown, b.shown))
  for (const file of files) takeFile(file, look(state.search, file.path), state)
}

/** What a folder lists, each kind by itself; sorted where that has an effect, so that nothing depends on the order on the disk. */
interface Inside {
  readonly of: Spot
  readonly links: readonly Spot[]
  readonly folders: readonly string[]
  readonly files: readonly Spot[]
}

/** By the list of a folder: who holds the disk gets the very same list as long as it is true. */
const known = new WeakMap<readonly Entry[], Inside>()

function insideOf(of: Spot, entries: Entry[]): Inside {
  const before = known.get(entries)
  if (before && sameSpot(before.of, of)) return before
  if (entries.some(({ kind }) => kind === 'folder')) entries.sort((a, b) => byPath(a.name, b.name))
  const spots = (kind: Entry['kind'], ending: string): Spot[] =>
    entries.filter((entry) => entry.kind === kind && entry.name.endsWith(ending)).map(({ name }) => spotBelow(of, name))
  const folders = entries.filter(({ kind }) => kind === 'folder').map(({ name }) => name)
  const files = [...spots('file', '.md'), ...spots('other', '.md')]
  const inside = { of, links: spots('link', ''), folders, files: files.sort((a, b) => byPath(a.shown, b.shown)) }
  known.set(entries, inside)
  return inside
}

/** The entries of a folder, in any order. */
function entriesOf(folder: Spot, { root, search }: Walk): Entry[] {
  try {
    return entriesIn(search, folder.path)
  } catch (error) {
    const fault = faultOf(error)
    if (fault !== 'ENOENT') search.diagnostics.push(unreadable(spotOrigin(folder, root), fault))
    return []
  }
}

function enterBelow(folder: Spot, name: string, folders: Spot[], state: Walk): void {
  if (state.root.flat) return
  const spot = spotBelow(folder, name)
  const stat = look(state.search, spot.path)
  if (typeof stat !== 'object') reportUnknown(spot, stat, state.root, state.search)
  else if (stat.kind === 'folder' && enter(spot, stat, state)) folders.push(inner(spot))
}

/** True if the folder is to be read: not visited before, and not one too many. */
function enter(folder: Spot, stat: Stat, state: Walk): boolean {
  const { root, search } = state
  noteFolder(search, folder.path, stat)
  if (state.folders > FOLDER_LIMIT || !firstVisit(search, folder.path, stat)) return false
  if (++state.folders <= FOLDER_LIMIT) return true
  search.diagnostics.push(tooManyFolders(spotOrigin(folder, root), FOLDER_LIMIT))
  return false
}

/** Follows a link to a file or a folder. One to a folder that holds this very root would read half a disk: it is reported. */
function follow(link: Spot, state: Walk): void {
  const { root, search, realRoot } = state
  const stat = look(search, link.path)
  if (typeof stat !== 'object') return reportUnknown(link, stat, root, search)
  const real = realOr(search, link.path)
  if (root.closed && pathInside(link.realBase, real) === undefined)
    return void search.diagnostics.push(linkOutside(spotOrigin({ ...link, real }, root)))
  if (stat.kind !== 'folder') return link.shown.endsWith('.md') ? takeFile({ ...link, real }, stat, state) : undefined
  if (root.flat) return
  const folder = inner({ ...link, real })
  const holdsRoot = real !== realRoot && pathInside(real, realRoot) !== undefined
  if (holdsRoot) search.diagnostics.push(linkLoop(spotOrigin(folder, root)))
  else walkTree(folder, stat, state)
}

/** The folder as its own files see it: a folder of a plugin is a part of their names (claude-code-agents.md 2.6). */
function inner(folder: Spot): Spot {
  if (folder.namespace === undefined) return folder
  return { ...folder, namespace: `${folder.namespace}:${lastPart(folder.shown)}` }
}
