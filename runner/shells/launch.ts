import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Duplex, Readable } from 'node:stream'
import { MARKER } from '../../schemas/run-mark.ts'
import type { Processes } from '../processes.ts'

export interface LaunchOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  processes: Processes
}

/** A command that has been started. */
export interface Launched {
  outputs: readonly Readable[]
  /** The command itself has ended; what it has started may go on. Never rejects. */
  exit: Promise<{ code: number; fault?: string }>
  /** Ends the command itself, if it is there. */
  kill(): void
  /** From now on nothing of it keeps this program from ending. */
  letGo(): void
}

/**
 * Both outputs through one pipe, in the order they were written: two pipes would lose it. The second bash takes the place of the first.
 */
const ONE_PIPE = 'exec bash -c "$1" 2>&1'

/**
 * The first process in the walls. Before anything else it says that it is there and waits for an answer: had its own program been killed while
 * the walls were put up, nothing would end it any more, so without an answer it runs nothing. It says how the command has ended, and stays
 * while anything that the command has left running is at work: with this process all of them end. In the environment it does not carry the
 * mark of the run, the command does.
 */
const KEEPER = `echo >&3 && read -r -u 3 || exit 1
${MARKER}=$2 SHLVL=$((SHLVL - 1)) bash -c "$1" >&4 2>&4 3>&- 4>&-
code=$?
echo $code >&3
exec 3>&- 4>&-
shopt -s nullglob
alone() { local all=(/proc/[0-9]*); ((\${#all[@]} == 1)); }
alone && exit $code
exec 5<> <(:)
until alone; do read -rt 0.1 -u 5; done
exit $code`

/** Starts bash with a command, in walls or as it is. Both give the same output, the same codes, and let what is left running go on. */
export function launch(command: string, walls: readonly string[] | undefined, options: LaunchOptions): Launched {
  return walls ? inWalls(command, walls, options) : asItIs(command, options)
}

function asItIs(command: string, { cwd, env, processes }: LaunchOptions): Launched {
  const child = spawn('bash', ['-c', ONE_PIPE, 'bash', command], {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  processes.own(child.pid)
  const { stdout, stderr } = child
  return { outputs: [stdout, stderr], exit: exitOf(child), ...handles(child, [stdout, stderr]) }
}

function inWalls(command: string, walls: readonly string[], { cwd, env, processes }: LaunchOptions): Launched {
  const { [MARKER]: mark = '', ...rest } = env
  const [program = '', ...args] = [...walls, 'bash', '-c', KEEPER, 'bash', command, mark]
  const child = spawn(program, args, { cwd, env: rest, detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
  const [, , said, status, output] = child.stdio as unknown as [null, null, Readable, Duplex, Readable]
  child.once('exit', processes.holds(child.pid))
  let wrong = ''
  said.setEncoding('utf8').on('data', (text: string) => (wrong += wrong.length < 2000 ? text : ''))
  const told = new Promise<{ code: number }>((resolve) => {
    let text = ''
    status.once('data', () => status.write('\n'))
    status
      .on('error', () => {})
      .on('data', (part: Buffer) => {
        text += String(part)
        const [code] = /\d+(?=\n)/.exec(text) ?? []
        if (code !== undefined) resolve({ code: Number(code) })
      })
  })
  // Without a word of the keeper the command has not been run, or all of it was killed.
  const broken = exitOf(child).then((end) => {
    const [first = ''] = wrong.split('\n')
    return first.startsWith('bwrap:') ? { ...end, fault: `the sandbox cannot be put up: ${first}` } : end
  })
  return { outputs: [output], exit: Promise.race([told, broken]), ...handles(child, [said, status, output]) }
}

function handles(child: ChildProcess, streams: readonly Readable[]): Pick<Launched, 'kill' | 'letGo'> {
  return {
    kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    },
    letGo() {
      child.unref()
      for (const stream of streams) (stream as unknown as { unref(): void }).unref()
    },
  }
}

function exitOf(child: ChildProcess): Promise<{ code: number; fault?: string }> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve({ code: 1, fault: error.code ?? error.message }))
    child.once('exit', (code, signal) => resolve({ code: code ?? 128 + constants.signals[signal!] }))
  })
}
