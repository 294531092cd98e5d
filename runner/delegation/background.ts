import type { Task, TaskStatus } from '../shells/tasks.ts'
import { fine, type ToolOutput } from '../tools/tool.ts'
import { notificationText, statusOf } from './notification.ts'
import { checkNote, type Ended, indented, reasonOf, useOf } from './report.ts'
import { type ChildRun, runChild } from './run-child.ts'
import { say } from './tree.ts'

/**
 * Starts an agent in the background: the call is answered at once, and the agent works when there is a slot. Its end is told by a
 * notification to the agent that started it. It has an abort signal of its own, and ends with its parent at the latest (M24, M29).
 */
export function launch(run: Omit<ChildRun, 'signal'>): ToolOutput {
  const { node } = run.plan
  const { tree, context, parent, input } = run.spawning
  const stop = new AbortController()
  run.known.running = true
  const task = taskOf(node.id, `${node.name}: ${input.description}`, stop, worked(run, stop.signal))
  parent.inbox.works(task)
  context.state.tasks.add(task)
  context.scope.defer(`the agent ${node.id}`, task.stop)
  tree.stats.started_in_background += 1
  return fine(
    `The agent ${node.name} was started in the background as ${node.id}. A notification brings its report; until then nothing is known ` +
      'of what it finds, so do not guess or tell it. Go on with other work, or end your turn. TaskStop ends it, SendMessage tells it more.',
  )
}

/** What is left of an agent that has ended: nothing of its conversation, and nothing of that of its parent. */
interface Over {
  status: TaskStatus
  report: string
}

/** Never rejects. */
async function worked(run: Omit<ChildRun, 'signal'>, signal: AbortSignal): Promise<Over> {
  const { node } = run.plan
  const { tree, parent, input, caller } = run.spawning
  let ended: Ended | undefined
  let fault: string | undefined
  const free = await tree.slots(node.depth).take(signal)
  try {
    ended = await runChild({ ...run, signal })
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error)
  } finally {
    free?.()
  }
  const told = { id: node.id, call: caller.call, description: input.description, name: node.name, ended, fault, path: run.side.path }
  parent.inbox.put(notificationText(told), node.id)
  say(tree, eventOf(told))
  const status = ended ? statusOf(ended) : 'failed'
  return { status: status === 'killed' ? 'stopped' : status, report: fault ?? (ended ? reportedBy(ended) : '') }
}

function taskOf(id: string, what: string, stop: AbortController, ended: Promise<Over>): Task {
  let over: Over | undefined
  void ended.then((now) => (over = now))
  return {
    id,
    what,
    status: () => over?.status ?? 'running',
    report: () => over?.report ?? '',
    ended,
    async stop() {
      stop.abort()
      await ended
    },
  }
}

function reportedBy({ result }: Ended): string {
  const check = checkNote(result)
  return `${check === undefined ? '' : `${check}\n\n`}${indented(result.result || reasonOf(result))}`
}

function eventOf({ id, call, ended, fault, path }: Parameters<typeof notificationText>[0]) {
  return {
    type: 'system',
    subtype: 'task_notification',
    task_id: id,
    tool_use_id: call,
    status: ended ? statusOf(ended) : 'failed',
    output_file: path,
    summary: ended ? ended.result.result.slice(0, SUMMARY) : (fault ?? ''),
    usage: useOf(ended),
  } as const
}

const SUMMARY = 500
