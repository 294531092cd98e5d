import { sha256 } from '../../schemas/canonical.ts'
import { DISK, type FileSystem, type Stat } from '../discover/file-system.ts'
import { listingHash } from '../discover/search.ts'
import type { DiscoverOptions } from '../discover/options.ts'
import { identityOf, isYoung, stampOf } from '../discover/stamp.ts'
import { readLine, type InputLine } from './input-line.ts'
import { asked, hashIn, type BuildRecord } from './record.ts'

/** Whether everything is as it was: `same` by stats alone, `touched` if something had to be read to know it, with the lines of now. */
export type Check = { state: 'same' } | { state: 'touched'; lines: string[] } | { state: 'changed' }

/** What a file may have at most to be compared by what is in it. */
const READ_LIMIT = 64 * 1024 * 1024

/**
 * Compares the lines of a record with the disk. A stat that is as it was, and was old when the build began, is trusted; where it is another
 * one, or was young, the bytes of a file and the names in a folder decide. In: the time now, in nanoseconds since 1970.
 */
export function checkLines(lines: readonly string[], now: bigint, fs: FileSystem = DISK): Check {
  let touched: string[] | undefined
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const renewed = checkLine(line, now, fs)
    if (renewed === undefined) return { state: 'changed' }
    if (renewed !== line) (touched ??= [...lines])[i] = renewed
  }
  return touched ? { state: 'touched', lines: touched } : { state: 'same' }
}

/** Out: the line as it would be written now, or nothing if the input changed. */
function checkLine(line: string, now: bigint, fs: FileSystem): string | undefined {
  const input = readLine(line)
  const { mark, stamp, path, value } = input
  try {
    if (mark === 'absent' || mark === 'dangling') return isGone(input, fs) ? line : undefined
    if (mark === 'real') return realOf(path, fs) === value ? line : undefined
    const stat = fs.stat(path)
    if (!stat) return undefined
    if (mark === 'k') return stat.kind === stamp ? line : undefined
    if (mark === 'i') return identityOf(stat) === stamp ? line : undefined
    if (mark === 'w' && stampOf(stat) === stamp) return line
    return mark === 'refused' ? undefined : byContent(input, stat, now, fs)
  } catch (error) {
    return mark === 'refused' && codeOf(error) === value ? line : undefined
  }
}

function isGone({ mark, path }: InputLine, fs: FileSystem): boolean {
  return fs.isLink(path) === (mark === 'dangling') && fs.stat(path) === undefined
}

function realOf(path: string, fs: FileSystem): string {
  try {
    return fs.realPath(path)
  } catch {
    return path
  }
}

/** The stat is taken before the reading, as in a build. */
function byContent({ stamp, value, path }: InputLine, stat: Stat, now: bigint, fs: FileSystem): string | undefined {
  if (value === '' || !stamp.startsWith(`${stat.kind}:`) || stat.size > READ_LIMIT) return undefined
  const hash = stat.kind === 'folder' ? listingHash(fs.list(path)) : sha256(fs.read(path, stat.size, READ_LIMIT))
  return hash === value ? `${isYoung(stat, now) ? 'y' : 'w'} ${stampOf(stat)} ${value}\t${path}` : undefined
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Whether a manifest is what a build would give now (design 4): same options, and every input as it was. */
export function isFresh(record: BuildRecord | undefined, manifest: string | undefined, options: DiscoverOptions, now: bigint): boolean {
  if (!record || manifest === undefined || record.manifest !== hashIn(manifest)) return false
  return record.options === asked(options) && checkLines(record.inputs, now).state !== 'changed'
}
