import { mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hashOf, sha256 } from '../../schemas/canonical.ts'
import { writeWhole } from '../write-whole.ts'

/** More is no folder of notes. */
const MOST_FILES = 500
const MOST_BYTES = 5_000_000

/** The files of a folder by their paths in it, with `/`. */
export type Files = ReadonlyMap<string, Buffer>

/** Why a folder is no folder of notes, as the end of a sentence. */
export class NoNotes extends Error {
  override name = 'NoNotes'
}

/** All files of a folder of notes; none, if it is not there. Files with a dot in front are nobody's notes. Throws `NoNotes`. */
export async function filesOf(folder: string): Promise<Files> {
  const files = new Map<string, Buffer>()
  let bytes = 0
  const walk = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${below}${entry.name}`
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) await walk(`${path}/`)
      else if (!entry.isFile()) throw new NoNotes(`${path} is no regular file`)
      else {
        const content = await readFile(join(folder, path))
        bytes += content.length
        files.set(path, content)
        if (files.size > MOST_FILES || bytes > MOST_BYTES)
          throw new NoNotes(`it holds more than ${MOST_FILES} files or ${MOST_BYTES} bytes`)
      }
    }
  }
  await walk('').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || files.size > 0) throw error.code === undefined ? error : new NoNotes(`it cannot be read (${error.code})`)
  })
  return files
}

/** Identifies exactly these files; `undefined` for none. */
export function hashOfFiles(files: Files): string | undefined {
  return files.size === 0 ? undefined : hashOf([...files].map(([path, content]) => [path, sha256(content)]))
}

/** Makes the files of a folder be these and no others. Each is written whole or not at all. Throws `NoNotes`. */
export async function writeFiles(folder: string, files: Files, before: Files): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    if ((await realpath(folder)) !== folder) throw new NoNotes('a link stands in its place')
    for (const [path, content] of files) if (!before.get(path)?.equals(content)) await put(join(folder, path), content)
    for (const path of before.keys()) if (!files.has(path)) await rm(join(folder, path))
  } catch (error) {
    if (error instanceof NoNotes) throw error
    throw new NoNotes(`it cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
}

async function put(path: string, content: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeWhole(path, content)
}
