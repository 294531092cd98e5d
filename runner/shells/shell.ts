import { MARKER } from '../../schemas/run-mark.ts'
import type { Processes } from '../processes.ts'
import { Collected } from './collected.ts'
import { type Launched, launch } from './launch.ts'

export interface ShellOptions {
  command: string
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Those of this command alone. */
  processes: Processes
  /** The words that put a command into walls (runner/sandbox); without them it runs as it is. */
  walls?: readonly string[] | undefined
}

/** How a command came to its end by itself: its exit code, as shells count it, or why it could not be started. */
export interface Exit {
  code: number
  fault?: string
  /** Something that the command has started still holds its output. */
  held: boolean
}

export interface Shell {
  /** Never rejects. */
  ended: Promise<Exit>
  text(): string
  /** Ends the command and everything it has started: SIGTERM, time to end, SIGKILL. */
  end(): Promise<void>
}

/** Output that is on its way when a command ends, in milliseconds; longer the pipe is held by something that lives on. */
const LAST_OUTPUT = 100

/** Runs a command line in bash, in a process group of its own, without input or terminal. */
export function startShell({ command, cwd, env, processes, walls }: ShellOptions): Shell {
  const launched = launch(command, walls, {
    cwd,
    env: shellEnvironment({ ...env, [MARKER]: processes.environment()[MARKER] }),
    processes,
  })
  const output = new Collected()
  for (const stream of launched.outputs) stream.on('data', (chunk: Buffer) => output.add(chunk))
  const ended = endOf(launched)
  return {
    ended,
    text: () => output.text(),
    async end() {
      await processes.end()
      // Where nothing is known of processes, the command itself is ended at least.
      launched.kill()
      await ended
    },
  }
}

async function endOf({ exit, outputs, letGo }: Launched): Promise<Exit> {
  const closed = Promise.all(outputs.map((stream) => new Promise((resolve) => stream.once('close', resolve)))).then(() => true)
  const end = await exit
  if (end.fault !== undefined) return { code: 1, held: false, fault: end.fault }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), LAST_OUTPUT)))
  const whole = await Promise.race([closed, late])
  clearTimeout(timer)
  // What lives on keeps its pipe, which is read on: without a reader it would be ended by its next line. It does not keep this program.
  letGo()
  return { code: end.code, held: !whole }
}

/** Nothing in the environment may change what a command means: no start file of bash, no functions in place of programs. */
function shellEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const foreign = (name: string) => name === 'BASH_ENV' || name === 'ENV' || name.startsWith('BASH_FUNC_') || name.startsWith('ANTHROPIC_')
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign(name)))
}
