import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes a file whole or not at all: a temporary file beside it, fsync, rename. Does nothing if the file holds the text already.
 * Returns whether anything was written. Throws what the file system throws.
 */
export function writeAtomically(file: string, text: string): boolean {
  if (textOf(file) === text) return false
  const temporary = `${file}.${process.pid}.tmp`
  try {
    const descriptor = openSync(temporary, 'w', 0o644)
    try {
      writeSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
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
  if (made !== undefined && folder.endsWith('.agentc')) writeFileSync(join(folder, '.gitignore'), '*\n')
}
