import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Writes a file whole or not at all: a temporary file, fsync, rename. Does nothing if the file holds the text already.
 * The temporary file lies in a new folder beside the target, whose name the system makes unique: two builds at once never share it.
 * Returns whether anything was written. Throws what the file system throws.
 */
export function writeAtomically(file: string, text: string, mode = 0o644): boolean {
  if (textOf(file) === text) return false
  const folder = mkdtempSync(`${file}.tmp-`)
  try {
    const temporary = join(folder, basename(file))
    const descriptor = openSync(temporary, 'wx', mode)
    try {
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return true
}

/** The text of a file, or `undefined` if there is none that can be read. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Makes the folder of a manifest; a new `.agentc` folder keeps itself out of git, without touching the project's own `.gitignore`. */
export function makeOutputFolder(file: string): void {
  const folder = dirname(file)
  const made = mkdirSync(folder, { recursive: true })
  if (made !== undefined && basename(folder) === '.agentc') writeFileSync(join(folder, '.gitignore'), '*\n')
}
