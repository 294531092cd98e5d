import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { protectedPath } from '../../schemas/protected-path.ts'
import type { Origin } from '../../schemas/source.ts'
import type { Stat } from '../discover/file-system.ts'
import { pathInside } from '../discover/path.ts'
import { look, realOr, type Search } from '../discover/search.ts'

/** Where imports lead: the folders that origins are relative to, and home for `~`. */
export interface Ground {
  home: string
  /** Root of the layer of the file that imports. */
  base: string
  /** The folder that its imports may not lead out of, a real path; nothing if they may lead anywhere. */
  fence?: string | undefined
}

export type Target =
  | { kind: 'file'; path: string; real: string; stat: Stat }
  | { kind: 'outside' }
  | { kind: 'protected'; reason: string }
  | { kind: 'missing'; reason: string }
  /** A word with an `@` before it. */
  | { kind: 'none' }

/**
 * Where an import leads. In: the path as it is written, and the folder it is relative to. What lies outside the fence is not even looked
 * at; words such as `@types/node` or `@someone` are imports only if there is such a file.
 */
export function targetOf(path: string, folder: string, { home, fence }: Ground, search: Search): Target {
  const at = path.startsWith('~/') ? join(home, path.slice(2)) : isAbsolute(path) ? path : resolve(folder, path)
  const meant = isPath(path)
  if (fence !== undefined && pathInside(fence, at) === undefined) return { kind: meant ? 'outside' : 'none' }
  const stat = look(search, at)
  const isFile = typeof stat === 'object' && stat.kind === 'file'
  if (!isFile && !meant) return { kind: 'none' }
  const real = isFile ? realOr(search, at) : at
  if (fence !== undefined && pathInside(fence, real) === undefined) return { kind: 'outside' }
  const inside = (way: string): string => (fence === undefined ? way.replaceAll('\\', '/') : pathInside(fence, way)!)
  const reason = protectedPath(inside(real)) ?? protectedPath(inside(at))
  if (reason !== undefined) return { kind: 'protected', reason }
  return isFile ? { kind: 'file', path: at, real, stat } : { kind: 'missing', reason: reasonOf(stat) }
}

/** A word behind an `@` is taken for a path by what it begins or ends with; `@/components` is how many programs write their own source. */
function isPath(path: string): boolean {
  return /^(?:\.{1,2}|~)\//.test(path) || /\.(?:md|mdc|mdx|markdown|txt|json|ya?ml|toml)$/i.test(path)
}

function reasonOf(stat: Stat | undefined | string): string {
  if (stat === undefined) return 'there is no such file'
  if (typeof stat === 'string') return `it cannot be read (${stat})`
  return stat.kind === 'folder' ? 'it is a folder' : 'it is no regular file'
}

/** An imported file as it is shown, never with an absolute path of this machine. */
export function importedOrigin(path: string, real: string, importer: Origin, { home, base }: Ground, search: Search): Origin {
  const { source } = importer
  const inside = pathInside(base, path)
  const ofHome = source === 'user' && base === join(home, '.claude') ? pathInside(home, path) : undefined
  const origin: Origin = { source, path: inside ?? (ofHome === undefined ? `<outside>/${basename(path)}` : `../${ofHome}`) }
  if (join(realOr(search, dirname(path)), basename(path)) !== real) origin.link = pathInside(realOr(search, base), real) ?? '<outside>'
  return origin
}
