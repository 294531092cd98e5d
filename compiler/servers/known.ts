import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { ServersFile } from '../discover/server-files.ts'
import type { SourceFile } from '../source-file.ts'
import { readLock } from './lock-file.ts'
import type { KnownServers } from './locked-tools.ts'
import { mergeServers } from './merge.ts'
import { readServers } from './read.ts'
import { withoutSwitchedOff, type ServerSwitches } from './switched-off.ts'

/** Reads everything that is said about servers outside agents. In: the files, lowest precedence first, the lock, and the settings. */
export function knownServers(
  files: readonly ServersFile[],
  lockFile: SourceFile | undefined,
  settings: ServerSwitches,
): KnownServers & { diagnostics: Diagnostic[] } {
  const read = files.map(readServers)
  const on = withoutSwitchedOff(
    read.flatMap((part) => part.servers),
    settings,
  )
  const { servers, diagnostics } = mergeServers(on.declared)
  const { lock, diagnostics: faults } = lockFile ? readLock(lockFile) : { diagnostics: [] }
  return {
    servers,
    ...(lock && { lock }),
    diagnostics: [...read.flatMap((part) => part.diagnostics), ...on.diagnostics, ...diagnostics, ...faults],
  }
}
