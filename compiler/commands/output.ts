import { relative, resolve } from 'node:path'
import type { Compilation } from '../compile.ts'
import type { CompileOptions } from '../options.ts'
import { manifestOf } from '../emit/manifest-of.ts'
import { DISK } from '../discover/file-system.ts'
import type { Input } from '../discover/input.ts'
import type { Line } from '../emit/lines.ts'
import { codePath, writeCode } from '../emit/tool-code.ts'
import { makeOutputFolder, writePartsAtomically } from '../emit/write.ts'
import { recordParts, type BuildResult } from '../freshness/record.ts'
import type { Memo } from '../memo.ts'
import { excerptOf } from '../report/excerpt.ts'
import { countsOf } from '../report/summary.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import type { Io } from './io.ts'

/** Where a manifest goes. */
export interface Target {
  file: string
  /** As a person is told about it. */
  shown: string
  /** Where freshness is kept: only beside the manifest that `run` looks at, never beside a file that is to be committed. */
  inputs?: string
}

/** In: the value of `--out`. */
export function target(out: string | undefined, { cwd }: CompileOptions, io: Io): Target {
  const usual = resolve(cwd, '.agentc/manifest.json')
  const file = out === undefined ? usual : resolve(io.cwd, out)
  return { file, shown: relative(io.cwd, file) || file, ...(file === usual && { inputs: resolve(cwd, '.agentc/inputs.json') }) }
}

/** A manifest that was written. */
export interface Written {
  /** False if the file held it already. */
  changed: boolean
  /** Its beginning, with its hash. */
  head: string
}

/** Writes a manifest without the agents named in `without`, and the code of tools before it. Throws what the file system throws. */
export function writeManifest(
  compilation: Compilation,
  without: ReadonlySet<string>,
  { file }: Target,
  known?: Memo<ResolvedAgent, Line>,
): Written {
  makeOutputFolder(file)
  writeCode(file, compilation.code)
  const manifest = manifestOf(compilation, without, known)
  const changed = writePartsAtomically(file, manifest.parts(), { first: manifest.head })
  return { changed, head: manifest.head() }
}

/** What a record is about. */
export interface RecordOf {
  compilation: Compilation
  without: ReadonlySet<string>
  options: CompileOptions
  /** When the compilation began. */
  began: bigint
  target: Target
}

/** Keeps what the next build needs to know that nothing changed. Written last: a build that ends before leaves a record that fits no manifest. */
export function keepRecord({ head }: Written, { compilation, without, options, began, target: { file, inputs } }: RecordOf, io: Io): void {
  if (inputs === undefined) return
  const { diagnostics, resolution, discovery, code } = compilation
  const outputs = [file, ...[...code.keys()].map((hash) => codePath(file, hash))].map(outputAt)
  const { errors } = countsOf(diagnostics)
  const result: BuildResult = { agents: resolution.agents.size, errors, left: [...without].sort(), diagnostics: diagnostics.map(excerptOf) }
  const facts = { inputs: discovery.inputs, outputs, head, options, version: io.version, began, result }
  writePartsAtomically(inputs, recordParts(facts), { durable: false })
}

function outputAt(path: string): Input {
  const stat = DISK.stat(path)
  return stat ? { path, kind: 'file', stat } : { path, kind: 'absent' }
}
