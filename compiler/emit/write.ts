import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Writes a file whole or not at all: a temporary file, fsync, rename. Does nothing if the file holds the text already.
 * The temporary file lies in a new folder beside the target, whose name the system makes unique: two builds at once never share it.
 * Returns whether anything was written. Throws what the file system throws.
 */
export function writeAtomically(file: string, text: string, { mode = 0o644 } = {}): boolean {
  refuseSpecial(file)
  if (textOf(file) === text) return false
  return replaced(file, mode, (descriptor) => {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
    return true
  })
}

/**
 * The same for a text that comes in parts; it goes to the disk as it comes, and the old file stays if it holds the very same bytes.
 * `first`: the first part, where it is known for certain only at the end; it is as long as the one that came. What is not
 * `durable` may be lost with the power.
 */
export function writePartsAtomically(
  file: string,
  parts: Iterable<Uint8Array>,
  { first, durable = true }: { first?: () => string; durable?: boolean } = {},
): boolean {
  return replaced(file, 0o644, (descriptor) => {
    let length = 0
    for (const part of parts) {
      writeAt(descriptor, part, length)
      length += part.length
    }
    if (first) writeAt(descriptor, Buffer.from(first()), 0)
    if (sameBytes(descriptor, file)) return false
    if (durable) fsyncSync(descriptor)
    return true
  })
}

/** Puts a new file in the place of `file`, if `write` says so. */
function replaced(file: string, mode: number, write: (descriptor: number) => boolean): boolean {
  const folder = mkdtempSync(`${file}.tmp-`)
  const temporary = join(folder, basename(file))
  let moved = false
  try {
    const descriptor = openSync(temporary, 'wx+', mode)
    try {
      if (!write(descriptor)) return false
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, file)
    moved = true
    return true
  } finally {
    // To remove a folder that may hold something, Node loads a module first.
    if (moved) rmdirSync(folder)
    else rmSync(folder, { recursive: true, force: true })
  }
}

/** How much is compared at once, in bytes: files that differ do so in their heads, and fresh memory costs more than a call. */
const BATCH = 1 << 16

function writeAt(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done, bytes.length - done, position + done)
}

function sameBytes(descriptor: number, file: string): boolean {
  const other = openIfThere(file)
  if (other === undefined) return false
  try {
    const { size } = fstatSync(descriptor)
    if (fstatSync(other).size !== size) return false
    const [a, b] = [Buffer.allocUnsafe(BATCH), Buffer.allocUnsafe(BATCH)]
    for (let at = 0; at < size;) {
      const got = readSync(descriptor, a, 0, BATCH, at)
      if (got === 0 || readSync(other, b, 0, got, at) !== got || a.compare(b, 0, got, 0, got) !== 0) return false
      at += got
    }
    return true
  } finally {
    closeSync(other)
  }
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r')
  } catch {
    return undefined
  }
}

/** The text of a file, or `undefined` if there is none that can be read. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** As the system's faults: the code is what a person is told in brackets. */
class NoFile extends Error {
  readonly code = 'it is no regular file'
}

/**
 * A device, a pipe or a socket is never replaced: by root, that would be the end of `/dev/null` for every program. `/dev/stdout` is a link
 * into `/proc`.
 */
function refuseSpecial(file: string): void {
  const [own, target] = [lstatSync, statSync].map((look) => look(file, { throwIfNoEntry: false }))
  const isLinkOfSystem = own?.isSymbolicLink() === true && readlinkSync(file).startsWith('/proc/')
  if (isLinkOfSystem || (target && !target.isFile() && !target.isDirectory())) throw new NoFile()
}

/** Makes the folder of a manifest; a new `.agentc` folder keeps itself out of git, without touching the project's own `.gitignore`. Nothing is made for what is no file. */
export function makeOutputFolder(file: string): void {
  refuseSpecial(file)
  const folder = dirname(file)
  const made = mkdirSync(folder, { recursive: true })
  if (made !== undefined && basename(folder) === '.agentc') writeFileSync(join(folder, '.gitignore'), '*\n')
}
