import { basename, dirname, sep } from 'node:path'
import type { Entry, FileSystem, Stat } from './file-system.ts'

/** A disk that remembers what it was asked, until it is told that something changed. Bytes are never kept, nor refusals. */
export interface HeldDisk extends FileSystem {
  /** These paths, their folders and everything below them may have changed; so may what leads there through links. */
  forget(paths: Iterable<string>): void
  forgetAll(): void
}

/** In: the disk behind it. */
export function holdDisk(disk: FileSystem): HeldDisk {
  const stats = new Map<string, Stat | undefined>()
  const lists = new Map<string, Entry[]>()
  const links = new Map<string, boolean>()
  const reals = new Map<string, string>()
  const all: Map<string, unknown>[] = [stats, lists, links, reals]
  const drop = (path: string): void => all.forEach((held) => void held.delete(path))
  const dropBelow = (path: string): void => {
    for (const held of all) for (const key of held.keys()) if (key.startsWith(path + sep)) held.delete(key)
  }
  return {
    stat: (path) => heldIn(stats, path, disk.stat),
    list: (path) => heldIn(lists, path, disk.list),
    isLink: (path) => heldIn(links, path, disk.isLink),
    realPath: (path) => heldIn(reals, path, disk.realPath),
    read: disk.read,
    forget: (paths) => {
      for (const path of paths) {
        for (const name of [path, ...aliases(path, reals)]) {
          const isListed = isListedFile(name, lists) && isPlainFile(name, disk)
          if (!isListed) dropBelow(name)
          drop(name)
          for (const folder of foldersAbove(name)) {
            stats.delete(folder)
            if (!isListed) drop(folder)
          }
        }
      }
    },
    forgetAll: () => all.forEach((held) => held.clear()),
  }
}

function isListedFile(path: string, lists: ReadonlyMap<string, Entry[]>): boolean {
  return lists.get(dirname(path))?.some(({ name, kind }) => kind === 'file' && name === basename(path)) ?? false
}

/** If it was one before, the list of its folder is still true: only what is in the file has changed. */
function isPlainFile(path: string, disk: FileSystem): boolean {
  try {
    return disk.stat(path)?.kind === 'file' && !disk.isLink(path)
  } catch {
    return false
  }
}

function* foldersAbove(path: string): Generator<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    yield folder
    if (dirname(folder) === folder) return
  }
}

function heldIn<T>(held: Map<string, T>, path: string, ask: (path: string) => T): T {
  if (held.has(path)) return held.get(path)!
  const answer = ask(path)
  held.set(path, answer)
  return answer
}

/** The other paths of a path, over links that were followed. */
function aliases(path: string, reals: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  for (const [link, real] of reals) {
    if (link !== real && (path === real || path.startsWith(real + sep))) found.push(link + path.slice(real.length))
  }
  return found
}
