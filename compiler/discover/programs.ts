import { join } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import { DISK, faultOf, type FileSystem } from './file-system.ts'
import type { Input } from './input.ts'
import { isSettled } from './known-sources.ts'
import { pathInside } from './path.ts'
import type { Plugin } from './plugin.ts'

/** A file in a plugin's folder that something of it runs, and the hash of its bytes. */
export interface PluginProgram {
  plugin: string
  /** Relative to the plugin's folder, with `/`. */
  path: string
  hash: string
}

/** Programs by path, as an earlier search read them, and a time before that (ns since 1970). */
export type KnownPrograms = Map<string, { input: Input; readAt: bigint }>

/** The disk, what is known, and when this search began. */
interface Reading {
  disk?: FileSystem | undefined
  known?: KnownPrograms | undefined
  began?: bigint | undefined
}

/**
 * In: what plugins name in their folders. Out: those that are files there, and everything that was looked at. Of two plugins of one name the
 * first counts.
 */
export function findPrograms(
  named: readonly { plugin: string; path: string }[],
  plugins: readonly Plugin[],
  reading: Reading = {},
): { programs: PluginProgram[]; inputs: Input[] } {
  const folders = new Map(plugins.toReversed().map(({ name, folder }) => [name, folder]))
  const programs = new Map<string, PluginProgram>()
  const inputs: Input[] = []
  for (const { plugin, path: written } of named) {
    const folder = folders.get(plugin)
    const path = folder === undefined || written.includes('\0') ? undefined : pathInside(folder, join(folder, written))
    if (folder === undefined || path === undefined || path === '') continue
    const input = fileAt(join(folder, path), reading)
    inputs.push(input)
    if (input.sha256 !== undefined) programs.set(`${plugin}\n${path}`, { plugin, path, hash: input.sha256 })
  }
  return { programs: [...programs.values()], inputs }
}

/** However large it is, all of it is run. */
function fileAt(path: string, { disk = DISK, known, began = 0n }: Reading): Input {
  try {
    const stat = disk.stat(path)
    if (!stat) return { path, kind: disk.isLink(path) ? 'dangling' : 'absent' }
    if (stat.kind !== 'file') return { path, kind: stat.kind, stat, identityOnly: true }
    const before = known?.get(path)
    if (before && isSettled({ stat: before.input.stat!, readAt: before.readAt }, stat)) return before.input
    const input: Input = { path, kind: 'file', stat, sha256: sha256(disk.read(path, stat.size, Infinity)) }
    known?.set(path, { input, readAt: began })
    return input
  } catch (error) {
    return { path, kind: 'refused', value: faultOf(error) }
  }
}
