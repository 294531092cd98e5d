import type { Rule } from '../schemas/shapes/permission.ts'
import { ruleText } from '../schemas/rule-text.ts'
import { askedOf, isRepeatable, refusalOf } from './asked-call.ts'
import type { RunContext } from './context.ts'
import type { CallTool, Refused } from './delegation/caller.ts'
import { type AgentHooks, type State, UNWATCHED } from './hooks/agent-hooks.ts'
import type { Outcome } from './hooks/merge.ts'
import type { ToolUseBlock } from './message.ts'
import type { KnownCalls } from './open-reply.ts'
import { tooDeep } from './delegation/depth.ts'
import type { Budget } from './limits/budget.ts'
import { type Answered, type Ask, type Asked, type Decide, hides, mayShow, type Rights } from './permission/decide.ts'
import { Grants } from './permission/grants.ts'
import { type Decision, toAsk } from './permission/asked.ts'
import { restriction } from './permission/restriction.ts'
import { written } from './permission/written.ts'
import { namesHost, reaching, rightsOf, withYes } from './rights.ts'
import { startOf } from './sandbox/of-call.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Scope } from './scope.ts'
import { whatBecame } from './tools/effects.ts'
import { inputFault } from './tools/input.ts'
import { isPresent, type ToolSet } from './tools/registry.ts'
import type { ToolState } from './tools/state.ts'
import { type AskPerson, failed, fine, type ToolContext, type ToolInput, type ToolOutput } from './tools/tool.ts'
import type { Decided, FileEffect, ToolEndLine, ToolStartLine } from './transcript/line.ts'
import type { Transcript } from './transcript/transcript.ts'
import type { Workspace } from './workspace.ts'

export interface PrepareSeams {
  /** Without it no hook watches the agent. */
  hooks?: AgentHooks | undefined
  tools: ToolSet
  decide: Decide
  ask: Ask
  /** What a person has allowed for the rest of the run; without it nothing is kept. */
  grants?: Grants | undefined
  /** What is denied to the agents above it. */
  above?: readonly Rule[] | undefined
  workspace: Workspace
  scope: Scope
  signal: AbortSignal
  transcript: Transcript
  /** What the agent's tools remember; each agent has its own. */
  state: ToolState
  askPerson: AskPerson
  /** What the agent and all that it starts may use up together. */
  budget?: Budget | undefined
  /** A sign of life of what the agent has started. */
  seen?: (() => void) | undefined
  /** The agent is not idle until what is returned is called. */
  pause?: (() => () => void) | undefined
  /** For tools that call others. */
  callTool?: CallTool | undefined
  /** How commands are run; without it as they are. */
  sandbox?: Sandbox | undefined
  /** Has the text of a skill that is kept elsewhere. */
  fetchSkill?: ToolContext['fetchSkill']
}

/** A call, looked at before any call of its reply has started: it will run, or its answer is there already. */
export interface Prepared {
  call: ToolUseBlock
  /** Its place among the calls of the reply. */
  at: number
  name: string
  run?: (signal: AbortSignal) => Promise<ToolOutput>
  effects?: () => Promise<readonly FileEffect[]>
  readOnly: boolean
  /** A call that was cut off may be run again. */
  repeatable?: boolean
  answer?: ToolOutput
  denied: boolean
  /** Denied because nobody could be asked. */
  unanswered: boolean
  decision?: ToolEndLine['decision']
  repair?: ToolEndLine['repair']
  /** The answer is in the transcript already. */
  past: boolean
  /** Why a hook ends the run, whatever becomes of the call. */
  stop?: string
  /** What hooks said before the call, and are told of it after. */
  hooked?: { input: ToolInput; before: Outcome; isAbout: (rule: Rule) => boolean }
}

const INTERRUPTED = 'Interrupted; effects unknown: verify before repeating. The run was cut off while this call was at work.'
const NOT_WHOLE =
  'Not run: the run was cut off before this call, and its input held a secret, which a transcript does not keep. Repeat the call.'

/** Decides on a call. Of a reply that a run was cut off in, what the transcript knows of the call decides first. */
export async function prepare(
  call: ToolUseBlock,
  at: number,
  raw: string | undefined,
  known: KnownCalls,
  context: RunContext,
  seams: PrepareSeams,
): Promise<Prepared> {
  const ended = known.ended.get(at)
  if (ended) return remembered(call, at, ended)
  const fresh = await judged(call, at, raw, context, seams)
  const started = known.started.get(at)
  if (started && !(fresh.run && fresh.repeatable)) return repaired(fresh, started, known, seams.workspace)
  return fresh.run && known.redacted ? answeredWith(fresh, failed(NOT_WHOLE), 'redacted') : fresh
}

function remembered(call: ToolUseBlock, at: number, line: ToolEndLine): Prepared {
  const { name, text, is_error: isError, denied, unanswered, images, patch, messages } = line
  const answer = { text, isError, ...(images && { images }), ...(patch && { patch }), ...(messages && { messages }) }
  return { call, at, name, readOnly: true, answer, denied: denied === true, unanswered: unanswered === true, past: true }
}

/**
 * A call that was at work when the run was cut off. It is run again only if what it writes shows that it had not begun to take effect;
 * if that shows that it was done, it counts as done. Else the model is told to look.
 */
async function repaired(fresh: Prepared, started: ToolStartLine, known: KnownCalls, workspace: Workspace): Promise<Prepared> {
  const became = await whatBecame(started.effects, workspace)
  if (became === 'undone' && fresh.run && !known.redacted) return fresh
  if (became !== 'done') return answeredWith(fresh, failed(INTERRUPTED), 'interrupted')
  const paths = started.effects!.map(({ path }) => path).join(', ')
  const text = `Done. The run was cut off while this call was at work, but its work was finished: ${paths} is as the call was to leave it.`
  return answeredWith(fresh, fine(text), 'recognised')
}

function answeredWith({ call, at, name }: Prepared, answer: ToolOutput, repair: ToolEndLine['repair']): Prepared {
  return { call, at, name, readOnly: true, answer, denied: false, unanswered: false, past: false, repair }
}

async function judged(
  call: ToolUseBlock,
  at: number,
  raw: string | undefined,
  context: RunContext,
  seams: PrepareSeams,
): Promise<Prepared> {
  const { tools } = context.header
  const name = Object.hasOwn(tools, call.name) ? call.name : (aliased(context, call.name) ?? call.name)
  const known: Omit<Prepared, 'readOnly'> = { call, at, name, denied: false, unanswered: false, past: false }
  const no = (text: string): Prepared => ({ ...known, readOnly: true, answer: failed(text) })
  const offered = (context.prefix.tools ?? []).map((tool) => tool.name)
  const tool = seams.tools(name)
  if (!offered.includes(name) || !isPresent(tool)) return no(notOffered(name, offered, context))
  const { input_schema, traits } = tools[name]!
  if (raw !== undefined)
    return no(`The input of this call was not valid JSON for an object, so it was not run. It was: ${raw.slice(0, 2000)}`)
  const faultOf = async (input: unknown): Promise<string | undefined> => (tool.checksInput ? undefined : inputFault(input_schema, input))
  const fault = await faultOf(call.input)
  if (fault) return no(`The input does not fit the schema of ${name}: ${fault}.`)
  const refused = refusalOf(tool, call.input as ToolInput, context)
  if (refused !== undefined) return no(refused)
  const rights = rightsOf(context, seams)
  const given = await askedOf(name, tool, call.input as ToolInput, rights, context)
  const state = stateOf(context, seams.signal)
  const isAbout = (rule: Rule): boolean => restriction(given, [rule], rights, 'ask') !== undefined
  const { hooks = UNWATCHED } = seams
  const before = await hooks.before({ id: call.id, name, input: given.input }, isAbout, state)
  if (before.stop !== undefined) known.stop = before.stop
  if (before.decision === 'deny') return { ...no(`Not run: ${before.reason}.`), denied: true }
  const otherwise = (fault: string): Prepared => no(`Not run: the input that a hook gave does not fit the schema of ${name}: ${fault}.`)
  const changed = before.updatedInput && (await faultOf(before.updatedInput))
  if (changed) return otherwise(changed)
  const first = before.updatedInput ? await askedOf(name, tool, before.updatedInput, rights, context) : given
  const rightsNow = (): Rights => {
    const now = rightsOf(context, seams)
    return before.decision === 'allow' ? withYes(first, now) : now
  }
  const decideNow = (): Decision => withHooks(seams.decide(first, rightsNow()), before)
  const ruled = decideNow()
  const ask = hooks.asking(asking(seams, decideNow), isAbout, state)
  const answered = ruled.outcome === 'ask' ? await ask(first, ruled.reason, seams.signal, { would: ruled.would }) : ruled
  const { updatedInput: instead } = answered as { updatedInput?: ToolInput }
  const wrong = instead && (await faultOf(instead))
  if (wrong) return otherwise(wrong)
  const asked = instead ? await askedOf(name, tool, instead, rights, context) : first
  const decision = instead ? forPerson(seams.decide(asked, rights)) : answered
  const { input } = asked
  const decided = decidedBy(decision)
  if (!decision.allow) {
    const unanswered = 'nobody' in decision && decision.nobody === true
    return { ...no(`Permission denied: ${decision.reason}.`), denied: true, unanswered, decision: decided }
  }
  const within = toolContext(asked, call.id, context, seams, decision === ruled ? rightsNow() : withYes(asked, rightsNow()))
  const effects = tool.effects && (() => tool.effects!(input, within))
  return {
    ...known,
    decision: decided,
    hooked: { input, before, isAbout },
    run: () => tool.run(input, within),
    readOnly: traits.readOnly,
    repeatable: (traits.readOnly && tool.repeatable !== false) || isRepeatable(tool, input, context),
    ...(effects && { effects }),
  }
}

/** The person, who is asked only if an answer to another question has not decided the call by then. */
function asking({ ask, grants = new Grants(), workspace }: PrepareSeams, decideNow: () => Decision): Ask {
  return (asked, reason, signal, { would, agents = [] } = {}) =>
    grants.inTurn(async (): Promise<Answered> => {
      if (decideNow().allow) return { allow: true }
      const answer = await ask(asked, reason, signal, { would, agents })
      if (answer.allow && answer.rule) grants.add(answer.rule, workspace)
      return answer
    })
}

/** Why a call that names no files would not be allowed. */
async function refusedCall(asked: Asked, context: RunContext, seams: PrepareSeams): Promise<Refused | undefined> {
  const decideNow = (): Decision => seams.decide(asked, rightsOf(context, seams))
  const ruled = decideNow()
  if (ruled.allow) return undefined
  if (ruled.outcome === 'deny') return { reason: ruled.reason, denied: 'denied' }
  const answer = await asking(seams, decideNow)(asked, ruled.reason, seams.signal, { would: ruled.would })
  return answer.allow ? undefined : { reason: answer.reason, denied: answer.nobody ? 'unanswered' : 'denied' }
}

/** What hooks see of the state of a run. */
export function stateOf(context: RunContext, signal: AbortSignal): State {
  const hooks = (context.atWork ?? []).flatMap((skill) => skill.hooks ?? [])
  const state = { permissionMode: context.permissionMode, effort: context.prefix.output_config?.effort, signal }
  return hooks.length > 0 ? { ...state, hooks } : state
}

/** A hook that has answered for the person, and given another input, has answered for this input too; what is denied stays denied. */
function forPerson(decision: Decision): Decision | { allow: true } {
  return decision.outcome === 'ask' ? { allow: true } : decision
}

/** A hook that wants a person to be asked is heard where the rules would allow the call. */
function withHooks(decision: Decision, { decision: hook, reason }: Outcome): Decision {
  return decision.allow && hook === 'ask' ? toAsk(reason ?? 'a hook wants a person to be asked') : decision
}

function decidedBy({ allow, reason, rule }: { allow: boolean; reason?: string; rule?: Rule }): Decided {
  const outcome = allow ? 'allow' : 'deny'
  if (reason === undefined && rule) return { outcome, reason: 'a person has allowed it from now on', rule: ruleText(rule) }
  return { outcome, reason: reason ?? 'a person has allowed it', ...(rule && { rule: written(rule) }) }
}

function aliased(context: RunContext, alias: string): string | undefined {
  return Object.entries(context.header.tools).find(([, tool]) => tool.aliases?.includes(alias))?.[0]
}

function notOffered(name: string, offered: readonly string[], context: RunContext): string {
  const known = Object.hasOwn(context.header.tools, name)
  if (name === 'Agent' && known && context.role === 'leaf') return tooDeep(context.header.limits.spawnDepth)
  const has = offered.length > 0 ? `It has ${offered.join(', ')}.` : 'It has no tools.'
  return `${known ? `This agent may not use ${name}.` : `No such tool available: ${name}.`} ${has}`
}

/** What a tool may touch that works for the agent, but is called by a person. */
export function besideCall(context: RunContext, seams: PrepareSeams): ToolContext {
  return toolContext({ tool: 'Skill', input: {}, files: [], search: false }, 'prompt', context, seams, rightsOf(context, seams))
}

function toolContext(asked: Asked, call: string, context: RunContext, seams: PrepareSeams, rights: Rights): ToolContext {
  return {
    workspace: reaching(seams.workspace, asked.files),
    signal: seams.signal,
    resultChars: context.header.limits.resultChars,
    scope: seams.scope,
    get env() {
      return seams.scope.processes.environment()
    },
    hides: hides(asked.tool, rights),
    mayShow: (file) => mayShow(asked, file, rights, seams.decide),
    state: seams.state,
    mode: context.permissionMode,
    modeBefore: context.modeBefore,
    askPerson: seams.askPerson,
    caller: {
      context,
      call,
      budget: seams.budget,
      ask: seams.ask,
      seen: seams.seen,
      pause: seams.pause,
      worktrees: (seams.hooks ?? UNWATCHED).worktrees(stateOf(context, seams.signal)),
      refusalOf: (tool, input) => refusedCall({ tool, input, files: [], search: false }, context, seams),
      callTool: seams.callTool,
    },
    keep: (text) => seams.transcript.keep(text),
    mayReachPrivate: (host) => (rights.allow ?? []).some((rule) => namesHost(rule, host)),
    fetchSkill: seams.fetchSkill,
    sandbox: seams.sandbox && startOf(seams.sandbox, asked, rights),
  }
}
