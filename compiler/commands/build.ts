import { relative, resolve } from 'node:path'
import { broken, compile, manifestText, type Compilation, type CompileOptions } from '../compile.ts'
import { differences } from '../diff/diff.ts'
import { inputsText } from '../freshness.ts'
import { makeOutputFolder, textOf, writeAtomically } from '../emit/write.ts'
import { jsonReport } from '../report/json.ts'
import { prettyFinding } from '../report/pretty.ts'
import { countsOf, countsText } from '../report/summary.ts'
import type { Style } from '../report/style.ts'
import { COMMON_HELP, compileOptions, formatOf, parseFlags, styleOf } from './flags.ts'
import { UsageError, type Io } from './io.ts'

export const BUILD_HELP = `agentc build: checks all agents and writes the manifest

  --out FILE          where to write it (default: .agentc/manifest.json)
  --check             write nothing; fail if the manifest is not up to date, and say what differs
  --keep-going        write a manifest without the broken agents
  --strict            fail on warnings too
${COMMON_HELP}`

const FLAGS = {
  out: { type: 'string' },
  check: { type: 'boolean' },
  'keep-going': { type: 'boolean' },
  strict: { type: 'boolean' },
} as const

interface Outcome {
  code: number
  /** What became of the manifest, for a person. */
  lines: string[]
}

/** `agentc build`. Exit code: 0 fine, 1 errors (with `--strict`: or warnings, with `--check`: or a stale manifest). */
export async function build(argv: readonly string[], io: Io): Promise<number> {
  const { values: flags, positionals } = parseFlags(argv, FLAGS)
  if (flags.help) return (io.out(BUILD_HELP), 0)
  if (positionals.length > 0) throw new UsageError(`build takes no arguments, but got "${positionals[0]}".`)
  const format = formatOf(flags, ['pretty', 'json'])
  const options = compileOptions(flags, io)
  const compilation = await compile(options)
  const file = resolve(io.cwd, flags.out ?? resolve(options.cwd, '.agentc/manifest.json'))
  const counts = countsOf(compilation.diagnostics)
  const outcome = emit(compilation, options, file, relative(io.cwd, file) || file, flags)
  if (format === 'json') io.out(`${JSON.stringify(jsonReport(compilation.diagnostics, compilation.resolution.agents.size), null, 2)}\n`)
  else io.out(prettyReport(compilation, outcome, styleOf(flags, io)))
  return flags.strict && counts.warnings > 0 ? 1 : outcome.code
}

function emit(
  compilation: Compilation,
  options: CompileOptions,
  file: string,
  shown: string,
  flags: { check?: boolean; 'keep-going'?: boolean },
): Outcome {
  const without = broken(compilation)
  const errors = countsOf(compilation.diagnostics).errors
  if (errors > 0 && !flags['keep-going'])
    return { code: 1, lines: [`no manifest was written, because of ${countsText({ errors, warnings: 0, infos: 0 })}`] }
  const text = manifestText(compilation, without)
  if (flags.check) return check(text, textOf(file), shown)
  makeOutputFolder(file)
  const written = writeAtomically(file, text)
  writeAtomically(`${file.replace(/[^/\\]*$/, '')}inputs.json`, inputsText(compilation.discovery.inputs, text, options))
  const left = without.size > 0 ? [`left out: ${[...without].sort().join(', ')}`] : []
  return { code: errors > 0 ? 1 : 0, lines: [...left, `${written ? 'wrote' : 'unchanged:'} ${shown}`] }
}

function check(text: string, before: string | undefined, shown: string): Outcome {
  if (before === text) return { code: 0, lines: [`up to date: ${shown}`] }
  if (before === undefined) return { code: 1, lines: [`there is no manifest at ${shown}; run \`agentc build\``] }
  return { code: 1, lines: [`stale: ${shown}; run \`agentc build\``, ...differences(before, text).map((line) => `  ${line}`)] }
}

function prettyReport({ diagnostics, resolution }: Compilation, { lines }: Outcome, style: Style): string {
  const findings = diagnostics.map((item) => `${prettyFinding(item, style)}\n`).join('')
  const agents = `${resolution.agents.size} agent${resolution.agents.size === 1 ? '' : 's'}`
  return `${findings}${style('bold', agents)}: ${countsText(countsOf(diagnostics))}\n${lines.map((line) => `${line}\n`).join('')}`
}
