import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Io } from './compiler/commands/io.ts'

/** The bin: arguments to a command of the compiler or the runner, and its exit code. The only file above both. */

type Command = (argv: readonly string[]) => Promise<number>

const HELP = `agentc compiles agents written as Markdown into one manifest, and runs them from it

  agentc build                     check all agents and write the manifest
  agentc list                      every agent, where it comes from and what it may use
  agentc explain <agent> [detail]  which file won, where each value comes from, why each tool is in or out
  agentc explain <code>            what a finding means and what to do about it
  agentc run <agent> [prompt]      run an agent
  agentc schema <name>             a JSON Schema: agent, agents-flag, list, manifest, report

  agentc <command> --help          the flags of a command
  agentc --version
`

/** Exit code for wrong usage, and for a fault of agentc itself (design 5). */
const USAGE = 2
const BUG = 70

/** The package's folder: this file lies in it as source, and one below as `dist/agentc.js`. */
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
  build: async (argv) => (await import('./compiler/commands/build.ts')).build(argv, io),
  list: async (argv) => (await import('./compiler/commands/list.ts')).list(argv, io),
  explain: async (argv) => (await import('./compiler/commands/explain.ts')).explain(argv, io),
  schema: async (argv) => (await import('./compiler/commands/schema.ts')).schema(argv, io),
  run,
}

async function run(argv: readonly string[]): Promise<number> {
  const [{ splitRunArguments, freshManifest }, runner] = await Promise.all([
    import('./compiler/commands/fresh.ts'),
    import('./runner/commands/run.ts'),
  ])
  const { sources, rest } = splitRunArguments(argv)
  const stopped = new AbortController()
  process.once('SIGINT', () => stopped.abort())
  const manifestText = async (agent: string): Promise<string> => {
    const { text, missing } = await freshManifest(sources, io)
    const reason = missing(agent)
    if (reason !== undefined) throw new Refusal(`The agent "${agent}" cannot be run: ${reason}`)
    return text
  }
  const { stdin, stdout, stderr, env } = process
  return runner.run(rest, { stdin, stdout, stderr, env, cwd: io.cwd, project: sources.project, signal: stopped.signal }, manifestText)
}

/** Something a person has to mend before the command can do its work. */
class Refusal extends Error {}

async function main([name, ...rest]: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-v') return say(`${io.version}\n`)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return say(HELP)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) return fail(`There is no command "${name}".\n\n${HELP}`, USAGE)
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
  io.out(text)
  return 0
}

function fail(text: string, code: number): number {
  io.err(text)
  return code
}

/** A reader that went away (`agentc list | head`) is no fault; nothing more can be said to it. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = fail(
    `agentc has a bug; please report it with the command you ran.\n${error instanceof Error ? error.stack : String(error)}\n`,
    BUG,
  )
}
