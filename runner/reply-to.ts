import { compact, type Compacted, compactIfDue, type CompactHooks, type CompactSeams } from './compact/compact.ts'
import { type RunContext, type Start, withReply } from './context.ts'
import type { Ending } from './ending.ts'
import { endOfFault } from './endings.ts'
import type { RunEvent } from './events.ts'
import type { AgentHooks, State } from './hooks/agent-hooks.ts'
import type { Keeper } from './limits/keeper.ts'
import { limitsInForce } from './limits/run-limits.ts'
import type { Fault, Reply } from './message.ts'
import { stateOf } from './prepare.ts'
import { requestOf } from './request.ts'

type ReplySeams = Omit<CompactSeams, 'hooks'> & { hooks?: AgentHooks | undefined }

/** The next reply of the model and the run with it, or why there is none. */
export type Replied = { context: RunContext; reply: Reply } | { context: RunContext; ending: Ending }

/**
 * One turn's request: the conversation is compacted if it is time to, then the model is asked. If the API finds the prompt too long,
 * the conversation is compacted once and the model asked again. Before each request the limits are looked at.
 */
export async function* replyTo(before: RunContext, start: Start, given: ReplySeams, limits: Keeper): AsyncGenerator<RunEvent, Replied> {
  const seams: CompactSeams = { ...given, hooks: given.hooks && compactHooks(given.hooks, stateOf(before, given.signal)) }
  const settings = limitsInForce(start).compact ?? {}
  const stop = limits.check(before, 'new')
  if (stop) return { context: before, ending: stop }
  const first = yield* compactIfDue(before, settings, seams)
  const stopped = afterSummary(first, before, limits)
  if (stopped) return { context: first.context, ending: stopped }
  const outcome = yield* seams.model(requestOf(first.context), seams.signal)
  if (outcome.type === 'reply') return { context: withReply(first.context, outcome), reply: outcome }
  if (outcome.kind !== 'overflow' || first.done) return { context: first.context, ending: endOf(outcome, limits) }
  const second = yield* compact(first.context, 'overflow', settings, seams)
  const over = afterSummary(second, first.context, limits) ?? (second.done ? undefined : endOf(outcome, limits))
  if (over) return { context: second.context, ending: over }
  const again = yield* seams.model(requestOf(second.context), seams.signal)
  if (again.type === 'reply') return { context: withReply(second.context, again), reply: again }
  return { context: second.context, ending: endOf(again, limits) }
}

function compactHooks(hooks: AgentHooks, state: State): CompactHooks {
  return {
    before: (trigger) => hooks.compacting(trigger, state),
    after: (trigger, summary) => hooks.compacted(trigger, summary, state),
  }
}

/** A summary costs as much as a turn, and a limit may have been reached by it. */
function afterSummary({ context, fault }: Compacted, before: RunContext, limits: Keeper): Ending | undefined {
  // What had arrived of a summary is nothing that the agent has said.
  if (fault) return { ...endOf(fault, limits), partial: '' }
  return context === before ? undefined : limits.check(context, 'new')
}

function endOf(fault: Fault, limits: Keeper): Ending {
  return limits.causeOf(fault) ?? endOfFault(fault)
}
