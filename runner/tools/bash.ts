import { type Exit, type Shell, startShell } from '../shells/shell.ts'
import { shortened } from '../shells/collected.ts'
import type { Task } from '../shells/tasks.ts'
import { failed, fine, type Tool, type ToolContext, type ToolInput, type ToolOutput } from './tool.ts'

/** Milliseconds, when the call does not say how many; the schema says how many it may at most. */
const TIMEOUT = 120_000
/** The most characters of output in a result. */
export const OUTPUT_CHARS = 30_000

/**
 * Runs a command in bash. Every command starts in the working directory: a `cd` does not last, so that what a call does can be told
 * from the call alone. It has no input and no terminal. What it leaves running ends with the run.
 */
export const bashTool: Tool = {
  paths: () => [],
  search: false,
  run: (input, context) => (input.run_in_background === true ? background(input, context) : foreground(input, context)),
}

async function foreground(input: ToolInput, context: ToolContext): Promise<ToolOutput> {
  const timeout = (input.timeout as number | undefined) ?? TIMEOUT
  const shell = begin(input, context)
  const stopped = await stopping(shell, timeout, context.signal)
  const exit = await shell.ended
  if (exit.fault) return failed(`bash cannot be started (${exit.fault}).`)
  const most = Math.min(OUTPUT_CHARS, context.resultChars - 500)
  const text = shortened(shell.text().replace(/\n+$/, ''), most, context.keep)
  if (stopped === 'timeout')
    return failed(joined(text, `[The command timed out after ${timeout} ms and was ended, with all it had started]`))
  if (stopped === 'interrupted') return failed(joined(text, '[The run was interrupted, and the command was ended]'))
  const notes = exit.held ? '[Something that the command started is still at work; it ends with the run]' : ''
  const body = joined(text, notes, ending(exit))
  return exit.code === 0 ? fine(body === '' ? '[no output]' : body) : failed(body)
}

function begin(input: ToolInput, context: ToolContext): Shell {
  const processes = context.scope.processes.part()
  return startShell({
    command: input.command as string,
    cwd: context.workspace.cwd,
    env: context.env,
    processes,
    sandboxed: context.sandboxed,
  })
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

/** What is worth saying about how a command ended; nothing if it went well. */
function ending({ code, signal }: Exit): string {
  if (signal) return `[ended by ${signal}]`
  return code === 0 ? '' : `[exit code ${code}]`
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

async function background(input: ToolInput, context: ToolContext): Promise<ToolOutput> {
  const { tasks } = context.state
  const id = tasks.nextId('shell')
  const shell = begin(input, context)
  const task = shellTask(id, input.command as string, shell, Math.min(OUTPUT_CHARS, context.resultChars - 500), context.keep)
  context.scope.defer(`the background shell ${id}`, () => task.stop())
  tasks.add(task)
  return fine(`Running in the background as ${id}. TaskOutput gives what it prints, TaskStop ends it; it ends with the run at the latest.`)
}

function shellTask(id: string, what: string, shell: Shell, most: number, keep: ToolContext['keep']): Task {
  let exit: Exit | undefined
  let stopped = false
  const ended = shell.ended.then((value) => (exit = value))
  const end = () => (exit!.fault ? `[bash cannot be started (${exit!.fault})]` : ending(exit!) || '[exit code 0]')
  return {
    id,
    what,
    ended,
    status: () => (!exit ? 'running' : stopped ? 'stopped' : exit.code === 0 ? 'completed' : 'failed'),
    report: () => joined(shortened(shell.text().replace(/\n+$/, ''), most, keep), exit ? end() : ''),
    async stop() {
      stopped ||= !exit
      await shell.end()
    },
  }
}
