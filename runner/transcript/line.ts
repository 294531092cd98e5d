import type { Start } from '../context.ts'
import type { Recipe } from '../compact/recipe.ts'
import type { Environment } from '../environment.ts'
import type { CompactEvent, FallbackEvent, NoticeEvent, RetryEvent, RunResult, TerminalReason } from '../events.ts'
import type { ContextPatch } from '../context-patch.ts'
import type { CacheControl, Fault, ImageSource, Message, Reply, RequestPrefix } from '../message.ts'
import type { PaidReply } from '../usage.ts'

/** The version of the form of a transcript. */
export const TRANSCRIPT_VERSION = 1

/** What a run was started with, besides the manifest. Taken over as it is, so that a new option is in the transcript by itself. */
export type StartOptions = Omit<Start, 'header' | 'agent' | 'name'>

/** The first line: with the manifest beside it, all that the first request is made of. `manifest` is the hash of the whole manifest
 * that the run was started from, `closure` that of the part beside the transcript. */
export interface StartLine {
  kind: 'start'
  agentc_transcript: number
  session_id: string
  at: number
  agent: string
  manifest: string
  closure: string | null
  environment: Environment
  options: StartOptions
  offered: readonly string[]
}

/**
 * A request, before it is sent. Messages up to `base` are those of the request before, `tail` follows; `marks` says where the cache marks
 * stand, which move with every turn; `prefix` is there when it is not that of the request before. So the file grows with the conversation,
 * not with its square. `sha256` is the hash of the whole request in RFC 8785 form.
 */
export interface RequestLine extends RequestDelta {
  kind: 'request'
  turn: number
  sha256: string
}

export interface RequestDelta {
  prefix?: Readonly<RequestPrefix>
  base: number
  tail: readonly Message[]
  marks: readonly (readonly [message: number, block: number, mark: CacheControl])[]
}

export interface ReplyLine {
  kind: 'assistant'
  turn: number
  reply: Reply
  fallback?: SentInstead
}

/** What a model has answered to a hook, as far as it has to be paid for; no part of the conversation. */
export interface HookReplyLine extends PaidReply {
  kind: 'hook_reply'
}

export interface FaultLine {
  kind: 'fault'
  turn: number
  fault: Fault
  fallback?: SentInstead
}

/** The request went to the fallback model: what was sent is the recorded request, made over by `forModel`, and has this hash. */
export interface SentInstead {
  model: string
  sha256: string
}

/** A file as it is: the hash of its bytes, `null` if there is none. The path is relative to the working directory. */
export interface FileState {
  path: string
  hash: string | null
}

/** What a call will do to a file, known before it does. */
export interface FileEffect {
  path: string
  before: string | null
  after: string | null
}

/** Written before a call starts; `call` counts the calls of the last reply. */
export interface ToolStartLine {
  kind: 'tool_start'
  call: number
  tool_use_id: string
  name: string
  effects?: readonly FileEffect[]
}

/** How a call was decided on, and the rule that did. */
export interface Decided {
  outcome: 'allow' | 'deny'
  reason: string
  rule?: string
}

/** The result of a call as the model gets it. `repair` says that it was made by a resumed run for a call that was cut off. */
export interface ToolEndLine {
  kind: 'tool_end'
  call: number
  tool_use_id: string
  name: string
  text: string
  is_error: boolean
  denied?: true
  unanswered?: true
  decision?: Decided
  repair?: 'interrupted' | 'recognised' | 'redacted'
  files?: readonly FileState[]
  images?: readonly ImageSource[]
  patch?: ContextPatch
  /** What the call puts into the conversation behind the results. */
  messages?: readonly string[]
  /** Of a call that has run a command: whether that was in walls. */
  sandboxed?: boolean
}

export interface EventLine {
  kind: 'event'
  event: RetryEvent | FallbackEvent | NoticeEvent | CompactEvent
}

/** A resumed run begins. `max_turns` is the limit from here, counted from the very beginning. */
export interface ResumeLine {
  kind: 'resume'
  at: number
  max_turns: number
  /** Where another limit was given: US dollars of the whole run. */
  max_budget_usd?: number
  prompt?: string
  /** What hooks said. */
  hook_context?: string
  /** Of skills that the prompt calls for. */
  patches?: readonly ContextPatch[]
}

/** The conversation is compacted: the request that follows asks for the summary, and its reply takes the place of the old part. */
export interface CompactLine extends Recipe {
  kind: 'compact'
}

/** The answer did not fit its schema, and the model is asked once more. */
export interface RepairLine {
  kind: 'repair'
  prompt: string
}

/** Something has come to the agent from beside its conversation: the report of an agent in the background, or a message. */
export interface ArrivalLine {
  kind: 'arrival'
  text: string
  /** It is the report on a skill that a person has called: its name. */
  apart?: string
}

/** The person says the next thing in a conversation. `max_turns` is the limit from here, counted from the very beginning. */
export interface PromptLine {
  kind: 'prompt'
  at: number
  max_turns: number
  text: string
  /** How the work before it was over; without it there was none. */
  after?: TerminalReason
  /** What had arrived of a reply that was broken off. */
  partial?: string
  /** Of skills that the prompt calls for. */
  patches?: readonly ContextPatch[]
}

export interface EndLine {
  kind: 'end'
  at: number
  result: RunResult
}

/**
 * `redacted`: a secret was blotted out of the line, so it is not what was sent or answered to the letter. `at`: when it was written,
 * for requests, replies and calls; a run derives nothing from it.
 */
export type TranscriptLine = (
  | StartLine
  | RequestLine
  | ReplyLine
  | FaultLine
  | HookReplyLine
  | ToolStartLine
  | ToolEndLine
  | EventLine
  | ResumeLine
  | CompactLine
  | RepairLine
  | ArrivalLine
  | PromptLine
  | EndLine
) & { redacted?: true; at?: number }
