import { compile, type Compilation } from './compile.ts'
import type { CompileOptions } from './options.ts'
import type { Kept } from './kept.ts'
import type { Definitions } from './define/define.ts'
import { DISK, type FileSystem } from './discover/file-system.ts'
import { holdDisk } from './discover/held-disk.ts'
import { KnownSources } from './discover/known-sources.ts'
import { Bound, Memo } from './memo.ts'
import type { ParsedDocument } from './parse/parse.ts'
import type { SourceFile } from './source-file.ts'

/** A compiler that stays: of what did not change since the last time nothing is read, parsed or defined again. */
export interface Compiler {
  /** After a change of these paths; of anything, if none are given. In: the time now, in nanoseconds since 1970. */
  compile(now: bigint, changed?: Iterable<string>): Promise<Compilation>
  /** How many files were parsed in all. */
  readonly parsed: number
}

/** In: what to compile, and from which disk. The result of each compilation is what a new compiler would give. */
export function createCompiler(options: CompileOptions, disk: FileSystem = DISK): Compiler {
  const held = holdDisk(disk)
  const sources = new KnownSources()
  const documents = new Memo<SourceFile, ParsedDocument>()
  const definitions = new Memo<ParsedDocument, Definitions>()
  const kept: Kept = {
    disk: held,
    sources,
    documents,
    definitions,
    bound: new Bound(() => ({ resolved: new Memo(), last: {}, about: new Memo() })),
    skills: new Memo(),
    programs: new Map(),
    aboutDocuments: new Memo(),
    aboutFiles: new Memo(),
    aboutCode: new Memo(),
  }
  return {
    compile: (now, changed) => {
      if (changed) held.forget(changed)
      else held.forgetAll()
      sources.begin(now)
      return compile(options, kept)
    },
    get parsed() {
      return documents.made
    },
  }
}
