import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { broken, compile, findingsIn, manifestText } from '../compile.ts'
import { isFresh } from '../freshness.ts'
import { textOf } from '../emit/write.ts'
import { placeText } from '../report/pretty.ts'
import { COMMON, compileOptions, type CommonFlags } from './flags.ts'
import type { Io } from './io.ts'

/** Flags of `agentc run` that belong to the compiler; `--format` and `--help` are the runner's own, and it runs as no other program. */
const { format: _, help: __, target: ___, ...SOURCE_FLAGS } = COMMON

export interface Fresh {
  /** The manifest's bytes, as text: the only thing that crosses to the runner. */
  text: string
  /** Why an agent that was asked for is not in it. */
  missing: (name: string) => string | undefined
}

/** Splits the arguments of `run` into the compiler's flags and everything else, in order. */
export function splitRunArguments(argv: readonly string[]): { sources: CommonFlags; rest: string[] } {
  const { tokens } = parseArgs({ args: [...argv], options: SOURCE_FLAGS, strict: false, allowPositionals: true, tokens: true })
  const taken = new Set<number>()
  const sources: Record<string, unknown> = {}
  for (const token of tokens) {
    if (token.kind !== 'option' || !(token.name in SOURCE_FLAGS) || token.value === undefined) continue
    taken.add(token.index)
    if (!token.inlineValue) taken.add(token.index + 1)
    if (token.name === 'plugin-dir') sources[token.name] = [...((sources[token.name] as string[] | undefined) ?? []), token.value]
    else sources[token.name] = token.value
  }
  return { sources: sources as CommonFlags, rest: argv.filter((_argument, index) => !taken.has(index)) }
}

/**
 * The manifest for a run: the built one if nothing changed since, else one built in memory as with `--keep-going`, so that a broken agent
 * stops only runs that need it (design 4, "Freshness"). Writes nothing.
 */
export async function freshManifest(flags: CommonFlags, io: Io): Promise<Fresh> {
  const options = compileOptions(flags, io)
  const text = textOf(resolve(options.cwd, '.agentc/manifest.json'))
  const inputs = textOf(resolve(options.cwd, '.agentc/inputs.json'))
  if (isFresh(inputs, text, options, io.version)) return { text: text!, missing: () => undefined }
  const compilation = await compile(options)
  const without = broken(compilation)
  const missing = (name: string): string | undefined => {
    if (!without.has(name)) return undefined
    const file = compilation.resolution.agents.get(name)?.definition.file ?? compilation.resolution.dropped.get(name)!.file
    const cause = findingsIn(file, compilation).find((item) => item.severity === 'error')
    return cause ? `${placeText(cause.at)}: ${cause.message}` : undefined
  }
  return { text: manifestText(compilation, without), missing }
}
