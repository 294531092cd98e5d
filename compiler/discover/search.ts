import { sha256 } from '../../schemas/canonical.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { faultOf, type FileSystem, type Stat } from './file-system.ts'
import type { Input } from './input.ts'

/** One run of discovery: the disk, and what was collected so far. */
export interface Search {
  readonly fs: FileSystem
  /** The identities of all files and folders visited, over all layers. */
  readonly seen: Set<string>
  /** By path. */
  readonly inputs: Map<string, Input>
  readonly diagnostics: Diagnostic[]
}

export function newSearch(fs: FileSystem): Search {
  return { fs, seen: new Set(), inputs: new Map(), diagnostics: [] }
}

/** A stat that never throws. In: a path. Out: the stat, nothing if it is not there, or the code of the refusal. */
export function look(search: Search, path: string): Stat | undefined | string {
  try {
    return search.fs.stat(path)
  } catch (error) {
    return faultOf(error)
  }
}

/** In: a path. Out: its real path, or the path itself where that cannot be told. */
export function realOr(search: Search, path: string): string {
  try {
    return search.fs.realPath(path)
  } catch (error) {
    faultOf(error)
    return path
  }
}

/**
 * True when this file or folder was not met before. Device and inode identify it, but only when both are non-zero
 * (some volumes report inode 0 for everything); otherwise its real path does. Source: mission M4, case 30.
 */
export function firstVisit(search: Search, path: string, stat: Stat): boolean {
  const identity = stat.dev !== 0n && stat.ino !== 0n ? `${stat.dev}:${stat.ino}` : `path:${realOr(search, path)}`
  if (search.seen.has(identity)) return false
  search.seen.add(identity)
  return true
}

export function noteAbsent(search: Search, path: string): void {
  search.inputs.set(path, { path, kind: 'absent' })
}

export function noteFolder(search: Search, path: string, stat: Stat): void {
  search.inputs.set(path, { path, kind: 'folder', mtimeMs: stat.mtimeMs })
}

/** Out: the hash of the bytes, if there are any. */
export function noteFile(search: Search, path: string, stat: Stat, bytes?: Uint8Array): string | undefined {
  const input: Input = { path, kind: 'file', size: stat.size, mtimeMs: stat.mtimeMs }
  if (bytes) input.sha256 = sha256(bytes)
  search.inputs.set(path, input)
  return input.sha256
}
