import { posix } from 'node:path'
import { IMPORT_HOPS, INSTRUCTIONS_LIMIT } from '../../schemas/values.ts'
import { understood } from '../instructions/markdown.ts'
import type { TreeEntry } from './git.ts'

/** Names of files with instructions. */
export const INSTRUCTIONS: ReadonlySet<string> = new Set(['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md'])

/** A file to be read, and the folder that its imports are relative to. */
interface Importer {
  entry: TreeEntry
  folder: string
}

/**
 * The files that instructions of a commit import, which can lie anywhere in it. In: all entries, what a link says, and how the bytes of
 * entries are had, by id.
 */
export function importedBy(
  all: readonly TreeEntry[],
  targetOf: (entry: TreeEntry) => string,
  read: (entries: readonly TreeEntry[]) => ReadonlyMap<string, Buffer>,
): Set<string> {
  const byPath = new Map(all.map((entry) => [entry.path, entry]))
  const at = (path: string, folder = posix.dirname(path)): Importer[] => {
    const entry = byPath.get(path)
    if (!entry || entry.size > INSTRUCTIONS_LIMIT) return []
    if (entry.kind !== 'link') return [{ entry, folder }]
    const target = byPath.get(posix.join(folder, targetOf(entry)))
    return target && target.kind !== 'link' && target.size <= INSTRUCTIONS_LIMIT ? [{ entry: target, folder }] : []
  }
  const found = new Set<string>()
  let next = all.filter(({ path }) => isInstructions(path)).flatMap(({ path }) => at(path))
  for (let hop = 0; hop < IMPORT_HOPS && next.length > 0; hop++) {
    const blobs = read(next.map(({ entry }) => entry))
    const paths = new Set(next.flatMap((importer) => pathsIn(importer, blobs)).filter((path) => byPath.has(path) && !found.has(path)))
    for (const path of paths) found.add(path)
    next = [...paths].flatMap((path) => at(path))
  }
  return found
}

function isInstructions(path: string): boolean {
  return INSTRUCTIONS.has(posix.basename(path)) || (/(?:^|\/)\.claude\/rules\//.test(path) && path.endsWith('.md'))
}

function pathsIn({ entry, folder }: Importer, blobs: ReadonlyMap<string, Buffer>): string[] {
  const { mentions } = understood(blobs.get(entry.id)?.toString('utf8') ?? '')
  return mentions.map(({ path }) => posix.join(folder, path))
}
