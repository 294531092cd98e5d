import { constants } from 'node:os'
import { sha256 } from '../../schemas/canonical.ts'
import type { Started } from '../sandbox/sandbox.ts'
import { type Exit, type Shell, startShell } from '../shells/shell.ts'
import { shortened } from '../shells/collected.ts'
import type { Task } from '../shells/tasks.ts'
import { failed, fine, type Tool, type ToolContext, type ToolInput, type ToolOutput } from './tool.ts'

/** Milliseconds, when the call does not say how many; the schema says how many it may at most. */
const TIMEOUT = 120_000
/** The most characters of output in a result. */
const OUTPUT_CHARS = 30_000

/** What programs say that have run into a wall. */
const AT_WALLS = /Read-only file system|EROFS/
const AT_WALLS_NOTE =
  '[Commands run in a sandbox here: they write in the work folder and in /tmp, and not in files that make programs run something]'

/**
 * Runs a command in bash. Every command starts in the working directory: a `cd` does not last, so that what a call does can be told
 * from the call alone. It has no input and no terminal. What it leaves running ends with the run.
 */
export const bashTool: Tool = {
  async run(input, context) {
    const started = (await context.sandbox?.(context.env)) ?? { env: context.env }
    const shell = begin(input, context, started)
    const output = input.run_in_background === true ? background(input, context, shell) : await foreground(input, context, shell, started)
    if (!context.sandbox) return output
    void shell.ended.then(() => started.after?.())
    return { ...output, sandboxed: started.walls !== undefined }
  },
}

function begin(input: ToolInput, { scope, workspace }: ToolContext, { walls, env }: Started): Shell {
  const processes = scope.processes.part()
  return startShell({ command: input.command as string, cwd: workspace.cwd, env, processes, walls })
}

async function foreground(input: ToolInput, context: ToolContext, shell: Shell, { walls }: Started): Promise<ToolOutput> {
  const timeout = (input.timeout as number | undefined) ?? TIMEOUT
  const stopped = await stopping(shell, timeout, context.signal)
  const exit = await shell.ended
  if (exit.fault) return failed(`bash cannot be started (${exit.fault}).`)
  const most = Math.min(OUTPUT_CHARS, context.resultChars - 500)
  const text = shortened(shell.text().replace(/\n+$/, ''), most, context.keep)
  if (stopped === 'timeout')
    return failed(joined(text, `[The command timed out after ${timeout} ms and was ended, with all it had started]`))
  if (stopped === 'interrupted') return failed(joined(text, '[The run was interrupted, and the command was ended]'))
  const notes = exit.held ? '[Something that the command started is still at work; it ends with the run]' : ''
  const body = joined(text, notes, ending(exit), walls && exit.code !== 0 && AT_WALLS.test(text) ? AT_WALLS_NOTE : '')
  return exit.code === 0 ? fine(body === '' ? '[no output]' : body) : failed(body)
}

/** Ends the shell when its time is up or the run is interrupted. Gives which it was. */
async function stopping(shell: Shell, timeout: number, signal: AbortSignal): Promise<'timeout' | 'interrupted' | undefined> {
  let timer: NodeJS.Timeout | undefined
  let interrupt: (() => void) | undefined
  const early = new Promise<'timeout' | 'interrupted'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeout)
    interrupt = () => resolve('interrupted')
    signal.addEventListener('abort', interrupt)
    if (signal.aborted) interrupt()
  })
  const stopped = await Promise.race([shell.ended.then(() => undefined), early])
  clearTimeout(timer)
  signal.removeEventListener('abort', interrupt!)
  if (stopped) await shell.end()
  return stopped
}

/** What is worth saying about how a command ended; nothing if it went well. Shells add 128 to the number of the signal that ended it. */
function ending({ code }: Exit): string {
  if (code === 0) return ''
  const signal = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0]
  return signal === undefined ? `[exit code ${code}]` : `[exit code ${code}, as after ${signal}]`
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

function background(input: ToolInput, context: ToolContext, shell: Shell): ToolOutput {
  const { tasks } = context.state
  const id = tasks.nextId('shell')
  const task = shellTask(id, input.command as string, shell, Math.min(OUTPUT_CHARS, context.resultChars - 500), context.keep)
  context.scope.defer(`the background shell ${id}`, () => task.stop())
  tasks.add(task)
  return fine(`Running in the background as ${id}. TaskOutput gives what it prints, TaskStop ends it; it ends with the run at the latest.`)
}

function shellTask(id: string, what: string, shell: Shell, most: number, keep: ToolContext['keep']): Task {
  let exit: Exit | undefined
  let stopped = false
  const ended = shell.ended.then((value) => (exit = value))
  const kept = keptOnce(keep)
  const end = () => (exit!.fault ? `[bash cannot be started (${exit!.fault})]` : ending(exit!) || '[exit code 0]')
  return {
    id,
    what,
    ended,
    status: () => (!exit ? 'running' : stopped ? 'stopped' : exit.code === 0 ? 'completed' : 'failed'),
    report: () => joined(shortened(shell.text().replace(/\n+$/, ''), most, kept), exit ? end() : ''),
    async stop() {
      stopped ||= !exit
      await shell.end()
    },
  }
}

/** A text that is the same as the last one has been kept already. */
function keptOnce(keep: ToolContext['keep']): ToolContext['keep'] {
  let last: { hash: string; path: string | undefined } | undefined
  return (text) => {
    const hash = sha256(text)
    if (last?.hash !== hash) last = { hash, path: keep(text) }
    return last.path
  }
}
