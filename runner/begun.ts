import type { ContextPatch } from './context-patch.ts'
import type { RunContext, Start } from './context.ts'
import type { Clock, Ids } from './clock.ts'
import { begin } from './endings.ts'
import type { Environment } from './environment.ts'
import type { InitEvent, RunResult } from './events.ts'
import type { OpenReply } from './open-reply.ts'
import type { ToolSet } from './tools/registry.ts'
import type { Used } from './transcript/account.ts'
import { goingOn, type History } from './transcript/history.ts'
import { TRANSCRIPT_VERSION, type ResumeLine, type StartLine } from './transcript/line.ts'
import type { Transcript } from './transcript/transcript.ts'

/** A run that was cut off or has ended, and what it is gone on with. */
export interface Past {
  history: History
  /** What the agents have used that the run had started: its limits hold for it however often it is gone on with. */
  below?: PastBelow | undefined
  /** What the user says next. */
  prompt?: string | undefined
  /** What hooks say when it is gone on with: for the model, and no prompt of a person. */
  hookContext?: string | undefined
  /** What skills that this prompt calls for change in the run. */
  patches?: readonly ContextPatch[] | undefined
  /** Replies from here on; without it the first limit holds on, or begins anew with a new prompt. */
  maxTurns?: number | undefined
  /** US dollars of the whole run; wins over the first limit. */
  maxBudgetUsd?: number | undefined
}

/** All agents below, their hooks included. */
export interface PastBelow extends Used {
  agents: number
}

interface BeginSeams {
  tools: ToolSet
  clock: Clock
  ids: Ids
  environment: Environment
  transcript: Transcript
  past?: Past | undefined
}

/** What a run begins with, new or gone on with, and the line of the transcript that says so. */
export interface Begun {
  context: RunContext
  open: OpenReply | undefined
  line: StartLine | ResumeLine
  event: InitEvent
}

/** A run that goes on takes nothing from its surroundings anew: its requests must follow on those that were sent. */
export function begun(start: Start, seams: BeginSeams): Begun {
  const { past } = seams
  if (past) return goneOn(past, seams)
  const { context, event } = begin(start, seams)
  const { header, agent: _, name, ...options } = start
  const line: StartLine = {
    kind: 'start',
    agentc_transcript: TRANSCRIPT_VERSION,
    session_id: context.sessionId,
    at: context.startedAt,
    agent: name,
    manifest: header.hash,
    closure: seams.transcript.closure,
    environment: seams.environment,
    options,
    offered: event.tools,
  }
  return { context, open: undefined, line, event }
}

function goneOn({ history, prompt, hookContext, patches, maxTurns, maxBudgetUsd }: Past, seams: BeginSeams): Begun {
  const { context, limit } = history
  const more = maxTurns ?? (prompt === undefined ? undefined : limit)
  const line: ResumeLine = {
    kind: 'resume',
    at: seams.clock.now(),
    max_turns: more === undefined ? context.maxTurns : context.turns + more,
    ...(maxBudgetUsd === undefined ? {} : { max_budget_usd: maxBudgetUsd }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(hookContext === undefined ? {} : { hook_context: hookContext }),
    ...(patches === undefined ? {} : { patches }),
  }
  const { event } = begin(history.start, { ...seams, clock: { ...seams.clock, now: () => line.at } })
  return { ...goingOn(history, line), line, event: { ...event, max_turns: line.max_turns } }
}

/** What to say of a run that is to go on and has come to its end with success: its result, once more. Who asks twice gets one run. */
export function doneAlready({ history, prompt }: Past): RunResult | undefined {
  const result = history.end?.result
  return prompt === undefined && result?.terminal_reason === 'completed' ? result : undefined
}

/** Why a run cannot go on as it is asked to, in a sentence; `undefined` if it can. */
export function cannotGoOn({ history, prompt, maxTurns, maxBudgetUsd }: Past, id: string): string | undefined {
  const { context, end } = history
  if (end?.result.terminal_reason === 'budget_exhausted' && maxBudgetUsd === undefined) {
    return `Run ${id} has spent its budget: give --max-budget-usd, for the whole run, to go on with it.`
  }
  if (prompt !== undefined || !end || doneAlready({ history, prompt })) return undefined
  if (context.messages.at(-1)?.role !== 'user') {
    return `Run ${id} has ended (${end.result.terminal_reason}): give a prompt to go on with it, agentc run --resume ${id} "…".`
  }
  if (context.turns < context.maxTurns || maxTurns !== undefined) return undefined
  return `Run ${id} has used its ${context.maxTurns} turns: give --max-turns or a prompt to go on with it.`
}
