import type { SourceFile } from '../source-file.ts'
import { unreadable } from '../findings/file.ts'
import type { Stat } from './file-system.ts'
import { pathInside } from './path.ts'
import { readSource } from './read.ts'
import type { Root } from './root.ts'
import { look, realOr, type Search } from './search.ts'
import { spotOrigin, type Spot } from './spot.ts'

/**
 * Reads a file whose place is known, such as a settings file. Out: the file, or nothing if it is not there, which is no fault;
 * anything but a regular file is reported and not opened. It may be as large as `limit`, 1 MiB by default.
 */
export function readKnown(kind: SourceFile['kind'], form: SourceFile['form'], root: Root, search: Search, limit?: number): SourceFile[] {
  const stat = look(search, root.path)
  if (stat === undefined) return []
  const spot: Spot = { path: root.path, shown: pathInside(root.base, root.path) ?? '', realBase: realOr(search, root.base) }
  const origin = spotOrigin(spot, root)
  if (typeof stat === 'string' || stat.kind !== 'file') {
    search.diagnostics.push(unreadable(origin, refusalOf(stat), kind))
    return []
  }
  return readSource({ path: root.path, stat, origin, ...(limit !== undefined && { limit }) }, form, search, kind)
}

function refusalOf(stat: Stat | string): string {
  if (typeof stat === 'string') return stat
  return stat.kind === 'folder' ? 'EISDIR' : 'it is a pipe, socket or device'
}
