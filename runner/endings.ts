import type { Clock, Ids } from './clock.ts'
import { answer, patched, type RunContext, type Start, workSoFar } from './context.ts'
import { deniedTo } from './denied-to.ts'
import type { Ending } from './ending.ts'
import type { Environment } from './environment.ts'
import type { HandOver, InitEvent, RunResult, TerminalReason } from './events.ts'
import { limitsInForce, maxTurnsOf } from './limits/run-limits.ts'
import { type Fault, isToolUse, type Reply } from './message.ts'
import { firstMessage, requestPrefix } from './request.ts'
import { withMcpTools } from './mcp/start.ts'
import type { Closed } from './scope.ts'
import { findSkill, knownIn, skillNames } from './skills/catalogue.ts'
import { listSkills } from './skills/listing.ts'
import { isPersonsPlan, modeInForce } from './permission/mode.ts'
import { isPresent, type ToolSet } from './tools/registry.ts'
import { NO_USAGE, overBudget, totalCost } from './usage.ts'

/** Replies that a run may have when neither the agent nor the command says how many. */
export const DEFAULT_MAX_TURNS = 200

export type { Ending } from './ending.ts'

/** The context of a new run, and the event that tells of it. */
export function begin(
  given: Start,
  seams: { tools: ToolSet; clock: Clock; ids: Ids; environment: Environment },
): { context: RunContext; event: InitEvent } {
  const start = withMcpTools(given)
  const { agent, header, name } = start
  const role = start.role ?? 'main'
  const { offered, unavailable } = sorted(start, seams.tools)
  const fresh: RunContext = {
    header,
    name,
    agent,
    role,
    permissionMode: modeInForce(start),
    ...(isPersonsPlan(start) && { looksAround: true }),
    sessionId: seams.ids.session(),
    startedAt: seams.clock.now(),
    maxTurns: maxTurnsOf(start, DEFAULT_MAX_TURNS),
    maxBudgetUsd: limitsInForce(start).usd,
    prefix: start.fork?.prefix ?? requestPrefix(start, offered),
    messages: start.fork?.messages ?? [firstMessage(start, seams.environment)],
    ...(start.fork && { sharedAt: start.fork.messages.length - 1 }),
    turns: 0,
    usage: NO_USAGE,
    modelUsage: {},
    stopReason: null,
    denials: [],
    unanswered: false,
    ...(start.preloaded && { preloaded: start.preloaded }),
    ...(start.mcpSkills && { mcpSkills: start.mcpSkills }),
  }
  const context = (start.patches ?? []).reduce(patched, fresh)
  return { context, event: initEvent(context, seams.environment, offered, unavailable) }
}

/** The tools of the view, in its order (those of plan mode last): those that can be offered, and those that this version lacks. */
function sorted(start: Start, tools: ToolSet): { offered: string[]; unavailable: { name: string; reason: string }[] } {
  const offered: string[] = []
  const unavailable: { name: string; reason: string }[] = []
  const view = start.agent.toolViews[start.role ?? 'main']
  const granted = modeInForce(start) === 'plan' ? (view.plan ?? []) : []
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
  const known = knownIn(context)
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
    skills: tools.includes('Skill') ? listSkills(known, deniedTo(context)).map(({ name }) => name) : [],
    slash_commands: skillNames(known).filter((name) => findSkill(name, known)!.skill.userInvocable !== false),
  }
}

/** Whether the run ends with this reply. Calls go on unless the reply was cut, refused or the last one that is allowed. */
export function endOfReply(reply: Reply, context: RunContext): Ending | undefined {
  const stop = stopOf(reply)
  if (stop) return stop
  const spent = overBudget(context.modelUsage, context.maxBudgetUsd)
  if (spent !== undefined) return { reason: 'budget_exhausted', errors: [spent] }
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
  return { reason, partial: fault.partial, status: fault.status, ...(reason === 'interrupted' ? {} : { errors: [fault.message] }) }
}

/** What the results of calls say that a run ended before. */
export function whyNotRun(reason: TerminalReason): string {
  if (reason === 'max_turns') return 'the limit of turns was reached'
  if (reason === 'budget_exhausted') return 'the budget was spent'
  if (reason === 'token_limit') return 'the limit of tokens was reached'
  if (reason === 'output_limit') return 'the limit of output was reached'
  if (reason === 'timeout' || reason === 'idle_timeout') return 'the time of the run was over'
  if (reason === 'max_tokens') return 'the reply that asks for it was cut off'
  return 'the run ended with the reply that asks for it'
}

/** What is known of a run only when everything it had opened is closed. */
export interface Aftermath {
  now: number
  closed: Closed
  run: { id: string; folder: string } | undefined
  handOver?: HandOver | undefined
}

const SUBTYPES: Partial<Record<TerminalReason, RunResult['subtype']>> = {
  completed: 'success',
  max_turns: 'error_max_turns',
  budget_exhausted: 'error_max_budget_usd',
  structured_output: 'error_max_structured_output_retries',
}

/** What a run has to say at its end: its answer, or everything it had said so far. */
export function lastWords(context: RunContext, ending: Ending): string {
  return ending.reason === 'completed' ? answer(context) : workSoFar(context, ending.partial ?? '')
}

export function finish(context: RunContext, ending: Ending, { now, closed, run, handOver }: Aftermath): RunResult {
  const completed = ending.reason === 'completed'
  return {
    type: 'result',
    subtype: SUBTYPES[ending.reason] ?? 'error_during_execution',
    is_error: !completed,
    terminal_reason: ending.reason,
    stop_reason: context.stopReason,
    result: lastWords(context, ending),
    ...(handOver && { handover: handOver }),
    ...(ending.structured && { structured_output: ending.structured.value }),
    num_turns: context.turns,
    duration_ms: now - context.startedAt,
    usage: context.usage,
    modelUsage: context.modelUsage,
    total_cost_usd: totalCost(context.modelUsage),
    permission_denials: context.denials,
    denied: context.unanswered,
    errors: [...(ending.errors ?? (ending.reason === 'interrupted' ? ['the run was interrupted'] : [])), ...closed.faults],
    session_id: context.sessionId,
    ...(run && { run_id: run.id, run_folder: run.folder }),
    stray_processes: closed.stray,
    agent: context.name,
    model: context.prefix.model,
  }
}
