import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What a file is to be like. */
export interface Whole {
  /** Permissions of the file, from which the system takes those that it gives to no new one. */
  mode?: number | undefined
  /** Permissions that the file has to have. */
  keeps?: number | undefined
  /** Asked when all is ready; `false`: the file is left as it is. */
  still?: (() => Promise<boolean>) | undefined
}

/**
 * Writes a file whole or not at all: into a new file beside it, to the disk, and in its place by renaming. Nobody sees half of it, a link in
 * its place is replaced and not followed, and another name of the same file keeps the old content. The new file has a name of its own, so
 * that those who write at the same time do not take each other's away. Gives whether it was written.
 */
export async function writeWhole(path: string, content: string | Uint8Array, { mode = 0o666, keeps, still }: Whole = {}): Promise<boolean> {
  const fresh = freshBeside(path)
  try {
    const file = await open(fresh, 'wx', mode)
    try {
      await file.writeFile(content)
      if (keeps !== undefined) await file.chmod(keeps)
      await file.sync()
    } finally {
      await file.close()
    }
    if (still && !(await still())) return false
    await rename(fresh, path)
    return true
  } finally {
    await rm(fresh, { force: true })
  }
}

/** The same for what agentc keeps for a person: for nobody else to read, in a folder that is made if there is none. */
export async function writeOwn(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeWhole(path, content, { mode: 0o600 })
}

/** The same at once, where nothing may come between reading a file and writing it. Its folder is there. */
export function writeOwnSync(path: string, content: string): void {
  const fresh = freshBeside(path)
  try {
    writeFileSync(fresh, content, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(fresh, path)
  } finally {
    rmSync(fresh, { force: true })
  }
}

function freshBeside(path: string): string {
  return join(dirname(path), `.${randomUUID()}.tmp`)
}
