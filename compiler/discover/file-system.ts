import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
  type BigIntStats,
  type Dirent,
} from 'node:fs'

/** What a name in a folder is, the link itself and not what it leads to. */
export interface Entry {
  name: string
  kind: 'file' | 'folder' | 'link' | 'other'
}

/** What a path leads to, links followed. `dev` and `ino` are big integers: doubles merge inodes above 2^53 (M4). */
export interface Stat {
  kind: 'file' | 'folder' | 'other'
  dev: bigint
  ino: bigint
  size: number
  mtimeNs: bigint
  ctimeNs: bigint
}

/**
 * All that discovery asks of a disk, synchronous because that is fastest for many small files.
 * A refusal is an error with a `code` (`EACCES` …); an error without one is a bug and goes through.
 */
export interface FileSystem {
  /** The entries of a folder, in any order. */
  list(path: string): Entry[]
  /** Nothing for a path that is not there, a link that leads nowhere and a link that loops. */
  stat(path: string): Stat | undefined
  isLink(path: string): boolean
  realPath(path: string): string
  /** The bytes of a file, no more than `atMost` of them; `size` is what its stat said. They hold until the next read. */
  read(path: string, size: number, atMost: number): Uint8Array
}

/** The real disk. */
export const DISK: FileSystem = {
  list: (path) => readdirSync(path, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: entryKind(entry) })),
  stat: statOrNothing,
  isLink: (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false,
  realPath: (path) => realpathSync.native(path),
  read: readAtMost,
}

function entryKind(entry: Dirent): Entry['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

function statOrNothing(path: string): Stat | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stat && fromBigInts(stat)
  } catch (error) {
    if (faultOf(error) === 'ELOOP') return undefined
    throw error
  }
}

function fromBigInts(stat: BigIntStats): Stat {
  const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other'
  return { kind, dev: stat.dev, ino: stat.ino, size: Number(stat.size), mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs }
}

/** Most agent files fit into it, and are decoded and hashed in place. */
const scratch = Buffer.allocUnsafe(65_536)

/**
 * Opened without blocking: a FIFO put in a file's place after its stat must not hang the build.
 * A read that got less than it asked for ends the file once the expected size is there; before, only one that got nothing.
 */
function readAtMost(path: string, size: number, atMost: number): Uint8Array {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const parts: Buffer[] = []
    for (let total = 0; total < atMost;) {
      const asked = Math.min(atMost - total, scratch.length)
      const part = scratch.subarray(0, readSync(handle, scratch, 0, asked, null))
      total += part.length
      const ended = part.length === 0 || (part.length < asked && total >= size)
      if (ended && parts.length === 0) return part
      parts.push(Buffer.from(part))
      if (ended) break
    }
    return Buffer.concat(parts)
  } finally {
    closeSync(handle)
  }
}

/** The code of a refusal of the system; an error without one is a bug and is thrown on. */
export function faultOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code === 'string') return code
  throw error
}
