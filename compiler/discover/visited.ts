import type { Stat } from './file-system.ts'

/** The files and folders that a search met: inodes by device, which costs no text for each, and real paths where a volume reports none. */
export class Visited {
  private readonly inodes: Map<bigint, Set<bigint>>
  private readonly paths: Set<string>

  /** In: others that count as met. */
  constructor(before?: Visited) {
    this.inodes = new Map([...(before?.inodes ?? [])].map(([device, of]) => [device, new Set(of)]))
    this.paths = new Set(before?.paths)
  }

  /**
   * In: a stat, and how to find the real path. Out: whether it was not met before; now it was. Device and inode identify it, but only when
   * both are non-zero (some volumes report inode 0 for everything); otherwise its real path does. Source: mission M4, case 30.
   */
  add({ dev, ino }: Stat, realPath: () => string): boolean {
    if (dev === 0n || ino === 0n) return isNew(this.paths, realPath())
    const ofDevice = this.inodes.get(dev)
    if (ofDevice) return isNew(ofDevice, ino)
    this.inodes.set(dev, new Set([ino]))
    return true
  }
}

function isNew<T>(seen: Set<T>, value: T): boolean {
  const before = seen.size
  return seen.add(value).size > before
}
