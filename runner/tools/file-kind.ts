import type { BigIntStats, Stats } from 'node:fs'

/** Why a thing is no regular file that can be opened, and what to do; `undefined` for a regular file. */
export function wrongKind(stats: Stats | BigIntStats, shown: string): string | undefined {
  if (stats.isFile()) return undefined
  if (stats.isDirectory()) return `${shown} is a folder. List its files with Glob, pattern **/*, path ${shown}.`
  return `${shown} is ${stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device'}, not a regular file; it is not opened.`
}
