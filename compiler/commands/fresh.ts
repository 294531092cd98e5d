import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isFresh } from '../freshness/check.ts'
import { readRecord, type BuildRecord, type BuildResult } from '../freshness/record.ts'
import { textOf } from '../emit/write.ts'
import { COMMON, compileOptions, type CommonFlags } from './flags.ts'
import type { Io } from './io.ts'
import type { Fresh, rebuilt } from './rebuilt.ts'
import { now } from './unchanged.ts'

/**
 * Flags of `agentc run` that belong to the compiler; `--format` and `--help` are the runner's own, its colours go by `NO_COLOR`, and it runs
 * as no other program.
 */
const { format: _, help: __, target: ___, color: ____, ...SOURCE_FLAGS } = COMMON

/** Splits the arguments of `run` into the compiler's flags and everything else, in order. */
export function splitRunArguments(argv: readonly string[]): { sources: CommonFlags; rest: string[] } {
  const { tokens } = parseArgs({ args: [...argv], options: SOURCE_FLAGS, strict: false, allowPositionals: true, tokens: true })
  const taken = new Set<number>()
  const sources: Record<string, unknown> = {}
  for (const token of tokens) {
    if (token.kind !== 'option' || !(token.name in SOURCE_FLAGS) || token.value === undefined) continue
    taken.add(token.index)
    if (!token.inlineValue) taken.add(token.index + 1)
    if (token.name === 'plugin-dir' || token.name === 'feature')
      sources[token.name] = [...((sources[token.name] as string[] | undefined) ?? []), token.value]
    else sources[token.name] = token.value
  }
  return { sources: sources as CommonFlags, rest: argv.filter((_argument, index) => !taken.has(index)) }
}

/** Where the files lie that are neither the project's nor the person's. */
export function otherLayers(flags: CommonFlags, io: Io): { managed: string; bundled: string } {
  const { managedDir, builtinDir } = compileOptions(flags, io)
  return { managed: managedDir, bundled: dirname(builtinDir) }
}

/**
 * The manifest for a run: the built one if nothing changed since, else one built in memory (design 4, "Freshness"). The compiler is loaded
 * (`rebuild`) for that only: most runs find a fresh manifest, and do not wait for a program that they do not need.
 */
export async function freshManifest(flags: CommonFlags, io: Io, rebuild: () => Promise<typeof rebuilt>): Promise<Fresh> {
  const options = compileOptions(flags, io)
  const text = textOf(resolve(options.cwd, '.agentc/manifest.json'))
  const record = readRecord(textOf(resolve(options.cwd, '.agentc/inputs.json')), io.version)
  if (!isFresh(record, text, options, now())) return (await rebuild())(options)
  const missing = async (name: string): Promise<string | undefined> =>
    wasLeftOut(name, record!) ? (await (await rebuild())(options)).missing(name) : undefined
  return { text: text!, missing }
}

/** Most builds leave nothing out, and then the long list of what they found is not read. */
function wasLeftOut(name: string, { result }: BuildRecord): boolean {
  return result.includes(JSON.stringify(name)) && (JSON.parse(result) as BuildResult).left.includes(name)
}
