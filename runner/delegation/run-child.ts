import type { RunEvent, RunResult } from '../events.ts'
import type { Past } from '../begun.ts'
import type { Budget } from '../limits/budget.ts'
import { spentBy } from '../limits/keeper.ts'
import { runAgent } from '../loop.ts'
import type { ToolSet } from '../tools/registry.ts'
import { addUsage, allTokens, lessUsage } from '../usage.ts'
import { seamsOf } from './child.ts'
import { notice } from '../notice-queue.ts'
import { MESSAGE, statusOf } from './notification.ts'
import { checkNote, type Ended } from './report.ts'
import { type Known, type Plan, say, type SideTranscript, type Spawning, type Tree } from './tree.ts'

export interface ChildRun {
  plan: Plan
  spawning: Spawning
  side: SideTranscript
  tools: ToolSet
  signal: AbortSignal
  budget: Budget | undefined
  /** An agent that had ended and is gone on with. */
  past?: Past | undefined
  /** What the agent above knows of it. */
  known: Known
}

/** Built-in agents that are asked once (claude-code-agents.md 11.5). */
const ONE_SHOT = new Set(['Explore', 'Plan'])

/** Runs an agent to its end and closes all that it has opened, whatever the end is. */
export async function runChild(run: ChildRun): Promise<Ended> {
  const { plan, spawning, side, tools, signal, budget, past } = run
  const { node } = plan
  const { tree, worktree, agent, caller } = spawning
  const seams = { ...seamsOf(plan, spawning, side, tools, signal), budget, past }
  const progress = relay(run)
  if (past && budget) budget.own = spentBy(past.history.context, past.history.hookUsage)
  const events = runAgent(plan.start, seams)
  let left: Ended['worktree']
  run.known.running = true
  // A silent agent ends by its own watch: that of its parent, which waits for it, must not be faster.
  const goOn = caller.pause?.()
  try {
    for (;;) {
      const step = await events.next()
      node.seen()
      if (!step.done) {
        progress(step.value)
        continue
      }
      const oneShot = agent.origin.source === 'builtin' && ONE_SHOT.has(node.name)
      if (worktree && (await worktree.close()) === 'kept') left = { path: worktree.told, branch: worktree.branch }
      run.known.worktreeGone = worktree !== undefined && !left
      const spent = past ? lessPast(step.value, past) : step.value
      tree.usage = addUsage(tree.usage, spent.modelUsage)
      count(tree, step.value, past?.history.context.denials.length ?? 0)
      const check = checkNote(step.value)
      if (check !== undefined) say(tree, notice('handover', `the result of the agent ${node.name} (${node.id}): ${check}`))
      const unread = node.inbox.drop(MESSAGE)
      return { id: node.id, name: node.name, oneShot, result: step.value, toolUses: progress.uses(), worktree: left, unread }
    }
  } finally {
    run.known.running = false
    run.known.plan = withoutConversation(plan)
    goOn?.()
    await events.return(undefined as never)
    await seams.scope.close()
    side.close()
  }
}

/** A fork begins with the conversation of its parent; one that goes on has its own, from its transcript. */
function withoutConversation({ start, ...plan }: Plan): Plan {
  const { fork } = start
  return { ...plan, start: fork ? { ...start, fork: { ...fork, messages: [] } } : start }
}

/** What an agent that went on has used since. */
function lessPast(result: RunResult, { history }: Past): Pick<RunResult, 'modelUsage'> {
  const before = addUsage(history.context.modelUsage, history.hookUsage)
  return { modelUsage: lessUsage(result.modelUsage, before) }
}

/** `before`: denials of an agent that went on, which are listed already. */
function count(tree: Tree, result: RunResult, before: number): void {
  const { permission_denials, denied, agent } = result
  tree.denials.push(...permission_denials.slice(before).map((denial) => ({ ...denial, agent })))
  tree.unanswered ||= denied
  tree.stats[statusOf({ result })] += 1
}

interface Relay {
  (event: RunEvent): void
  uses(): number
}

/** Tells the run what an agent below is doing: once for each reply that calls tools, and what it goes without. */
function relay({ plan: { node }, spawning: { tree, caller, input } }: ChildRun): Relay {
  let uses = 0
  let last: string | undefined
  let tokens = 0
  const started = node.lane.clock.now()
  const told = (event: RunEvent): void => {
    if (event.type === 'system' && event.subtype === 'tool_start') {
      uses += 1
      last = event.name
    } else if (event.type === 'assistant') tokens += allTokens(event.message.usage)
    else if (event.type === 'user') {
      const usage = { subagent_tokens: tokens, tool_uses: uses, duration_ms: node.lane.clock.now() - started }
      const { id: task_id, name: subagent_type } = node
      const { call: tool_use_id } = caller
      const { description } = input
      say(tree, {
        type: 'system',
        subtype: 'task_progress',
        task_id,
        tool_use_id,
        description,
        subagent_type,
        usage,
        ...(last !== undefined && { last_tool_name: last }),
      })
    } else if (event.type === 'system' && event.subtype === 'notice') passOn(tree, node.name, event)
  }
  return Object.assign(told, { uses: () => uses })
}

function passOn(tree: Tree, name: string, event: Extract<RunEvent, { subtype: 'notice' }>): void {
  const key = `${name}\n${event.code}`
  if (tree.said.has(key)) return
  tree.said.add(key)
  // How commands run is the same for all agents of the run.
  say(tree, event.code === 'sandbox' ? event : { ...event, message: `agent ${name}: ${event.message}` })
}
