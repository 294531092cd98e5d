import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { AGENTC } from '../../schemas/profile.ts'
import { broken, compile, type Compilation } from '../compile.ts'
import type { CompileOptions } from '../options.ts'
import { manifestText } from '../emit/manifest-of.ts'
import { faultOf } from '../discover/file-system.ts'
import { fixProject } from '../fix/project.ts'
import { isStored } from '../emit/tool-code.ts'
import { textOf } from '../emit/write.ts'
import { githubReport } from '../report/github.ts'
import { jsonReport } from '../report/json.ts'
import { prettyFindings } from '../report/pretty.ts'
import { sarifReport } from '../report/sarif.ts'
import { countsOf, countsText } from '../report/summary.ts'
import { printable, type Style } from '../report/style.ts'
import { COMMON_HELP, compileOptions, formatOf, parseFlags, styleOf } from './flags.ts'
import { UsageError, type Io } from './io.ts'
import { target, keepRecord, writeManifest, type Target } from './output.ts'
import { lastResult, now } from './unchanged.ts'

export const BUILD_HELP = `agentc build: checks all agents and writes the manifest

  --out FILE          where to write it (default: .agentc/manifest.json)
  --check             write nothing; fail if the manifest is not up to date, and say what differs
  --fix               apply the safe fixes to the project's files first
  --keep-going        write a manifest without the broken agents
  --strict            fail on warnings too
  --max-warnings N    fail on more than N warnings
  --lock-mcp          start the MCP servers that are set up, list their tools, and lock agents to what they say;
                      this runs programs that the project names, and nothing else in agentc build does
  --accept            with --lock-mcp: take tools that changed since they were locked
  --format pretty|json|github|sarif
${COMMON_HELP}`

const FLAGS = {
  out: { type: 'string' },
  check: { type: 'boolean' },
  'keep-going': { type: 'boolean' },
  fix: { type: 'boolean' },
  strict: { type: 'boolean' },
  'max-warnings': { type: 'string' },
  'lock-mcp': { type: 'boolean' },
  accept: { type: 'boolean' },
} as const

interface Outcome {
  code: number
  /** What became of the manifest, for a person. */
  lines: string[]
}

/** A build as it is reported. */
interface Built extends Outcome {
  diagnostics: readonly Diagnostic[]
  agents: number
}

/** `agentc build`. Exit code: 0 fine, 1 errors (with `--strict`: or warnings, with `--check`: or a stale manifest). */
export async function build(argv: readonly string[], io: Io): Promise<number> {
  const { values: flags, positionals } = parseFlags(argv, FLAGS)
  if (flags.help) return (io.out(BUILD_HELP), 0)
  if (positionals.length > 0) throw new UsageError(`build takes no arguments, but got "${positionals[0]}".`)
  if (flags.accept && !flags['lock-mcp']) throw new UsageError('--accept belongs to --lock-mcp.')
  if (flags.check && flags.fix) throw new UsageError('--check writes nothing, so it does not go together with --fix.')
  const format = formatOf(flags, ['pretty', 'json', 'github', 'sarif'])
  const allowed = warningsAllowed(flags)
  const options = compileOptions(flags, io)
  if (flags.check && options.profile?.name !== AGENTC.name)
    throw new UsageError(`--check compares the manifest, and for --target ${flags.target} there is none.`)
  const style = styleOf(flags, io)
  const built = unchanged(options, flags, io) ?? (await buildAll(options, flags, io))
  io.out(format === 'pretty' ? prettyReport(built, style) : machineReport(format, built, io))
  if (format !== 'pretty' && built.code !== 0) io.err(built.lines.map((line) => `${line}\n`).join(''))
  const counts = countsOf(built.diagnostics)
  if (counts.warnings <= allowed) return built.code
  const warnings = countsText({ errors: 0, warnings: counts.warnings, infos: 0 })
  if (!flags.strict) io.err(`${warnings}, more than the ${allowed} that --max-warnings allows\n`)
  return 1
}

type Flags = ReturnType<typeof parseFlags<typeof FLAGS>>['values']

/** What the last build said, where this one would say and write the same. What only looks, mends or starts servers always does its work. */
function unchanged(options: CompileOptions, flags: Flags, io: Io): Built | undefined {
  const { file, shown, inputs } = target(flags.out, options, io)
  if (inputs === undefined || flags.check || flags.fix || flags['lock-mcp'] || options.profile?.name !== AGENTC.name) return undefined
  const result = lastResult({ manifest: file, inputs }, options, flags['keep-going'] === true, io)
  return result && { ...result, code: result.errors > 0 ? 1 : 0, lines: [...leftOut(result.left), `unchanged: ${shown}`] }
}

async function buildAll(options: CompileOptions, flags: Flags, io: Io): Promise<Built> {
  const began = now()
  const { compilation: first, fixed } = flags.fix ? await compileFixed(options) : { compilation: await compile(options), fixed: 0 }
  const locked = flags['lock-mcp'] ? await (await import('./lock.ts')).lockMcp(first, options, flags, io) : undefined
  const compilation = locked?.compilation ?? first
  const outcome = await emit(compilation, { options, began, target: target(flags.out, options, io), flags, io })
  if (locked) {
    outcome.lines.unshift(locked.line)
    outcome.code ||= locked.code
  }
  if (flags.fix) outcome.lines.unshift(`fixed ${fixed} finding${fixed === 1 ? '' : 's'}`)
  return { ...outcome, diagnostics: compilation.diagnostics, agents: compilation.resolution.agents.size }
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

function machineReport(format: 'json' | 'github' | 'sarif', { diagnostics, agents }: Built, io: Io): string {
  if (format === 'github') return githubReport(diagnostics)
  const report = format === 'json' ? jsonReport(diagnostics, agents) : sarifReport(diagnostics, io.version)
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

/** What a build was asked for, and when it began. */
interface Order {
  options: CompileOptions
  began: bigint
  target: Target
  flags: Flags
  io: Io
}

async function emit(compilation: Compilation, order: Order): Promise<Outcome> {
  const { flags } = order
  const { file, shown } = order.target
  const without = broken(compilation)
  const errors = countsOf(compilation.diagnostics).errors
  if (errors > 0 && !flags['keep-going'])
    return { code: 1, lines: [`no manifest was written, because of ${countsText({ errors, warnings: 0, infos: 0 })}`] }
  if (compilation.profile.name !== AGENTC.name)
    return { code: errors > 0 ? 1 : 0, lines: [`no manifest was written: ${compilation.profile.host} is only looked at, not built for`] }
  const code = errors > 0 ? 1 : 0
  if (flags.check) return check(manifestText(compilation, without), textOf(file), shown, code, isStored(file, compilation.code))
  const left = leftOut([...without].sort())
  try {
    const written = writeManifest(compilation, without, order.target)
    // What servers said while they were locked is known to no other build.
    if (!flags['lock-mcp']) keepRecord(written, { compilation, without, ...order }, order.io)
    return { code, lines: [...left, `${written.changed ? 'wrote' : 'unchanged:'} ${shown}`] }
  } catch (error) {
    return { code: 1, lines: [...left, `${shown} cannot be written (${faultOf(error)})`] }
  }
}

function leftOut(names: readonly string[]): string[] {
  return names.length > 0 ? [`left out: ${names.map(printable).join(', ')}`] : []
}

async function check(text: string, before: string | undefined, shown: string, code: number, stored: boolean): Promise<Outcome> {
  if (before === text && stored) return { code, lines: [`up to date: ${shown}`] }
  if (before === text) return { code: 1, lines: [`the code of custom tools is not beside ${shown}; run \`agentc build\``] }
  if (before === undefined) return { code: 1, lines: [`there is no manifest at ${shown}; run \`agentc build\``] }
  const { differences } = await import('../diff/diff.ts')
  return { code: 1, lines: [`stale: ${shown}; run \`agentc build\``, ...differences(before, text).map((line) => `  ${line}`)] }
}

function prettyReport({ diagnostics, agents: count, lines }: Built, style: Style): string {
  const findings = prettyFindings(diagnostics, style)
  const agents = `${count} agent${count === 1 ? '' : 's'}`
  return `${findings}${style('bold', agents)}: ${countsText(countsOf(diagnostics))}\n${lines.map((line) => `${line}\n`).join('')}`
}
