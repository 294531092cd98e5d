import { type RunContext, type Start, withReply, withResults } from './context.ts'
import { begin, type Ending, endOfFault, endOfReply, finish, whyNotRun } from './endings.ts'
import type { RunEvent, RunResult } from './events.ts'
import { execute, type ExecuteSeams, notRun } from './execute.ts'
import { isToolUse, type Reply } from './message.ts'
import type { ModelClient } from './model/client.ts'
import { notices, obstacle } from './notices.ts'
import type { Clock, Ids } from './clock.ts'
import type { Environment } from './environment.ts'
import { requestOf } from './request.ts'

/** Everything a run touches besides its own data. */
export interface Seams extends ExecuteSeams {
  model: ModelClient
  clock: Clock
  ids: Ids
  environment: Environment
}

/**
 * Runs an agent: ask the model, take its reply, run the tools it calls, again, until there is nothing more to do or a limit is reached.
 * Every event is yielded in a fixed order; the last one is the result, which is returned too.
 */
export async function* runAgent(start: Start, seams: Seams): AsyncGenerator<RunEvent, RunResult> {
  let context = yield* opened(start, seams)
  const reason = obstacle(start)
  if (reason) return yield* closed(context, { reason: 'cannot_start', errors: [reason] }, seams)
  for (;;) {
    if (seams.signal.aborted) return yield* closed(context, { reason: 'interrupted' }, seams)
    const outcome = yield* seams.model(requestOf(context), seams.signal)
    if (outcome.type === 'fault') return yield* closed(context, endOfFault(outcome), seams)
    context = withReply(context, outcome)
    yield assistantEvent(outcome)
    const ending = endOfReply(outcome, context)
    if (ending) return yield* closed(yield* unrun(outcome, context, ending), ending, seams)
    context = yield* worked(outcome, context, seams)
  }
}

async function* opened(start: Start, seams: Seams): AsyncGenerator<RunEvent, RunContext> {
  const { context, event } = begin(start, seams)
  yield event
  yield* notices(start, seams.environment)
  return context
}

/** Runs the calls of a reply. A reply without calls that does not end the run was paused by the API and is sent back as it is. */
async function* worked(reply: Reply, context: RunContext, seams: Seams): AsyncGenerator<RunEvent, RunContext> {
  const calls = reply.content.filter(isToolUse)
  if (calls.length === 0) return context
  const results = yield* execute(calls, reply.broken, context, seams)
  yield { type: 'user', message: { role: 'user', content: results.blocks } }
  return withResults(context, results)
}

/** A run that ends with calls still open answers them too, so that the conversation can be gone on with. */
async function* unrun(reply: Reply, context: RunContext, ending: Ending): AsyncGenerator<RunEvent, RunContext> {
  const calls = reply.content.filter(isToolUse)
  if (calls.length === 0) return context
  const results = notRun(calls, whyNotRun(ending.reason))
  yield { type: 'user', message: { role: 'user', content: results.blocks } }
  return withResults(context, results)
}

async function* closed(context: RunContext, ending: Ending, seams: Seams): AsyncGenerator<RunEvent, RunResult> {
  const result = finish(context, ending, seams.clock.now())
  yield result
  return result
}

function assistantEvent({ id, model, content, stop_reason }: Reply): RunEvent {
  return { type: 'assistant', message: { id, model, role: 'assistant', content, stop_reason } }
}
