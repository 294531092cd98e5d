import type { Source } from '../../schemas/source.ts'

/** What lies in a folder of its own in every layer. */
export type RootPart = 'agents' | 'skills' | 'commands'

/** A place to read agents from: a folder, or one file that a plugin's manifest names. */
export interface Root {
  path: string
  /** The root of the layer; what is shown to people is relative to it. */
  base: string
  source: Source
  plugin?: string
  checkout?: 'main'
  /** Folders below are left alone. */
  flat?: true
  /** Links that lead out of the layer's root are not followed but reported. */
  closed?: true
  /** The path as a plugin's manifest has it, with the text of the manifest: what is wrong with it is reported there. */
  named?: { path: string; manifest: string; part: RootPart }
}
