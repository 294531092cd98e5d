import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { FILE_LIMIT } from '../../schemas/values.ts'
import { invalidUtf8, tooLarge, unreadable } from '../findings/file.ts'
import type { SourceFile } from '../source-file.ts'
import { textOf } from './decode.ts'
import { faultOf } from './file-system.ts'
import type { Found } from './found.ts'
import { isSettled, type KnownSource } from './known-sources.ts'
import { noteAbsent, noteFile, type Search } from './search.ts'

/**
 * Reads one file. Out: its text and the hash of its bytes, or none, with a finding: over the limit of 1 MiB, or refused.
 * A file that vanished since it was listed counts as never there; one that grew is measured by what was read.
 */
export function readSource(found: Found, form: SourceFile['form'], search: Search, kind: SourceFile['kind'] = 'agent'): SourceFile[] {
  const as = `${kind} ${form}`
  const known = search.known?.find(as, found)
  if (known && isSettled(known, found.stat)) return again(as, known.stat === found.stat ? known : { ...known, stat: found.stat }, search)
  const bytes = bytesOf(found, search, kind)
  if (!bytes) return []
  const hash = noteFile(search, found.path, found.stat, bytes)
  if (known && known.file.hash === hash)
    return again(as, { ...known, stat: found.stat, readAt: search.known!.began, input: search.inputs.get(found.path)! }, search)
  const { text, secrets, invalidAt } = textOf(bytes)
  const file: SourceFile = { kind, form, origin: found.origin, text }
  if (hash !== undefined) file.hash = hash
  if (found.namespace !== undefined) file.namespace = found.namespace
  if (secrets.length > 0) file.secrets = secrets
  const diagnostics = invalidAt === undefined ? [] : [invalidUtf8(file, invalidAt)]
  search.diagnostics.push(...diagnostics)
  const input = search.inputs.get(found.path)!
  search.known?.keep(as, { found, stat: found.stat, readAt: search.known.began, file, input, diagnostics })
  return [file]
}

/** The very value of an earlier search. */
function again(as: string, known: KnownSource, search: Search): SourceFile[] {
  search.known!.keep(as, known)
  search.inputs.set(known.found.path, known.input)
  search.diagnostics.push(...known.diagnostics)
  return [known.file]
}

function bytesOf({ path, stat, origin, limit = FILE_LIMIT }: Found, search: Search, kind: SourceFile['kind']): Uint8Array | undefined {
  const refuse = (finding: Diagnostic): undefined => {
    noteFile(search, path, stat)
    search.diagnostics.push(finding)
  }
  if (stat.size > limit) return refuse(tooLarge(origin, limit, kind))
  try {
    const bytes = search.fs.read(path, stat.size, limit + 1)
    return bytes.length > limit ? refuse(tooLarge(origin, limit, kind)) : bytes
  } catch (error) {
    const fault = faultOf(error)
    if (fault !== 'ENOENT') return refuse(unreadable(origin, fault, kind))
    noteAbsent(search, path)
    return undefined
  }
}
