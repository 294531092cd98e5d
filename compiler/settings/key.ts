import { editDistance, folded } from '../../schemas/near.ts'
import * as say from '../findings/settings.ts'
import type { Entry } from '../parse/node.ts'
import type { FileReading } from './value.ts'

/** The keys of `permissions` (claude-code-agents.md 5), and whether they restrict. */
export const PERMISSION_KEYS: Readonly<Record<string, boolean>> = {
  allow: false,
  ask: true,
  deny: true,
  additionalDirectories: false,
  defaultMode: false,
  disableBypassPermissionsMode: true,
  disableAutoMode: true,
}

/** The keys of a whole file below which something may restrict. Any other key is nobody's business. */
export const TOP_KEYS: Readonly<Record<string, boolean>> = { permissions: true, hooks: true }

/** Reports keys that are one edit or a matter of letters' case from a known one that is not there. */
export function checkKeys(entries: ReadonlyMap<string, Entry>, known: Readonly<Record<string, boolean>>, reading: FileReading): void {
  for (const { key, keyRange, value } of entries.values()) {
    if (Object.hasOwn(known, key) || (known === TOP_KEYS && value.kind !== 'map')) continue
    const meant = Object.keys(known).find((name) => folded(name) === folded(key) || editDistance(name, key, 1) === 1)
    if (meant !== undefined && !entries.has(meant)) reading.found.push(say.misspeltKey(reading.file, keyRange, key, meant, known[meant]!))
  }
}
