import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import type { FileEffect, FileState } from '../transcript/line.ts'
import type { Workspace } from '../workspace.ts'

/** The hash of a file's bytes, `null` if there is none that can be read. */
async function fileHash(path: string): Promise<string | null> {
  return readFile(path).then(sha256, () => null)
}

/** The files of these effects as they are now. */
export async function filesNow(effects: readonly FileEffect[], workspace: Workspace): Promise<FileState[]> {
  return Promise.all(effects.map(async ({ path }) => ({ path, hash: await fileHash(join(workspace.cwd, path)) })))
}

/**
 * What became of a call that was cut off, by the files it was to change: all as they should be after it, all as they were before it,
 * or something else. A call that says nothing of its effects is never known to be undone.
 */
export async function whatBecame(effects: readonly FileEffect[] | undefined, workspace: Workspace): Promise<'done' | 'undone' | 'unknown'> {
  if (!effects || effects.length === 0) return 'unknown'
  const now = await filesNow(effects, workspace)
  if (effects.every((effect, at) => now[at]!.hash === effect.after)) return 'done'
  return effects.every((effect, at) => now[at]!.hash === effect.before) ? 'undone' : 'unknown'
}
