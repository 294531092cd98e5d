import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Processes } from '../processes.ts'
import { Collected } from './collected.ts'

export interface ShellOptions {
  command: string
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Those of this command alone. */
  processes: Processes
  sandboxed?: ((argv: readonly string[]) => readonly string[]) | undefined
}

/** How a command came to its end by itself: its exit code, the signal that ended it, or why it could not be started. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
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

/**
 * Both outputs through one pipe, in the order they were written: two pipes would lose it. The second bash takes the place of the first.
 */
const ONE_PIPE = 'exec bash -c "$1" 2>&1'

/** Runs a command line in bash, in a process group of its own, without input or terminal. */
export function startShell({ command, cwd, env, processes, sandboxed = (argv) => argv }: ShellOptions): Shell {
  const [file, ...args] = sandboxed(['bash', '-c', ONE_PIPE, 'bash', command])
  const child = spawn(file!, args, {
    cwd,
    env: shellEnvironment({ ...env, ...processes.environment() }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  processes.own(child.pid)
  const output = new Collected()
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.add(chunk))
  const closed = new Promise<boolean>((resolve) => child.once('close', () => resolve(true)))
  const ended = new Promise<Exit>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ code: null, signal: null, fault: error.code ?? error.message, held: false }),
    )
    child.once('exit', (code, signal) => {
      const late = pause(LAST_OUTPUT, false, { ref: false })
      void Promise.race([closed, late]).then((whole) => {
        // What lives on keeps its pipe, which is read on: without a reader it would be ended by its next line. It does not keep this program.
        if (!whole) for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref()
        resolve({ code, signal, held: !whole })
      })
    })
  })
  return {
    ended,
    text: () => output.text(),
    async end() {
      await processes.end()
      // Where nothing is known of processes, the command itself is ended at least.
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    },
  }
}

/** Nothing in the environment may change what a command means: no start file of bash, no functions in place of programs. */
function shellEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const foreign = (name: string) => name === 'BASH_ENV' || name === 'ENV' || name.startsWith('BASH_FUNC_') || name.startsWith('ANTHROPIC_')
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign(name)))
}
