import { type BigIntStats, constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { sha256 } from '../../schemas/canonical.ts'
import { neverWritten } from '../never-written.ts'
import { locate, type Place } from '../workspace.ts'
import { wrongKind } from './file-kind.ts'
import { notThere } from './read.ts'
import { WHOLE_BYTES } from './text-file.ts'
import { failed, type ToolContext, type ToolOutput } from './tool.ts'

/** A file that a tool may write. `now` is the file as it is, where there is one. */
export interface Target {
  place: Exclude<Place, { kind: 'outside' | 'unusable' }>
  now?: { stats: BigIntStats; bytes: Buffer }
}

/** The same checks for every tool that writes a file: where it is, what it is, and that the agent knows what it holds. */
export async function writeTarget(given: string, context: ToolContext): Promise<Target | ToolOutput> {
  const place = await locate(context.workspace, given)
  if (place.kind === 'outside' || place.kind === 'unusable') return notThere(place, context)
  const { path, real, shown } = place
  const link = await lstat(path).catch(() => undefined)
  if (link?.isSymbolicLink()) return failed(`${shown} is a link, and links are not written through: name the file that it leads to.`)
  const reason = neverWritten(context.workspace.root, path, real)
  if (reason) return failed(`${shown} is protected and is never written: ${reason}.`)
  return place.kind === 'missing' ? { place } : existing(place, context)
}

async function existing(place: Target['place'], context: ToolContext): Promise<Target | ToolOutput> {
  const { real, shown } = place
  const stats = await lstat(real, { bigint: true })
  const wrong = wrongKind(stats, shown)
  if (wrong) return failed(wrong)
  if ((stats.mode & 0o222n) === 0n) return failed(`${shown} is write-protected (its mode has no w).`)
  const seen = context.state.files.standing(real, stats, undefined)
  if (seen === 'unread') return failed(`${shown} has not been read in this conversation: read it first.`)
  if (stats.size > WHOLE_BYTES)
    return failed(`${shown} is too big to be changed by this tool: ${stats.size} bytes, and ${WHOLE_BYTES} at most.`)
  const bytes = await wholeFile(real)
  if (bytes instanceof Error) return failed(`${shown} cannot be opened (${(bytes as NodeJS.ErrnoException).code}).`)
  if (context.state.files.standing(real, stats, sha256(bytes)) === 'changed') {
    return failed(`${shown} has changed since it was read: read it again.`)
  }
  return { place, now: { stats, bytes } }
}

/** The bytes of a regular file. A pipe that took its place after the check does not hang the run. */
async function wholeFile(path: string): Promise<Buffer | Error> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
    try {
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    return error as Error
  }
}
