import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'

/** What an agent is shown of its notes without asking (claude-code-agents.md 9: "first 200 lines or 25 KB, whichever comes first"). */
const MOST_LINES = 200
const MOST_BYTES = 25_000

/** The file of an agent's notes that it is shown at the start of a run. */
export const MEMORY_FILE = 'MEMORY.md'

/** What stands in a prompt of the notes of an agent. */
export interface Notes {
  content: string
  /** What a person is told: that something of them is not shown. */
  notice?: string
  /** The hash of the file, where all of it is shown: the agent knows it as if it had read it. */
  whole?: string
}

/** Reads the notes in the folder of an agent. Whatever is there, the answer is a text; a link is not followed. */
export async function readNotes(folder: string): Promise<Notes> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
  try {
    const file = await open(join(folder, MEMORY_FILE), flags)
    try {
      return await notesIn(file)
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { content: 'There is no MEMORY.md yet: you have no notes.' }
    return notShown(code === 'ELOOP' || code === 'EMLINK' ? 'it is a link' : `it cannot be opened (${code})`)
  }
}

async function notesIn(file: FileHandle): Promise<Notes> {
  const stats = await file.stat()
  if (!stats.isFile()) return notShown('it is not a regular file')
  const bytes = await firstBytes(file, MOST_BYTES + 1)
  if (bytes.includes(0)) return notShown('it is not text')
  if (bytes.length === 0) return { content: 'MEMORY.md is empty: you have no notes.', whole: sha256(bytes) }
  const shown = beginning(bytes)
  if (shown.whole) return { content: shown.text, whole: sha256(bytes) }
  const size = `MEMORY.md has ${Math.max(stats.size, bytes.length)} bytes, and only its first ${shown.lines} lines are shown`
  return {
    content: `${shown.text}\n\n[${size}: Read gives you the rest. Shorten it to ${MOST_LINES} lines and ${MOST_BYTES} bytes at most.]`,
    notice: `${size} to the agent`,
  }
}

async function firstBytes(file: FileHandle, most: number): Promise<Buffer> {
  const bytes = Buffer.alloc(most)
  let length = 0
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, most - length, length)
    length += bytesRead
    if (bytesRead === 0 || length === most) return bytes.subarray(0, length)
  }
}

/** The lines within both limits: whole ones, but for a first one that is too long itself. No character is cut in two. */
function beginning(bytes: Buffer): { text: string; lines: number; whole: boolean } {
  const cut = bytes.length > MOST_BYTES
  const text = new TextDecoder().decode(bytes.subarray(0, MOST_BYTES), { stream: cut }).replace(/\r\n/g, '\n')
  const lines = text.replace(/\n$/, '').split('\n')
  const complete = cut && lines.length > 1 && !text.endsWith('\n') ? lines.slice(0, -1) : lines
  const kept = complete.slice(0, MOST_LINES)
  return { text: kept.join('\n'), lines: kept.length, whole: !cut && kept.length === lines.length }
}

/** Why a MEMORY.md of these bytes will not be shown whole; `undefined` if it will. */
export function tooLong(bytes: Buffer): string | undefined {
  if (bytes.length > MOST_BYTES) return `${bytes.length} bytes, and ${MOST_BYTES} are shown`
  const { lines, whole } = beginning(bytes)
  return whole ? undefined : `more than ${lines} lines, and no more are shown`
}

function notShown(why: string): Notes {
  return { content: `MEMORY.md is not shown: ${why}.`, notice: `MEMORY.md is not shown to the agent: ${why}` }
}
