import { spawn } from 'node:child_process'
import type { HookHandler } from '../../schemas/shapes/hook.ts'
import type { Processes } from '../processes.ts'
import { notRun, type Ran } from './answer.ts'

export interface CommandPlace {
  cwd: string
  /** What a hook finds in its environment beside that of the run. */
  env: Readonly<Record<string, string>>
  processes: Processes
}

/** More output than a hook can need; the rest is read and thrown away. */
const OUTPUT_LIMIT = 1024 * 1024
/** How long is waited for the end of the output of a hook that has ended; something it started may hold it open. */
const DRAIN_MS = 250

/**
 * Runs a command hook: a line for the shell, or with `args` a program. It leads a process group of its own; when its time is over or the
 * run is interrupted, it is ended with everything it started.
 */
export async function runCommand(
  handler: HookHandler & { type: 'command' },
  input: string,
  { cwd, env, processes }: CommandPlace,
  limit: AbortSignal,
): Promise<Ran> {
  const own = processes.part()
  const [program, args] = programOf(handler, env)
  const child = spawn(program, args, { cwd, env: { ...own.environment(), ...env }, detached: true, windowsHide: true, stdio: 'pipe' })
  own.own(child.pid)
  const outputs = [child.stdout, child.stderr].map((stream) => {
    let text = ''
    stream.setEncoding('utf8').on('data', (part: string) => {
      if (text.length < OUTPUT_LIMIT) text += part
    })
    return () => text
  })
  child.stdin.on('error', () => undefined).end(`${input}\n`)
  const end = await Promise.race([endOf(child), aborted(limit)])
  if (end === 'aborted') await own.end()
  child.stdout.destroy()
  child.stderr.destroy()
  const [stdout, stderr] = outputs.map((read) => read()) as [string, string]
  if (end === 'aborted') return notRun('it was ended')
  if (typeof end === 'object') return notRun(`it cannot be started (${end.code ?? 'unknown reason'})`)
  return typeof end === 'string' ? notRun(`it was ended by ${end}`) : { code: end, stdout, stderr }
}

/** Folders that a program's arguments may name; a shell finds them in its environment. */
function programOf({ command, args, shell }: HookHandler & { type: 'command' }, env: CommandPlace['env']): [string, string[]] {
  const filled = (text: string): string => text.replace(/\$\{(CLAUDE_\w+)\}/g, (whole, name: string) => env[name] ?? whole)
  if (args) return [filled(command), args.map(filled)]
  if (shell === 'powershell') return ['pwsh', ['-NoProfile', '-NonInteractive', '-Command', command]]
  return [shell === 'bash' ? 'bash' : '/bin/sh', ['-c', command]]
}

type End = number | NodeJS.Signals | NodeJS.ErrnoException

function endOf(child: ReturnType<typeof spawn>): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', resolve)
    child.once('exit', (code, signal) => {
      const done = (): void => resolve(code ?? signal ?? 0)
      const timer = setTimeout(done, DRAIN_MS)
      child.once('close', () => {
        clearTimeout(timer)
        done()
      })
    })
  })
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted')
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true })
  })
}
