import { lingering, withArrival, withArrivals } from './arrivals.ts'
import type { CountTokens } from './compact/tokens.ts'
import { answer, type RunContext, type Start, withResults } from './context.ts'
import { begun } from './begun.ts'
import { asksFirst, type ConversationSeams, nextWork, type Rest, type Work, workOf } from './conversation.ts'
import { type Ending, endOfReply, finish, whyNotRun } from './endings.ts'
import type { NoticeEvent, RunEvent, RunResult } from './events.ts'
import { execute, notRun } from './execute.ts'
import { budgetOf, type Keeper, keepLimits } from './limits/keeper.ts'
import { limited, watched } from './limits/limited.ts'
import { whyStopped } from './limits/repeats.ts'
import { isToolUse, type Reply } from './message.ts'
import { NOTHING_KNOWN, type OpenReply } from './open-reply.ts'
import type { ModelClient } from './model/client.ts'
import type { HookAccount } from './hooks/account.ts'
import { failedBy } from './hooks/failed.ts'
import { extend, type Extended, type ExtendSeams } from './extend.ts'
import { announced, type NoticeQueue } from './notice-queue.ts'
import { notices } from './notices.ts'
import { stateOf } from './prepare.ts'
import { runCalled } from './skills/apart.ts'
import { preload } from './skills/preload.ts'
import type { RunApart } from './skills/skill-tool.ts'
import { structuredEnd, withRepair } from './output/answer.ts'
import { replyTo } from './reply-to.ts'
import { handedOver } from './handed-over.ts'
import { withBelow, withMore } from './delegation/below.ts'

/** Everything a run touches besides its own data. */
export interface Seams extends ConversationSeams {
  model: ModelClient
  /** MCP servers and hooks; without it there are none. */
  extensions?: ExtendSeams['extensions']
  recall?: ExtendSeams['recall']
  /** Of an agent that another one has started. */
  agentId?: string | undefined
  agentTranscript?: string | undefined
  queue?: NoticeQueue | undefined
  /** What the hooks of the agent have cost. */
  hookAccount?: HookAccount | undefined
  /** When the agent has ended: what is to be told of its notes. */
  leave?: Extended['leave']
  /** Counts tokens; without it they are estimated. */
  count?: CountTokens | undefined
  /** Runs a skill in an agent of its own; without it none is. */
  runApart?: RunApart | undefined
  /** What is to be told of the inputs of the run. */
  said?: readonly string[] | undefined
}

/**
 * Runs an agent: ask the model, take its reply, run the tools it calls, again, until there is nothing more to do or a limit is reached.
 * Every event is yielded in a fixed order; the last one is the result, which is returned too.
 */
export async function* runAgent(start: Start, seams: Seams): AsyncGenerator<RunEvent, RunResult> {
  try {
    const extended = await extend(start, seams)
    const { hooks, hookAccount, leave, queue, tools, fetchSkill, workspace, past } = extended
    const ready = { ...seams, hooks, hookAccount, hookUsage: hookAccount.usage, leave, queue, tools, fetchSkill, workspace, past }
    if (past || extended.refusal !== undefined) return yield* works(extended, ready)
    const { start: whole, notices: said } = await preload(extended.start, ready)
    return yield* works({ ...extended, start: whole, notices: [...extended.notices, ...said] }, ready)
  } finally {
    await seams.scope.close()
  }
}

/** One piece of work; with a person one after another, until nothing more is said. */
async function* works({ start, notices: ready, refusal: reason }: Extended, given: Seams): AsyncGenerator<RunEvent, RunResult> {
  const first = yield* opened(start, ready, given)
  if (reason !== undefined) return yield* closed(first.context, { reason: 'cannot_start', errors: [reason] }, given)
  const seams = { ...given, budget: given.budget ?? budgetOf(start, first.context, given.hookUsage?.(), given.past) }
  let rest: Rest = asksFirst(start, seams) ? { context: first.context } : yield* within(start, workOf(first, seams), seams)
  for (;;) {
    const next = yield* nextWork(rest, start, seams)
    if ('ending' in next) return yield* closed(next.context, next.ending, seams)
    rest = yield* within(start, next, seams)
  }
}

/** A piece of work, within the limits of the run. */
async function* within(start: Start, { context, open, signal }: Work, seams: Seams): AsyncGenerator<RunEvent, Rest> {
  const limits = keepLimits(start, context, { ...seams, signal })
  return yield* watched(work(start, context, open, { ...seams, ...limited(seams, limits) }, limits), limits)
}

async function* work(
  start: Start,
  begun: RunContext,
  unanswered: OpenReply | undefined,
  seams: Seams,
  limits: Keeper,
): AsyncGenerator<RunEvent, Rest> {
  let [context, open] = [begun, unanswered]
  for (;;) {
    if (!open) {
      context = yield* runCalled(context, seams)
      yield* seams.aside?.take() ?? []
      context = await withArrivals(context, seams)
      const next = yield* replyTo(context, start, seams, limits)
      context = next.context
      if ('ending' in next) return next
      yield assistantEvent(next.reply)
      open = { reply: next.reply, known: NOTHING_KNOWN }
    }
    const end = await endOfTurn(open.reply, context, start, limits)
    if (end && 'repair' in end) {
      seams.transcript.put({ kind: 'repair', prompt: end.repair })
      ;[context, open] = [withRepair(context, end.repair), undefined]
      continue
    }
    if (end) {
      const last = seams.person ? end : yield* lingering(end, context, seams)
      const held = last?.reason === 'completed' ? await seams.hooks?.mayStop(answer(context), stateOf(context, seams.signal)) : undefined
      yield* announced(seams.queue?.drain() ?? [], seams)
      if (held && 'goOn' in held && context.turns < context.maxTurns) context = withArrival(context, held.goOn, seams.transcript)
      else if (last) return { context: yield* unrun(open, context, last, seams), ending: last }
      open = undefined
      continue
    }
    const { recent = [] } = context
    const done = yield* worked(open, context, seams)
    context = done.context
    yield* announced(seams.queue?.drain() ?? [], seams)
    if (done.stop !== undefined) return { context, ending: { reason: 'hook_stopped', errors: [`a hook ended the run: ${done.stop}`] } }
    const circle = whyStopped(recent, context.recent ?? recent)
    if (circle !== undefined) return { context, ending: { reason: 'loop', errors: [circle] } }
    open = undefined
  }
}

/** An answer counts before any limit; where it has to be of a schema, it may be asked for again. */
async function endOfTurn(
  reply: Reply,
  context: RunContext,
  start: Start,
  limits: Keeper,
): Promise<Ending | { repair: string } | undefined> {
  const ending = endOfReply(reply, context) ?? limits.check(context)
  return ending?.reason === 'completed' && start.outputSchema ? structuredEnd(context, start.outputSchema) : ending
}

async function* opened(
  start: Start,
  ready: readonly NoticeEvent[],
  seams: Seams,
): AsyncGenerator<RunEvent, { context: RunContext; open: OpenReply | undefined }> {
  const { context, open, line, event } = begun(start, seams)
  seams.transcript.put(line)
  seams.hookAccount?.keepBy((paid) => seams.transcript.put({ kind: 'hook_reply', ...paid }))
  yield event
  const said = (seams.said ?? []).map((message) => ({ type: 'system' as const, subtype: 'notice' as const, code: 'input', message }))
  yield* announced([...ready, ...notices(start), ...said, ...(seams.queue?.drain() ?? [])], seams)
  return { context, open }
}

/** Runs the calls of a reply. A reply without calls that does not end the run was paused by the API and is sent back as it is. */
async function* worked(
  open: OpenReply,
  context: RunContext,
  seams: Seams,
): AsyncGenerator<RunEvent, { context: RunContext; stop?: string | undefined }> {
  if (!open.reply.content.some(isToolUse)) return { context }
  const results = yield* execute(open, context, seams)
  seams.transcript.sync()
  yield { type: 'user', message: { role: 'user', content: results.blocks } }
  const after = withResults(context, results)
  return { context: results.said ? withArrival(after, results.said, seams.transcript) : after, stop: results.stop }
}

/** A run that ends with calls still open answers them too, so that the conversation can be gone on with. */
async function* unrun(open: OpenReply, context: RunContext, ending: Ending, seams: Seams): AsyncGenerator<RunEvent, RunContext> {
  if (!open.reply.content.some(isToolUse)) return context
  const results = notRun(open, whyNotRun(ending.reason), seams.transcript)
  yield { type: 'user', message: { role: 'user', content: results.blocks } }
  return withResults(context, results)
}

/** Closes everything that the run has opened; only then it is known how the run ended. */
async function* closed(context: RunContext, ending: Ending, seams: Seams): AsyncGenerator<RunEvent, RunResult> {
  const handOver = await handedOver(context, ending, seams)
  await seams.hooks?.end(stateOf(context, seams.signal), failedBy(ending, answer(context)))
  yield* announced([...(seams.queue?.drain() ?? []), ...((await seams.leave?.()) ?? [])], seams)
  const left = await seams.scope.close()
  const now = seams.clock.now()
  const own = finish(context, ending, { now, closed: left, run: seams.transcript.run, handOver })
  const result = withBelow(seams.below?.(), withMore(own, seams.hookUsage?.()))
  yield* seams.aside?.take() ?? []
  seams.transcript.put({ kind: 'end', at: now, result })
  seams.transcript.sync()
  yield result
  return result
}

function assistantEvent({ id, model, content, stop_reason, usage }: Reply): RunEvent {
  return { type: 'assistant', message: { id, model, role: 'assistant', content, stop_reason, usage } }
}
