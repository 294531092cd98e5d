import { DISK } from '../discover/file-system.ts'
import { textOf, writePartsAtomically } from '../emit/write.ts'
import type { CompileOptions } from '../options.ts'
import { checkLines } from '../freshness/check.ts'
import { asked, hashIn, readRecord, renewedParts, type BuildRecord, type BuildResult } from '../freshness/record.ts'
import type { Io } from './io.ts'

/** Where a build keeps what it wrote and what it was made from. */
export interface Kept {
  manifest: string
  inputs: string
}

/** Now, in nanoseconds since 1970, as the times of files are told. It decides only which files are looked into, never what comes out. */
export function now(): bigint {
  return BigInt(Date.now()) * 1_000_000n
}

/**
 * What a build would find and write once more: every input, and what was written, is as the last build left it. Nothing is read for that
 * but the record and stats. Out: what that build had to say, or nothing, and then there is something to build.
 */
export function lastResult({ manifest, inputs }: Kept, options: CompileOptions, keepGoing: boolean, io: Io): BuildResult | undefined {
  const record = readRecord(textOf(inputs), io.version)
  if (!record || record.options !== asked(options) || record.manifest !== headHash(manifest)) return undefined
  const at = now()
  if (checkLines(record.outputs, at).state !== 'same') return undefined
  const check = checkLines(record.inputs, at)
  if (check.state === 'changed') return undefined
  const result = JSON.parse(record.result) as BuildResult
  if (result.errors > 0 && !keepGoing) return undefined
  if (check.state === 'touched') renew(inputs, { ...record, inputs: check.lines }, io)
  return result
}

/** The next build need not look into the same files again. It is only a matter of speed, so it may fail. */
function renew(file: string, record: BuildRecord, io: Io): void {
  try {
    writePartsAtomically(file, renewedParts(io.version, record), { durable: false })
  } catch {
    // The folder is read-only, or the disk is full: the old record still holds.
  }
}

/** The hash in the head of a manifest, which is not read further. */
function headHash(manifest: string): string | undefined {
  try {
    return hashIn(Buffer.from(DISK.read(manifest, 200, 200)).toString())
  } catch {
    return undefined
  }
}
