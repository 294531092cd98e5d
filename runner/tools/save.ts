import { lstat, mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeWhole } from '../write-whole.ts'
import type { Target } from './target.ts'

/** Writes a file whole or not at all. The mode stays. Gives a reason when the file or its folder is not what was checked any more. */
export async function save({ place, now }: Target, bytes: Buffer): Promise<string | undefined> {
  const { real } = place
  const folder = dirname(real)
  await mkdir(folder, { recursive: true })
  if ((await realpath(folder)) !== folder) return 'its folder was replaced meanwhile'
  const keeps = now && Number(now.stats.mode & 0o7777n)
  const written = await writeWhole(real, bytes, { keeps, still: () => isAsChecked({ place, now } as Target) })
  return written ? undefined : 'it was changed by something else meanwhile'
}

async function isAsChecked({ place, now }: Target): Promise<boolean> {
  const stats = await lstat(place.real, { bigint: true }).catch(() => undefined)
  if (!stats || !now) return !stats && !now
  return stats.ino === now.stats.ino && stats.mtimeNs === now.stats.mtimeNs && stats.size === now.stats.size
}
