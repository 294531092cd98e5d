import { relative, resolve } from 'node:path'
import { AGENTC } from '../../schemas/profile.ts'
import { broken, compile, manifestText, type Compilation, type CompileOptions } from '../compile.ts'
import { differences } from '../diff/diff.ts'
import { faultOf } from '../discover/file-system.ts'
import { inputsText } from '../freshness.ts'
import { fixProject } from '../fix/project.ts'
import { makeOutputFolder, textOf, writeAtomically } from '../emit/write.ts'
import { githubReport } from '../report/github.ts'
import { jsonReport } from '../report/json.ts'
import { prettyFinding } from '../report/pretty.ts'
import { sarifReport } from '../report/sarif.ts'
import { countsOf, countsText } from '../report/summary.ts'
import { printable, type Style } from '../report/style.ts'
import { COMMON_HELP, compileOptions, formatOf, parseFlags, styleOf } from './flags.ts'
import { UsageError, type Io } from './io.ts'

export const BUILD_HELP = `agentc build: checks all agents and writes the manifest

  --out FILE          where to write it (default: .agentc/manifest.json)
  --check             write nothing; fail if the manifest is not up to date, and say what differs
  --fix               apply the safe fixes to the project's files first
  --keep-going        write a manifest without the broken agents
  --strict            fail on warnings too
  --max-warnings N    fail on more than N warnings
  --format pretty|json|github|sarif
${COMMON_HELP}`

const FLAGS = {
  out: { type: 'string' },
  check: { type: 'boolean' },
  'keep-going': { type: 'boolean' },
  fix: { type: 'boolean' },
  strict: { type: 'boolean' },
  'max-warnings': { type: 'string' },
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
  const format = formatOf(flags, ['pretty', 'json', 'github', 'sarif'])
  const allowed = warningsAllowed(flags)
  const options = compileOptions(flags, io)
  const { compilation, fixed } = flags.fix ? await compileFixed(options) : { compilation: await compile(options), fixed: 0 }
  const style = styleOf(flags, io)
  const counts = countsOf(compilation.diagnostics)
  const outcome = emit(compilation, options, target(flags.out, options, io), flags, io)
  if (flags.fix) outcome.lines.unshift(`fixed ${fixed} finding${fixed === 1 ? '' : 's'}`)
  io.out(format === 'pretty' ? prettyReport(compilation, outcome, style) : machineReport(format, compilation, io))
  if (format !== 'pretty' && outcome.code !== 0) io.err(outcome.lines.map((line) => `${line}\n`).join(''))
  if (counts.warnings <= allowed) return outcome.code
  if (!flags.strict) io.err(`${counts.warnings} warnings, more than the ${allowed} that are allowed\n`)
  return 1
}

/** A fix may open the way to the next one; so many rounds are enough for any file that is not made to need more. */
const FIX_ROUNDS = 5

async function compileFixed(options: CompileOptions): Promise<{ compilation: Compilation; fixed: number }> {
  let fixed = 0
  let compilation = await compile(options)
  for (let round = 0; round < FIX_ROUNDS; round++) {
    const applied = fixProject(compilation.diagnostics, compilation.discovery.projectRoot)
    if (applied === 0) break
    fixed += applied
    compilation = await compile(options)
  }
  return { compilation, fixed }
}

function machineReport(format: 'json' | 'github' | 'sarif', { diagnostics, resolution }: Compilation, io: Io): string {
  if (format === 'github') return githubReport(diagnostics)
  const report = format === 'json' ? jsonReport(diagnostics, resolution.agents.size) : sarifReport(diagnostics, io.version)
  return `${JSON.stringify(report, null, 2)}\n`
}

/** How many warnings a build may have: none with `--strict`, any number by default. */
function warningsAllowed(flags: { strict?: boolean; 'max-warnings'?: string }): number {
  if (flags.strict) return 0
  const text = flags['max-warnings']
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--max-warnings takes a number, but got "${text}".`)
  return Number(text)
}

interface Target {
  file: string
  /** As a person is told about it. */
  shown: string
  /** Where freshness is kept: only beside the manifest that `run` looks at, never beside a file that is to be committed. */
  inputs?: string
}

function target(out: string | undefined, { cwd }: CompileOptions, io: Io): Target {
  const usual = resolve(cwd, '.agentc/manifest.json')
  const file = out === undefined ? usual : resolve(io.cwd, out)
  return { file, shown: relative(io.cwd, file) || file, ...(file === usual && { inputs: resolve(cwd, '.agentc/inputs.json') }) }
}

function emit(
  compilation: Compilation,
  options: CompileOptions,
  { file, shown, inputs }: Target,
  flags: { check?: boolean; 'keep-going'?: boolean },
  io: Io,
): Outcome {
  const without = broken(compilation)
  const errors = countsOf(compilation.diagnostics).errors
  if (errors > 0 && !flags['keep-going'])
    return { code: 1, lines: [`no manifest was written, because of ${countsText({ errors, warnings: 0, infos: 0 })}`] }
  if (compilation.profile !== AGENTC)
    return { code: errors > 0 ? 1 : 0, lines: [`no manifest was written: ${compilation.profile.host} is only looked at, not built for`] }
  const text = manifestText(compilation, without)
  const code = errors > 0 ? 1 : 0
  if (flags.check) return check(text, textOf(file), shown, code)
  const left = without.size > 0 ? [`left out: ${[...without].sort().map(printable).join(', ')}`] : []
  try {
    makeOutputFolder(file)
    const written = writeAtomically(file, text)
    if (inputs !== undefined) writeAtomically(inputs, inputsText(compilation.discovery.inputs, text, options, io.version))
    return { code, lines: [...left, `${written ? 'wrote' : 'unchanged:'} ${shown}`] }
  } catch (error) {
    return { code: 1, lines: [...left, `${shown} cannot be written (${faultOf(error)})`] }
  }
}

function check(text: string, before: string | undefined, shown: string, code: number): Outcome {
  if (before === text) return { code, lines: [`up to date: ${shown}`] }
  if (before === undefined) return { code: 1, lines: [`there is no manifest at ${shown}; run \`agentc build\``] }
  return { code: 1, lines: [`stale: ${shown}; run \`agentc build\``, ...differences(before, text).map((line) => `  ${line}`)] }
}

function prettyReport({ diagnostics, resolution }: Compilation, { lines }: Outcome, style: Style): string {
  const findings = diagnostics.map((item) => `${prettyFinding(item, style)}\n`).join('')
  const agents = `${resolution.agents.size} agent${resolution.agents.size === 1 ? '' : 's'}`
  return `${findings}${style('bold', agents)}: ${countsText(countsOf(diagnostics))}\n${lines.map((line) => `${line}\n`).join('')}`
}
