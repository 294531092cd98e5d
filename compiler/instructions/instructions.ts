import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { ManifestInstructions } from '../../schemas/shapes/manifest.ts'
import type { Origin } from '../../schemas/source.ts'
import type { Input } from '../discover/input.ts'
import type { Written } from '../settings/settings.ts'
import type { SourceFile } from '../source-file.ts'

/** What people have written down for every agent, read and put in order. */
export interface Instructions {
  /** As the manifest holds it; nothing where there is nothing to say. */
  section?: ManifestInstructions
  /** Files that a pattern of the settings leaves out. */
  excluded: readonly { origin: Origin; by: Written<string> }[]
  /** Everything that was read, imports included. */
  files: readonly SourceFile[]
  diagnostics: readonly Diagnostic[]
  inputs: readonly Input[]
}
