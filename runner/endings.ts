import type { Clock, Ids } from './clock.ts'
import { answer, NO_USAGE, type RunContext, type Start, workSoFar } from './context.ts'
import type { Environment } from './environment.ts'
import type { InitEvent, RunResult, TerminalReason } from './events.ts'
import { type Fault, isToolUse, type Reply } from './message.ts'
import { firstMessage, requestPrefix } from './request.ts'
import { isPresent, type ToolSet } from './tools/registry.ts'

/** Replies that a run may have when neither the agent nor the command says how many. */
export const DEFAULT_MAX_TURNS = 200

export interface Ending {
  reason: TerminalReason
  errors?: readonly string[]
  /** Text of a reply that did not arrive whole. */
  partial?: string
}

/** The context of a new run, and the event that tells of it. */
export function begin(
  start: Start,
  seams: { tools: ToolSet; clock: Clock; ids: Ids; environment: Environment },
): { context: RunContext; event: InitEvent } {
  const { agent, header, name } = start
  const role = start.role ?? 'main'
  const { offered, unavailable } = sorted(start, seams.tools)
  const context: RunContext = {
    header,
    name,
    agent,
    role,
    permissionMode: agent.permissionMode ?? 'default',
    sessionId: seams.ids.session(),
    startedAt: seams.clock.now(),
    maxTurns: start.maxTurns ?? agent.maxTurns ?? DEFAULT_MAX_TURNS,
    prefix: requestPrefix(start, offered),
    messages: [firstMessage(start, seams.environment)],
    turns: 0,
    usage: NO_USAGE,
    stopReason: null,
    denials: [],
  }
  return { context, event: initEvent(context, seams.environment, offered, unavailable) }
}

/** The tools of the view, in its order (those of plan mode last): those that can be offered, and those that this version lacks. */
function sorted(start: Start, tools: ToolSet): { offered: string[]; unavailable: { name: string; reason: string }[] } {
  const offered: string[] = []
  const unavailable: { name: string; reason: string }[] = []
  const view = start.agent.toolViews[start.role ?? 'main']
  const granted = start.agent.permissionMode === 'plan' ? (view.plan ?? []) : []
  for (const name of [...view.tools, ...granted]) {
    const tool = tools(name)
    if (!isPresent(tool)) unavailable.push({ name, reason: tool.absent })
    else if (!Object.hasOwn(start.header.tools, name)) unavailable.push({ name, reason: 'the manifest does not describe it' })
    else if (!offered.includes(name)) offered.push(name)
  }
  return { offered, unavailable }
}

function initEvent(
  context: RunContext,
  environment: Environment,
  tools: readonly string[],
  unavailable_tools: InitEvent['unavailable_tools'],
): InitEvent {
  return {
    type: 'system',
    subtype: 'init',
    session_id: context.sessionId,
    agent: context.name,
    model: context.prefix.model,
    permission_mode: context.permissionMode,
    max_turns: context.maxTurns,
    environment,
    tools,
    unavailable_tools,
  }
}

/** Whether the run ends with this reply. Calls go on unless the reply was cut, refused or the last one that is allowed. */
export function endOfReply(reply: Reply, context: RunContext): Ending | undefined {
  const stop = stopOf(reply)
  if (stop) return stop
  if (context.turns < context.maxTurns) return undefined
  return {
    reason: 'max_turns',
    errors: [`the limit of ${context.maxTurns} ${context.maxTurns === 1 ? 'turn' : 'turns'} was reached before the agent was done`],
  }
}

/** The table of stop reasons (runner-facts A1); one that is not known ends the run and is never taken for success. */
function stopOf(reply: Reply): Ending | undefined {
  const calls = reply.content.some(isToolUse)
  if (reply.stop_reason === 'refusal') return { reason: 'refusal', errors: [refusalText(reply)] }
  if (reply.stop_reason === 'max_tokens') return { reason: 'max_tokens', errors: ['the reply was cut off at its limit of output tokens'] }
  if (reply.stop_reason === 'model_context_window_exceeded') {
    return { reason: 'context_overflow', errors: ['the conversation has filled the context window of the model'] }
  }
  if (calls) return undefined
  if (reply.content.length === 0) return { reason: 'empty_reply', errors: ['the model gave an empty reply'] }
  if (reply.stop_reason === 'pause_turn') return undefined
  if (reply.stop_reason === 'end_turn' || reply.stop_reason === 'stop_sequence') return { reason: 'completed' }
  return { reason: 'unknown_stop', errors: [`the model stopped for a reason that this version does not know: ${reply.stop_reason}`] }
}

function refusalText(reply: Reply): string {
  const { category, explanation } = reply.stop_details ?? {}
  const words = [category, explanation].filter((word) => typeof word === 'string' && word !== '')
  return `the model refused to go on${words.length > 0 ? `: ${words.join(', ')}` : ''}`
}

const FAULT_REASONS = {
  transient: 'api_error',
  fatal: 'api_error',
  overflow: 'context_overflow',
  interrupted: 'interrupted',
  mismatch: 'replay_mismatch',
} as const

export function endOfFault(fault: Fault): Ending {
  const reason = FAULT_REASONS[fault.kind]
  return { reason, partial: fault.partial, ...(reason === 'interrupted' ? {} : { errors: [fault.message] }) }
}

/** What the results of calls say that a run ended before. */
export function whyNotRun(reason: TerminalReason): string {
  if (reason === 'max_turns') return 'the limit of turns was reached'
  if (reason === 'max_tokens') return 'the reply that asks for it was cut off'
  return 'the run ended with the reply that asks for it'
}

export function finish(context: RunContext, ending: Ending, now: number): RunResult {
  const completed = ending.reason === 'completed'
  return {
    type: 'result',
    subtype: completed ? 'success' : ending.reason === 'max_turns' ? 'error_max_turns' : 'error_during_execution',
    is_error: !completed,
    terminal_reason: ending.reason,
    stop_reason: context.stopReason,
    result: completed ? answer(context) : workSoFar(context, ending.partial ?? ''),
    num_turns: context.turns,
    duration_ms: now - context.startedAt,
    usage: context.usage,
    permission_denials: context.denials,
    errors: ending.errors ?? (ending.reason === 'interrupted' ? ['the run was interrupted'] : []),
    session_id: context.sessionId,
    agent: context.name,
    model: context.prefix.model,
  }
}
