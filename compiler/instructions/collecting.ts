import type { ManifestInstructions } from '../../schemas/shapes/manifest.ts'
import type { Origin, Range } from '../../schemas/source.ts'
import type { InstructionLevel } from '../../schemas/values.ts'
import type { Found } from '../discover/found.ts'
import type { DiscoverOptions } from '../discover/options.ts'
import { readSource } from '../discover/read.ts'
import type { Search } from '../discover/search.ts'
import { unreadableInstructions } from '../findings/instructions.ts'
import type { Written } from '../settings/settings.ts'
import type { SourceFile } from '../source-file.ts'
import type { Ground } from './target.ts'

/** Where instructions are collected. */
export interface Around {
  options: DiscoverOptions
  /** Root of the project. */
  root: string
  search: Search
}

/** One collection: where it happens, and what was found so far. */
export interface Collecting extends Around {
  /** The pattern that leaves a file out, by any of its paths. */
  excludedBy: (...paths: string[]) => Written<string> | undefined
  excluded: { origin: Origin; by: Written<string> }[]
  files: SourceFile[]
  entries: ManifestInstructions['files']
  /** How many files were imported. */
  imports: number
}

/** A file whose text is taken, and whose imports are followed. */
export interface Importer {
  file: SourceFile
  level: InstructionLevel
  /** The folder that its imports are relative to. */
  folder: string
  ground: Ground
  /** The files over which it was imported, its own identity last. */
  chain: readonly string[]
  importedBy?: Origin
  /** Where a finding about one of its imports points. */
  placeOf: (range: Range) => Range
}

/** Whether a pattern of the settings leaves a file out; what the organisation says no pattern does. */
export function isExcluded(
  level: InstructionLevel,
  origin: Origin,
  paths: readonly string[],
  { excludedBy, excluded }: Collecting,
): boolean {
  const by = level === 'policy' ? undefined : excludedBy(...paths)
  if (by) excluded.push({ origin, by })
  return by !== undefined
}

/** Reads a file; one that is no text is reported. */
export function textFile(found: Found, { search, files }: Collecting): SourceFile | undefined {
  const [file] = readSource(found, 'markdown', search, 'instructions')
  if (!file) return undefined
  if (file.text.includes('\0')) return void search.diagnostics.push(unreadableInstructions(found.origin, 'is no text file'))
  files.push(file)
  return file
}
