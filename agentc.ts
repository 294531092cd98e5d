import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Io } from './compiler/commands/io.ts'
import { loadPiece, prepareForMany } from './compiler/commands/piece.ts'

/** The bin: arguments to a command of the compiler or the runner, and its exit code. The only file above both. */

type Command = (argv: readonly string[]) => Promise<number>

const HELP = `agentc compiles agents written as Markdown into one manifest, and runs them from it

  agentc build                     check all agents and write the manifest
  agentc watch                     build again whenever a file changes, and say what became different
  agentc list                      every agent, where it comes from and what it may use
  agentc explain <agent> [detail]  which file won, where each value comes from, why each tool is in or out
  agentc explain <code>            what a finding means and what to do about it
  agentc run <agent> [prompt]      run an agent, talk with one (without a prompt), or go on with a run (--resume)
  agentc runs                      the runs that are kept
  agentc verify <run>              derive every request of a run again and compare it with what was sent
  agentc diff <old> [new]          what changed between two manifests or git revisions, gains of power first
  agentc init                      an example agent and a check for CI, where there are none yet
  agentc types                     write the names of agents and tools as TypeScript types
  agentc schema <name>             a JSON Schema: agent, agents-flag, config, diff, list, manifest, mcp-lock, report

  agentc <command> --help          the flags of a command
  agentc --version
`

/** Exit code for wrong usage, and for a fault of agentc itself (design 5). */
const [USAGE, BUG] = [2, 70]

/** The package's folder: this file lies in it as source, and one below as `dist/agentc.cjs`. */
const PACKAGE = new URL(import.meta.url.endsWith('.ts') ? './' : '../', import.meta.url)

const io: Io = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  platform: process.platform,
  terminal: process.stdout.isTTY === true,
  columns: process.stdout.columns ?? 80,
  builtinDir: fileURLToPath(new URL('agents', PACKAGE)),
  schemaDir: fileURLToPath(new URL('schemas', PACKAGE)),
  get version() {
    return (JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8')) as { version: string }).version
  },
}

/** Each command is loaded when it is asked for: `build` never pays for the runner, `run` not for the reports. */
const COMMANDS: Record<string, Command> = {
  build: async (argv) => (await buildCommand()).build(argv, io),
  watch: async (argv) => (await import('./compiler/commands/watch.ts')).watch(argv, io),
  list: async (argv) => (await command('list', () => import('./compiler/commands/list.ts'))).list(argv, io),
  explain: async (argv) => (await command('explain', () => import('./compiler/commands/explain.ts'))).explain(argv, io),
  diff: async (argv) => (await import('./compiler/commands/diff.ts')).diff(argv, io),
  init: async (argv) => (await import('./compiler/commands/init.ts')).init(argv, io),
  types: async (argv) => (await import('./compiler/commands/types.ts')).types(argv, io),
  schema: async (argv) => (await import('./compiler/commands/schema.ts')).schema(argv, io),
  run,
  runs: async (argv) =>
    (await import('./runner/commands/runs.ts')).runs(argv, { stdout: process.stdout, stderr: process.stderr, cwd: io.cwd }),
  verify: async (argv) =>
    (await import('./runner/commands/verify.ts')).verify(argv, { stdout: process.stdout, stderr: process.stderr, cwd: io.cwd }),
}

/** In the package the commands that people wait for are a piece each, with its code (`scripts/pieces.mjs`); from source they are modules. */
declare const PIECES: Readonly<Record<'build' | 'list' | 'explain' | 'run', string>> | undefined

const buildCommand = () =>
  command('build', async () => ({ ...(await import('./compiler/commands/build.ts')), ...(await import('./compiler/commands/rebuilt.ts')) }))
const runCommand = () =>
  command('run', async () => ({
    ...(await import('./compiler/commands/fresh.ts')),
    ...(await import('./runner/commands/run.ts')),
    ...(await import('./runner/commands/signals.ts')),
  }))

async function command<T>(name: keyof NonNullable<typeof PIECES>, source: () => Promise<T>): Promise<T> {
  return typeof PIECES === 'undefined' ? source() : loadPiece<T>(new URL(`./${PIECES[name]}`, import.meta.url))
}

async function run(argv: readonly string[]): Promise<number> {
  const { splitRunArguments, freshManifest, otherLayers, stopOnSignals, run: runAgent } = await runCommand()
  const { sources, rest } = splitRunArguments(argv)
  const { outputClosed, ...signals } = stopOnSignals()
  nobodyReads = outputClosed
  const manifestText = async (agent: string): Promise<string> => {
    const { text, missing } = await freshManifest(sources, io, async () => (await buildCommand()).rebuilt)
    const reason = await missing(agent)
    if (reason !== undefined) throw new Refusal(`The agent "${agent}" cannot be run: ${reason}`)
    return text
  }
  const { stdin, stdout, stderr, env } = process
  if (stdin.isTTY) stdin.on('error', outputClosed) // It was taken away, and can neither be read nor written.
  const places = { cwd: io.cwd, project: sources.project, pluginDirs: sources['plugin-dir'], layers: otherLayers(sources, io) }
  return runAgent(rest, { stdin, stdout, stderr, env, ...places, ...signals }, manifestText)
}

/** Something a person has to mend before the command can do its work. */
class Refusal extends Error {}

const LONG_LIVED = new Set(['run', 'watch'])

async function main([name, ...rest]: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-v') return say(`${io.version}\n`)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return say(HELP)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) return fail(`There is no command "${name}".\n\n${HELP}`, USAGE)
  if (!LONG_LIVED.has(name)) io.whenMany = prepareForMany
  try {
    return await command(rest)
  } catch (error) {
    if (error instanceof Refusal) return fail(`agentc: ${error.message}\n`, 1)
    if (error instanceof Error && error.name === 'UsageError')
      return fail(`agentc ${name}: ${error.message}\nSee \`agentc ${name} --help\`.\n`, USAGE)
    throw error
  }
}

function say(text: string): number {
  return (io.out(text), 0)
}

function fail(text: string, code: number): number {
  return (io.err(text), code)
}

/** What a command has to put in order before the program may end for want of a reader. */
let nobodyReads: (() => void) | undefined

/** A reader that went away (`agentc list | head`) is no fault; nothing more can be said to it. A full disk is one, and no bug of agentc. */
function outputFailed({ code }: NodeJS.ErrnoException): void {
  if (nobodyReads) return nobodyReads()
  if (code !== 'EPIPE') process.stderr.write(`agentc: the output cannot be written (${code}).\n`)
  process.exit(code === 'EPIPE' ? 0 : 1)
}
process.stdout.on('error', outputFailed)
process.stderr.on('error', () => (nobodyReads ? nobodyReads() : process.exit(1)))

function failed(error: unknown): number {
  return fail(`agentc has a bug; please report it with the command you ran.\n${(error as Error)?.stack ?? String(error)}\n`, BUG)
}

void main(process.argv.slice(2))
  .catch(failed)
  .then((code) => (process.exitCode = code))
