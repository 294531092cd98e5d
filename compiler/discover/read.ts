import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Origin } from '../../schemas/source.ts'
import { FILE_LIMIT } from '../../schemas/values.ts'
import { invalidUtf8, tooLarge, unreadable } from '../findings/file.ts'
import type { SourceFile } from '../source-file.ts'
import { textOf } from './decode.ts'
import { faultOf, type Stat } from './file-system.ts'
import { noteAbsent, noteFile, type Search } from './search.ts'

/** A file that was found and is to be read. */
export interface Found {
  path: string
  stat: Stat
  origin: Origin
  /** For plugin agents: what stands before the agent's name. */
  namespace?: string
}

/**
 * Reads one file. Out: its text and the hash of its bytes, or none, with a finding: over the limit of 1 MiB, or refused.
 * A file that vanished since it was listed counts as never there; one that grew is measured by what was read.
 */
export function readSource(found: Found, form: SourceFile['form'], search: Search, kind: SourceFile['kind'] = 'agent'): SourceFile[] {
  const bytes = bytesOf(found, search)
  if (!bytes) return []
  const { text, invalidAt } = textOf(bytes)
  const file: SourceFile = { kind, form, origin: found.origin, text }
  const hash = noteFile(search, found.path, found.stat, bytes)
  if (hash !== undefined) file.hash = hash
  if (found.namespace !== undefined) file.namespace = found.namespace
  if (invalidAt !== undefined) search.diagnostics.push(invalidUtf8(file, invalidAt))
  return [file]
}

function bytesOf({ path, stat, origin }: Found, search: Search): Uint8Array | undefined {
  const refuse = (finding: Diagnostic): undefined => {
    noteFile(search, path, stat)
    search.diagnostics.push(finding)
  }
  if (stat.size > FILE_LIMIT) return refuse(tooLarge(origin))
  try {
    const bytes = search.fs.read(path, stat.size, FILE_LIMIT + 1)
    return bytes.length > FILE_LIMIT ? refuse(tooLarge(origin)) : bytes
  } catch (error) {
    const fault = faultOf(error)
    if (fault !== 'ENOENT') return refuse(unreadable(origin, fault))
    noteAbsent(search, path)
    return undefined
  }
}
