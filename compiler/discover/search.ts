import { sha256 } from '../../schemas/canonical.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { faultOf, type Entry, type FileSystem, type Stat } from './file-system.ts'
import type { Input } from './input.ts'
import type { KnownSources } from './known-sources.ts'
import { Visited } from './visited.ts'

/** One run of discovery: the disk, and what was collected so far. */
export interface Search {
  readonly fs: FileSystem
  /** Over all layers. */
  readonly seen: Visited
  /** By path. */
  readonly inputs: Map<string, Input>
  /** Where paths really lead. */
  readonly real: Map<string, string>
  readonly diagnostics: Diagnostic[]
  /** What earlier searches read. */
  readonly known?: KnownSources | undefined
  readonly whenMany?: (() => void) | undefined
}

export function newSearch(fs: FileSystem, known?: KnownSources, whenMany?: () => void): Search {
  return { fs, seen: new Visited(), inputs: new Map(), real: new Map(), diagnostics: [], known, whenMany }
}

/** All that was looked at, for `.agentc/inputs.json`. */
export function inputsOf({ inputs, real }: Search): Input[] {
  return [...[...real].map(([path, value]): Input => ({ path, kind: 'real', value })), ...inputs.values()]
}

/**
 * A stat that never throws. In: a path. Out: the stat, nothing if it is not there, or the code of the refusal. What is seen is an input, at
 * least by being what it is, and so is that nothing is there.
 */
export function look(search: Search, path: string): Stat | undefined | string {
  try {
    const stat = search.fs.stat(path)
    if (!search.inputs.has(path)) {
      if (stat) search.inputs.set(path, { path, kind: stat.kind, stat, identityOnly: true })
      else noteAbsent(search, path)
    }
    return stat
  } catch (error) {
    const value = faultOf(error)
    search.inputs.set(path, { path, kind: 'refused', value })
    return value
  }
}

/** In: a path. Out: its real path, or the path itself where that cannot be told. */
export function realOr(search: Search, path: string): string {
  let real = path
  try {
    real = search.fs.realPath(path)
  } catch (error) {
    faultOf(error)
  }
  search.real.set(path, real)
  return real
}

/** True when this file or folder was not met before. */
export function firstVisit(search: Search, path: string, stat: Stat): boolean {
  return search.seen.add(stat, () => realOr(search, path))
}

/** What lies here counts as met without being read: what is the user's is no project's, even if the user layer is left out and home is the project. */
export function hide(search: Search, path: string): void {
  const stat = look(search, path)
  if (typeof stat === 'object') firstVisit(search, path, stat)
}

/** A link that leads nowhere is as good as nothing, but that it is there is said. */
export function noteAbsent(search: Search, path: string): void {
  search.inputs.set(path, { path, kind: isLink(path, search) ? 'dangling' : 'absent' })
}

export function isLink(path: string, { fs }: Search): boolean {
  try {
    return fs.isLink(path)
  } catch (error) {
    faultOf(error)
    return false
  }
}

export function noteFolder(search: Search, path: string, stat: Stat): void {
  search.inputs.set(path, { path, kind: 'folder', stat })
}

/** From here on the entries of a folder are many. */
const MANY = 100

/** The entries of a folder, in any order; they become what is known of it as an input. */
export function entriesIn(search: Search, path: string): Entry[] {
  const entries = search.fs.list(path)
  const input = search.inputs.get(path)
  if (input) input.entries = entries
  if (entries.length >= MANY) search.whenMany?.()
  return entries
}

/** What tells whether a folder holds the same names, and each is the same kind of thing. */
export function listingHash(entries: readonly Entry[]): string {
  const lines = entries.map(({ name, kind }) => `${name}/${kind}`)
  return sha256(lines.sort().join('\n'))
}

/** Out: the hash of the bytes, if there are any. */
export function noteFile(search: Search, path: string, stat: Stat, bytes?: Uint8Array): string | undefined {
  const input: Input = { path, kind: 'file', stat }
  if (bytes) input.sha256 = sha256(bytes)
  search.inputs.set(path, input)
  return input.sha256
}
