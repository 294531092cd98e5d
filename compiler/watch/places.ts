import { dirname } from 'node:path'
import { DISK, type FileSystem } from '../discover/file-system.ts'
import type { Input } from '../discover/input.ts'
import { identityOf } from '../discover/stamp.ts'

/** Where changes that matter can happen. */
export interface Places {
  /** The folders to watch, with their identity. */
  folders: ReadonlyMap<string, string>
  /** Whether a change at a path can have to do with the result. */
  matters: (path: string) => boolean
}

/**
 * In: all inputs of a compilation. A file can change in its folder; a folder itself, and when it is put in another's place, in the one above;
 * what is not there yet can come at any step of its way. So of every path all folders up to the first one that is there are watched, and
 * of folders that are there the one above.
 */
export function placesOf(inputs: readonly Input[], disk: FileSystem = DISK): Places {
  const listed = new Set<string>()
  const paths = new Set<string>()
  for (const { path, kind, value, entries } of inputs) {
    addWay(paths, path, kind === 'absent' || kind === 'dangling' ? (way) => folderAt(dirname(way), disk) === undefined : never)
    if (entries) listed.add(path)
    if (kind === 'real' && value !== undefined) addWay(paths, value, never)
  }
  const folders = new Map<string, string>()
  for (const path of [...listed, ...new Set([...paths].map(dirname))]) {
    const identity = folderAt(path, disk)
    if (identity !== undefined) folders.set(path, identity)
  }
  return { folders, matters: (path) => paths.has(path) || listed.has(dirname(path)) }
}

/** So far up a rename is noticed; nobody renames `/home`. */
const STEPS = 3
const never = (): boolean => false

function addWay(paths: Set<string>, path: string, goesOn: (way: string) => boolean): void {
  let way = path
  for (let step = 0; dirname(way) !== way; step++) {
    if (step > 0 && paths.has(way)) return
    paths.add(way)
    if (step + 1 >= STEPS && !goesOn(way)) return
    way = dirname(way)
  }
}

function folderAt(path: string, disk: FileSystem): string | undefined {
  try {
    const stat = disk.stat(path)
    return stat?.kind === 'folder' ? identityOf(stat) : undefined
  } catch {
    return undefined
  }
}
