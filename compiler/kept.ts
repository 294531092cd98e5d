import type { Diagnostic } from '../schemas/diagnostic.ts'
import type { Definitions } from './define/define.ts'
import type { AgentDefinition } from './define/definition.ts'
import type { FileSystem } from './discover/file-system.ts'
import type { KnownSources } from './discover/known-sources.ts'
import type { KnownPrograms } from './discover/programs.ts'
import type { Bound, Memo } from './memo.ts'
import type { ParsedDocument } from './parse/parse.ts'
import type { LastResolution } from './resolve/one.ts'
import type { ResolvedAgent } from './resolve/resolved.ts'
import type { AboutAgent } from './rules/each.ts'
import type { ReadSkill } from './skills/collect.ts'
import type { SourceFile } from './source-file.ts'

/** What one compilation leaves to the next. */
export interface Kept {
  disk?: FileSystem
  sources?: KnownSources
  documents?: Memo<SourceFile, ParsedDocument>
  definitions?: Memo<ParsedDocument, Definitions>
  skills?: Memo<SourceFile, ReadSkill>
  programs?: KnownPrograms
  /** What depends on definitions, and on files that are none of agents. */
  bound?: Bound<KeptWithin>
  /** What is found in a file by itself, and about an agent as it was resolved. */
  aboutDocuments?: Memo<ParsedDocument, readonly Diagnostic[]>
  aboutFiles?: Memo<SourceFile, readonly Diagnostic[]>
  aboutCode?: Memo<ResolvedAgent, readonly Diagnostic[]>
}

export interface KeptWithin {
  resolved: Memo<AgentDefinition, ResolvedAgent>
  last: LastResolution
  about: Memo<AgentDefinition, AboutAgent>
}
