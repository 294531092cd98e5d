import type { Environment } from './environment.ts'
import type { ReplyBlock, StreamEvent, ToolResultBlock, Usage } from './message.ts'
import type { UsageByModel } from './usage.ts'

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
  /** Skills that the agent may call, and what a person may call by `/name`. */
  skills: readonly string[]
  slash_commands: readonly string[]
}

/** Something that the agent asks for and this version does not do. Said once, at the start. */
export interface NoticeEvent {
  type: 'system'
  subtype: 'notice'
  code: string
  message: string
}

/** The old part of the conversation was replaced by a summary. */
export interface CompactEvent {
  type: 'system'
  subtype: 'compact_boundary'
  compact_metadata: {
    trigger: 'auto' | 'manual'
    pre_tokens: number
    reason: 'tokens' | 'messages' | 'cost' | 'overflow' | 'manual'
    summarised_messages: number
    kept_messages: number
    times: number
  }
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

/** The model could not answer this turn in all its attempts; for `cooldown_ms` all turns go to another one. */
export interface FallbackEvent {
  type: 'system'
  subtype: 'model_fallback'
  from: string
  to: string
  cooldown_ms: number
  message: string
}

export type ModelEvent = { type: 'stream_event'; event: StreamEvent } | RetryEvent | FallbackEvent

export type ToolEvent =
  | { type: 'system'; subtype: 'tool_start'; tool_use_id: string; name: string; input: unknown }
  /** What a server tells of a call that is at work. */
  | {
      type: 'system'
      subtype: 'tool_progress'
      tool_use_id: string
      name: string
      progress: number
      total?: number
      message?: string
    }
  /** `sandboxed`: of a call that has run a command, whether that was in walls. */
  /** `message`: why the call was denied, as the model is told. */
  | {
      type: 'system'
      subtype: 'tool_end'
      tool_use_id: string
      name: string
      is_error: boolean
      denied: boolean
      message?: string
      sandboxed?: boolean
    }

/** In a conversation: what the person has said, as it was typed. */
export interface PromptEvent {
  type: 'system'
  subtype: 'prompt'
  prompt: string
}

/** In a conversation: the work on a prompt is over, however it ended, and the person is asked for the next. `result` is the account so far. */
export interface PromptEndEvent {
  type: 'system'
  subtype: 'prompt_end'
  result: RunResult
}

/** What the agents that a run has started are doing; the spelling is that of Claude Code's stream (measured.md, Delegation). */
export type TaskEvent =
  | {
      type: 'system'
      subtype: 'task_started'
      task_id: string
      tool_use_id: string
      description: string
      subagent_type: string
      is_backgrounded: boolean
      spawn_depth: number
      prompt: string
      model: string
      model_from: 'call' | 'definition' | 'environment' | 'parent'
      permission_mode: string
    }
  | ({
      type: 'system'
      subtype: 'task_progress'
      description: string
      subagent_type: string
      last_tool_name?: string
    } & TaskUse)
  | ({
      type: 'system'
      subtype: 'task_notification'
      status: 'completed' | 'failed' | 'killed'
      output_file: string
      summary: string
    } & TaskUse)

interface TaskUse {
  task_id: string
  tool_use_id: string
  usage: AgentUse
}

/** What one agent has used, as Claude Code tells it (measured.md). */
export interface AgentUse {
  subagent_tokens: number
  tool_uses: number
  duration_ms: number
}

/** How many agents a run has started, and what became of them. */
export interface SubagentStats {
  spawned: number
  started_in_background: number
  max_depth: number
  completed: number
  failed: number
  killed: number
}

export type RunEvent =
  | InitEvent
  | NoticeEvent
  | CompactEvent
  | ModelEvent
  | ToolEvent
  | TaskEvent
  | PromptEvent
  | PromptEndEvent
  | {
      type: 'assistant'
      message: { id: string; model: string; role: 'assistant'; content: readonly ReplyBlock[]; stop_reason: string | null; usage: Usage }
    }
  | { type: 'user'; message: { role: 'user'; content: readonly ToolResultBlock[] } }
  | RunResult

/**
 * How a run ended. Only `completed` is a success.
 * - `max_turns`, `budget_exhausted`, `max_tokens`, `context_overflow`: a limit was reached; `result` holds the work so far
 * - `token_limit`, `output_limit`, `timeout`, `idle_timeout`: so too
 * - `loop`: the model made the same calls again and again
 * - `structured_output`: the answer did not fit its schema, repairs included
 * - `background_lost`: agents in the background were still at work when the time to wait for them was over
 * - `refusal`, `empty_reply`, `unknown_stop`: the model gave no usable answer
 * - `api_error`: the API could not be used, retries included
 * - `replay_mismatch`: a replayed run asked for something else than the recorded one
 * - `hook_stopped`: a hook ended it
 * - `cannot_start`: the agent needs what this version does not have
 */
export type TerminalReason =
  | 'completed'
  | 'max_turns'
  | 'budget_exhausted'
  | 'max_tokens'
  | 'token_limit'
  | 'output_limit'
  | 'timeout'
  | 'idle_timeout'
  | 'loop'
  | 'structured_output'
  | 'context_overflow'
  | 'refusal'
  | 'empty_reply'
  | 'unknown_stop'
  | 'interrupted'
  | 'api_error'
  | 'replay_mismatch'
  | 'cannot_start'
  | 'hook_stopped'
  | 'background_lost'

export interface PermissionDenial {
  tool_name: string
  tool_use_id: string
  tool_input: unknown
  /** What the model was told: which rule denied it, and which would allow it. */
  reason: string
  /** The agent that called, where it was not that of the run. */
  agent?: string
}

/**
 * What came of the check of a result before the agent that asked for it sees it (M29). `unchecked`: it could not be made, which is not
 * the same as passed. `reason` says why not, or what was passed over because the hook says so (`onFailure: continue`).
 */
export interface HandOver {
  verdict: 'passed' | 'rejected' | 'unchecked'
  reason?: string
}

/** The last event of a run, and what `--format json` prints. */
export interface RunResult {
  type: 'result'
  subtype: 'success' | 'error_max_turns' | 'error_max_budget_usd' | 'error_max_structured_output_retries' | 'error_during_execution'
  is_error: boolean
  terminal_reason: TerminalReason
  stop_reason: string | null
  /** The model's answer; of a run that did not complete, everything it had said so far. */
  result: string
  /** Replies of the model that arrived whole. */
  num_turns: number
  /** The answer as a value, of a run that was to give one. */
  structured_output?: unknown
  duration_ms: number
  usage: Usage
  /** Of the whole tree of agents, as is `total_cost_usd`. */
  modelUsage: UsageByModel
  /** `null` if a model was used whose price is not known. */
  total_cost_usd: number | null
  /** Of an agent that another one has started: what came of the check of its result, where there is one. */
  handover?: HandOver
  permission_denials: readonly PermissionDenial[]
  /** A call was denied because nobody could be asked. */
  denied: boolean
  errors: readonly string[]
  session_id: string
  /** The name by which `agentc run --resume` goes on with the run, and where its transcript is; not there when the run is not kept. */
  run_id?: string
  run_folder?: string
  /** Of a run that has started agents. */
  subagent_stats?: SubagentStats
  /** Processes that were still at work when the run had ended, and were ended. */
  stray_processes: number
  agent: string
  model: string
}
