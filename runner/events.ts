import type { Environment } from './environment.ts'
import type { ReplyBlock, StreamEvent, ToolResultBlock, Usage } from './message.ts'

/** The first event of a run: what was sent out to work, and what it goes without. */
export interface InitEvent {
  type: 'system'
  subtype: 'init'
  session_id: string
  agent: string
  model: string
  permission_mode: string
  max_turns: number
  environment: Environment
  tools: readonly string[]
  /** Tools of the agent's view that this version does not run; they are not offered to the model. */
  unavailable_tools: readonly { name: string; reason: string }[]
}

/** Something that the agent asks for and this version does not do. Said once, at the start. */
export interface NoticeEvent {
  type: 'system'
  subtype: 'notice'
  code: string
  message: string
}

/** A request failed in a way that may pass; it is sent again after `wait_ms`. What was streamed of the failed reply is void. */
export interface RetryEvent {
  type: 'system'
  subtype: 'api_retry'
  attempt: number
  max_attempts: number
  wait_ms: number
  status: number | null
  message: string
}

export type ModelEvent = { type: 'stream_event'; event: StreamEvent } | RetryEvent

export type ToolEvent =
  | { type: 'system'; subtype: 'tool_start'; tool_use_id: string; name: string; input: unknown }
  | { type: 'system'; subtype: 'tool_end'; tool_use_id: string; name: string; is_error: boolean; denied: boolean }

export type RunEvent =
  | InitEvent
  | NoticeEvent
  | ModelEvent
  | ToolEvent
  | {
      type: 'assistant'
      message: { id: string; model: string; role: 'assistant'; content: readonly ReplyBlock[]; stop_reason: string | null }
    }
  | { type: 'user'; message: { role: 'user'; content: readonly ToolResultBlock[] } }
  | RunResult

/**
 * How a run ended. Only `completed` is a success.
 * - `max_turns`, `max_tokens`, `context_overflow`: a limit was reached; `result` holds the work so far
 * - `refusal`, `empty_reply`, `unknown_stop`: the model gave no usable answer
 * - `api_error`: the API could not be used, retries included
 * - `replay_mismatch`: a replayed run asked for something else than the recorded one
 * - `cannot_start`: the agent needs what this version does not have
 */
export type TerminalReason =
  | 'completed'
  | 'max_turns'
  | 'max_tokens'
  | 'context_overflow'
  | 'refusal'
  | 'empty_reply'
  | 'unknown_stop'
  | 'interrupted'
  | 'api_error'
  | 'replay_mismatch'
  | 'cannot_start'

export interface PermissionDenial {
  tool_name: string
  tool_use_id: string
  tool_input: unknown
}

/** The last event of a run, and what `--format json` prints. */
export interface RunResult {
  type: 'result'
  subtype: 'success' | 'error_max_turns' | 'error_during_execution'
  is_error: boolean
  terminal_reason: TerminalReason
  stop_reason: string | null
  /** The model's answer; of a run that did not complete, everything it had said so far. */
  result: string
  /** Replies of the model that arrived whole. */
  num_turns: number
  duration_ms: number
  usage: Usage
  permission_denials: readonly PermissionDenial[]
  errors: readonly string[]
  session_id: string
  agent: string
  model: string
}
