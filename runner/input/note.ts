import { constants } from 'node:fs'
import { mkdir, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import { MEMORY_FILE } from '../memory/notes.ts'
import { memoryPlace } from '../memory/place.ts'
import type { Workspace } from '../workspace.ts'

/** Writes a note of a person into the memory of an agent, as a line of its own at the end of MEMORY.md. Gives where it is, or why not. */
export async function takeNote(
  text: string,
  name: string,
  agent: Pick<ManifestAgent, 'memory' | 'origin'>,
  workspace: Workspace,
): Promise<{ path: string } | { refused: string }> {
  const place = await memoryPlace(workspace, name, agent)
  if (!place) return { refused: `${name} has no memory to note this in: give it \`memory: user\`, \`project\` or \`local\`.` }
  if ('refused' in place) return { refused: `The note cannot be taken: ${place.refused}.` }
  const path = join(place.folder, MEMORY_FILE)
  try {
    await mkdir(place.folder, { recursive: true })
    if ((await realpath(place.folder)) !== place.folder) return { refused: 'The note cannot be taken: the folder was replaced meanwhile.' }
    await append(path, `- ${text.replace(/\s*\n\s*/g, ' ')}\n`)
    return { path }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { refused: code === 'ELOOP' ? `${path} is a link, and no note is written through it.` : `The note cannot be written (${code}).` }
  }
}

/** Not through a link, and not into a line that has no end. */
async function append(path: string, line: string): Promise<void> {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(path, flags)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw Object.assign(new Error(path), { code: 'not a regular file' })
    const { size } = stats
    const last = size > 0 ? (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer.toString() : '\n'
    await file.write(last === '\n' ? line : `\n${line}`)
  } finally {
    await file.close()
  }
}
