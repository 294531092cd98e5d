import type { OpenManifest } from '../../schemas/manifest.ts'
import { patched, type RunContext, type Start, withoutSkills, withPrompt, withReply, withResults } from '../context.ts'
import { summaryRequest, withoutSummary, withSummary } from '../compact/summary.ts'
import { begin } from '../endings.ts'
import { isToolUse, type ModelRequest, toolResult } from '../message.ts'
import type { OpenReply } from '../open-reply.ts'
import { withRepair } from '../output/answer.ts'
import { withNextPrompt } from '../next-prompt.ts'
import { requestOf } from '../request.ts'
import { reported } from '../skills/apart.ts'
import type { ToolSet } from '../tools/registry.ts'
import type { Tool } from '../tools/tool.ts'
import { type UsageByModel, withPaid } from '../usage.ts'
import { rebuilt } from './delta.ts'
import type {
  CompactLine,
  EndLine,
  FaultLine,
  ReplyLine,
  RequestLine,
  ResumeLine,
  SentInstead,
  StartLine,
  ToolEndLine,
  ToolStartLine,
  TranscriptLine,
} from './line.ts'
import { DamagedTranscript, type ReadTranscript } from './read.ts'

/** A run as its manifest and transcript tell it. */
export interface History {
  start: Start
  context: RunContext
  /** Replies that the run was first allowed. */
  limit: number
  /** The last reply, if it has not been acted upon whole. */
  open: OpenReply | undefined
  /** How the run ended, if it came to its end. */
  end: EndLine | undefined
  requests: number
  /** What hooks that ask a model have cost. */
  hookUsage: UsageByModel
  /** The last request, as recorded. */
  last: ModelRequest | undefined
  /** The conversation is being compacted. */
  compacting: CompactLine | undefined
}

/** A request as it was recorded (`undefined`: its line does not follow on the one before), and as it comes out of the history again. */
export interface PastRequest {
  line: RequestLine & { redacted?: true }
  recorded: ModelRequest | undefined
  derived: ModelRequest
}

/** Who looks at what was sent, in its order. */
export interface Seen {
  request(request: PastRequest): void
  /** An outcome that came from the fallback model. */
  outcome(turn: number, sent: SentInstead, history: Pick<History, 'start' | 'last'>): void
}

/** The tools of a run are those that it was offered; whether this version still has them is asked when one is called. */
export function offeredTools(line: Pick<StartLine, 'offered'>): ToolSet {
  return (name) => (line.offered.includes(name) ? ({} as Tool) : { absent: 'it was not offered when the run began' })
}

/**
 * Goes through a transcript with the very steps of the loop, so that its end is the state the run was in. `seen` gets each request.
 * Nothing but the two files is asked: no clock, no disk, no other manifest.
 */
export function historyOf({ start: first, lines }: ReadTranscript, manifest: OpenManifest, seen?: Seen): History {
  const agent = manifest.agents.get(first.agent)
  if (!agent) throw new DamagedTranscript(`The manifest beside the transcript has no agent ${JSON.stringify(first.agent)}.`)
  const start: Start = { ...first.options, header: manifest.header, name: first.agent, agent }
  const clock = { now: () => first.at, sleep: () => Promise.resolve() }
  const seams = { tools: offeredTools(first), clock, ids: { session: () => first.session_id }, environment: first.environment }
  const { context } = begin(start, seams)
  const history: History = {
    start,
    context,
    limit: context.maxTurns,
    open: undefined,
    end: undefined,
    requests: 0,
    hookUsage: {},
    last: undefined,
    compacting: undefined,
  }
  for (const line of lines) step(history, line, seen)
  return history
}

function step(history: History, line: TranscriptLine & { redacted?: true }, seen?: Seen): void {
  if ((line.kind === 'assistant' || line.kind === 'fault') && line.fallback) seen?.outcome(line.turn, line.fallback, history)
  if (line.kind === 'request') requested(history, line, seen)
  else if (line.kind === 'compact') history.compacting = line
  else if ((line.kind === 'assistant' || line.kind === 'fault') && history.compacting) summarised(history, history.compacting, line)
  else if (line.kind === 'repair') {
    history.context = withRepair(history.context, line.prompt)
    history.open = undefined
  } else if (line.kind === 'arrival') {
    history.context = line.apart === undefined ? withPrompt(history.context, line.text) : reported(history.context, line.text, line.apart)
    history.open = undefined
  } else if (line.kind === 'prompt') {
    history.context = withNextPrompt(history.context, line)
    history.open = undefined
  } else if (line.kind === 'assistant') {
    history.context = withReply(history.context, line.reply)
    history.open = { reply: line.reply, known: { started: new Map(), ended: new Map(), redacted: line.redacted === true } }
  } else if (line.kind === 'tool_start') knownStart(history.open, line)
  else if (line.kind === 'tool_end') answered(history, line)
  else if (line.kind === 'hook_reply') history.hookUsage = withPaid(history.hookUsage, line)
  else if (line.kind === 'resume') resumed(history, line)
  else if (line.kind === 'end') history.end = line
}

function requested(history: History, line: RequestLine, seen?: Seen): void {
  // A paused reply has no calls and is gone on with by the next request.
  history.open = undefined
  const recorded = rebuilt(line, history.last)
  const { context, compacting } = history
  seen?.request({ line, recorded, derived: compacting ? summaryRequest(context, compacting) : requestOf(context) })
  history.last = recorded
  history.requests += 1
}

/** The reply to the request for a summary is no turn of the conversation. */
function summarised(history: History, recipe: CompactLine, line: ReplyLine | FaultLine): void {
  const { context } = history
  history.context = line.kind === 'assistant' ? withSummary(context, recipe, line.reply) : withoutSummary(context)
  history.compacting = undefined
}

function knownStart(open: OpenReply | undefined, line: ToolStartLine): void {
  ;(open?.known.started as Map<number, ToolStartLine> | undefined)?.set(line.call, line)
}

/** When the last of its calls is answered, the reply is done with. */
function answered(history: History, line: ToolEndLine): void {
  const { open } = history
  if (!open) return
  ;(open.known.ended as Map<number, ToolEndLine>).set(line.call, line)
  const calls = open.reply.content.filter(isToolUse)
  const ends = calls.map((_, at) => open.known.ended.get(at))
  if (ends.some((end) => end === undefined)) return
  history.open = undefined
  history.context = withResults(history.context, {
    blocks: calls.map((call, at) => toolResult(call.id, ends[at]!.text, ends[at]!.is_error, ends[at]!.images)),
    denials: calls.flatMap((call, at) => {
      const { denied, name, text } = ends[at]!
      return denied ? [{ tool_name: name, tool_use_id: call.id, tool_input: call.input, reason: text }] : []
    }),
    unanswered: ends.some((end) => end!.unanswered === true),
    patches: ends.flatMap((end) => end!.patch ?? []),
    messages: ends.flatMap((end) => end!.messages ?? []),
  })
}

function resumed(history: History, line: ResumeLine): void {
  const goesOn = goingOn(history, line)
  history.context = goesOn.context
  history.open = goesOn.open
  history.end = undefined
  history.compacting = undefined
}

/**
 * The state from which a resumed run goes on: with another limit, and with what the user and hooks say next. What hooks say is no prompt: it
 * ends neither the work of skills nor what there was to be done with a reply, and is told with what comes next.
 */
export function goingOn(history: Pick<History, 'context' | 'open'>, line: ResumeLine): Pick<History, 'context' | 'open'> {
  const maxBudgetUsd = line.max_budget_usd ?? history.context.maxBudgetUsd
  const before = { ...history.context, startedAt: line.at, maxTurns: line.max_turns, maxBudgetUsd }
  const { open } = history
  const { prompt, hook_context } = line
  if (prompt === undefined && hook_context === undefined) return { context: before, open }
  const context = prompt === undefined ? before : (line.patches ?? []).reduce(patched, withoutSkills(before))
  // Of a run that was cut off once more before anything could be told, what was said then is still to be told.
  const said = joined(context.pendingPrompt, prompt, hook_context)
  const waits = open !== undefined && (prompt === undefined || open.reply.content.some(isToolUse))
  if (waits) return { context: { ...context, pendingPrompt: said }, open }
  return { context: withPrompt({ ...context, pendingPrompt: undefined }, said), open: undefined }
}

function joined(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join('\n\n')
}
