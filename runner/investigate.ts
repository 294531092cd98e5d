import type { Clock } from './clock.ts'
import type { Start } from './context.ts'
import type { Environment } from './environment.ts'
import { runAgent } from './loop.ts'
import type { Reply } from './message.ts'
import type { ModelClient } from './model/client.ts'
import { decide, nobody } from './permission/decide.ts'
import type { Processes } from './processes.ts'
import { Scope } from './scope.ts'
import { runTools } from './tools/registry.ts'
import { newToolState } from './tools/state.ts'
import { noPerson } from './tools/tool.ts'
import { NO_TRANSCRIPT } from './transcript/transcript.ts'
import type { Workspace } from './workspace.ts'

export interface InvestigateSeams {
  model: ModelClient
  clock: Clock
  /** Of the run. */
  environment: Environment
  workspace: Workspace
  processes: Processes
  /** Hears of every reply that it costs. */
  spent: (reply: Reply, model: string) => void
}

/**
 * Runs the agent of a hook and gives its last words. It has neither servers nor hooks of its own, so that no hook sets off another, nobody
 * is asked for it, and the rules of the run hold for it. Throws what keeps it from an answer; `cause` is how it ended.
 */
export async function investigate(start: Start, signal: AbortSignal, seams: InvestigateSeams): Promise<string> {
  const { clock, environment, workspace, processes } = seams
  const events = runAgent(start, {
    model: counted(seams),
    clock,
    ids: { session: () => 'hook' },
    environment: { ...environment, cwd: workspace.told },
    tools: runTools(start.header, undefined),
    decide,
    ask: nobody,
    askPerson: noPerson,
    state: newToolState(),
    workspace,
    scope: new Scope(processes.part()),
    transcript: NO_TRANSCRIPT,
    signal,
  })
  for (;;) {
    const step = await events.next()
    if (!step.done) continue
    const { terminal_reason, result, errors } = step.value
    if (terminal_reason === 'completed') return result
    throw new Error(errors.join('; ') || terminal_reason, { cause: terminal_reason })
  }
}

function counted({ model, spent }: InvestigateSeams): ModelClient {
  return async function* (request, signal) {
    const outcome = yield* model(request, signal)
    if (outcome.type === 'reply') spent(outcome, request.model)
    return outcome
  }
}
