import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '../shells/tasks.ts'
import { failed, fine, type Tool, type ToolContext, type ToolOutput } from './tool.ts'

/** Milliseconds to wait for a task when the call does not say how many. */
const WAIT = 30_000

/** What a background task has printed so far, all of it each time; waits for its end unless told not to. */
export const taskOutputTool: Tool = {
  async run(input, context) {
    const task = context.state.tasks.get(input.task_id as string)
    if (!task) return unknownTask(input.task_id as string, context)
    if (input.block !== false) await waited(task, (input.timeout as number | undefined) ?? WAIT, context.signal)
    const report = task.report()
    return fine(`[${task.id}: ${task.status()}]${report === '' ? '' : `\n${report}`}`)
  },
}

/** Ends a background task and everything it has started. */
export const taskStopTool: Tool = {
  async run(input, context) {
    const task = context.state.tasks.get(input.task_id as string)
    if (!task) return unknownTask(input.task_id as string, context)
    if (task.status() !== 'running') return failed(`${task.id} has ended already (${task.status()}).`)
    await task.stop()
    return fine(`${task.id} was ended: ${task.what}`)
  },
}

function unknownTask(id: string, { state }: ToolContext): ToolOutput {
  const ids = state.tasks.all().map((task) => `${task.id} (${task.status()})`)
  return failed(`There is no background task ${id}. ${ids.length > 0 ? `There are ${ids.join(', ')}.` : 'None was started.'}`)
}

/** Until the task has ended, the time is up or the run is interrupted. */
async function waited(task: Task, ms: number, signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  const limit = AbortSignal.any([signal, done.signal])
  await Promise.race([task.ended, pause(ms, undefined, { signal: limit }).catch(() => undefined)])
  done.abort()
}
