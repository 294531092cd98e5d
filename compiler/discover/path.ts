import { isAbsolute, relative, sep } from 'node:path'

/** In: two absolute paths. Out: the second relative to the first, with `/` on every system; nothing if it lies outside. */
export function pathInside(folder: string, path: string): string | undefined {
  const way = relative(folder, path)
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined
  return sep === '/' ? way : way.replaceAll(sep, '/')
}

/** Order by UTF-16 units: the same on every machine, whatever its locale. */
export function byPath(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The last part of a path written with `/`. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
