import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Target } from './target.ts'

/**
 * Writes a file whole or not at all: into a new file beside it, to the disk, and in its place by renaming, so that nobody sees half of it,
 * a link that was put there meanwhile is replaced and not followed, and another name of the same file keeps the old content.
 * The mode stays. Gives a reason when the file or its folder is not what was checked any more.
 */
export async function save({ place, now }: Target, bytes: Buffer): Promise<string | undefined> {
  const { real } = place
  const folder = dirname(real)
  await mkdir(folder, { recursive: true })
  if ((await realpath(folder)) !== folder) return 'its folder was replaced meanwhile'
  const fresh = join(folder, `.${randomUUID()}.tmp`)
  try {
    const file = await open(fresh, 'wx', 0o666)
    try {
      await file.writeFile(bytes)
      if (now) await file.chmod(Number(now.stats.mode & 0o7777n))
      await file.sync()
    } finally {
      await file.close()
    }
    if (!(await isAsChecked({ place, now } as Target))) return 'it was changed by something else meanwhile'
    await rename(fresh, real)
    return undefined
  } finally {
    await rm(fresh, { force: true })
  }
}

async function isAsChecked({ place, now }: Target): Promise<boolean> {
  const stats = await lstat(place.real, { bigint: true }).catch(() => undefined)
  if (!stats || !now) return !stats && !now
  return stats.ino === now.stats.ino && stats.mtimeNs === now.stats.mtimeNs && stats.size === now.stats.size
}
