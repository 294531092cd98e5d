import type { Entry, Stat } from './file-system.ts'

/**
 * Something the result depends on, with what tells whether it changed. Host-local (absolute paths), never part of the manifest.
 * `absent` was looked for and is not there, `dangling` is a link that leads nowhere, `refused` cannot be looked at, and of a `real` path
 * it matters where it leads.
 */
export interface Input {
  path: string
  kind: 'file' | 'folder' | 'other' | 'absent' | 'dangling' | 'refused' | 'real'
  /** What the stat said when it was looked at; a folder without one matters by being there only (`.git`). */
  stat?: Stat
  /** Only which thing it is matters, not what is in it. */
  identityOnly?: true
  /** Of the bytes of a file that was read. */
  sha256?: string
  /** Of a folder that was listed. */
  entries?: readonly Entry[]
  /** Where a real path leads, or why something is refused. */
  value?: string
}
