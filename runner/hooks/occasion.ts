import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import type { PermissionMode } from '../../schemas/values.ts'

/** One thing that hooks are told of: the name of the event, and its own fields as they stand in the JSON (measured.md, Hooks). */
export type Occasion =
  | { event: 'SessionStart'; source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork' }
  | { event: 'UserPromptSubmit'; prompt: string }
  | ({ event: 'PreToolUse'; effort: { level: string } } & Call)
  | { event: 'PermissionRequest'; tool_name: string; tool_input: unknown; permission_suggestions: readonly unknown[] }
  | ({ event: 'PostToolUse'; tool_response: unknown; duration_ms: number } & Call)
  | ({ event: 'PostToolUseFailure'; error: string; is_interrupt: boolean; duration_ms: number } & Call)
  | { event: 'PostToolBatch'; tool_calls: readonly (Call & { tool_response: unknown })[] }
  | { event: 'SubagentStart' }
  | ({ event: 'SubagentStop'; agent_transcript_path: string } & Stopping)
  | ({ event: 'Stop' } & Stopping)
  | { event: 'StopFailure'; error: StopError; error_details: string; last_assistant_message: string }
  | { event: 'PreCompact'; trigger: 'manual' | 'auto'; custom_instructions: string }
  | { event: 'PostCompact'; trigger: 'manual' | 'auto'; compact_summary: string }
  | { event: 'WorktreeCreate'; name: string }
  | { event: 'WorktreeRemove'; worktree_path: string }
  | { event: 'SessionEnd'; reason: 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other' }

/** Why an agent could not come to its end; matchers are compared with it (claude-code-agents.md 7.2). */
export type StopError =
  | 'rate_limit'
  | 'authentication_failed'
  | 'billing_error'
  | 'invalid_request'
  | 'server_error'
  | 'max_output_tokens'
  | 'unknown'

export type FiredEvent = Occasion['event']

export interface Call {
  tool_name: string
  tool_input: unknown
  tool_use_id: string
}

/** Members of an input that hold a path; hooks get it absolute, as in Claude Code (claude-code-agents.md 7.5). */
export const PATHS = ['file_path', 'notebook_path']

export interface Stopping {
  stop_hook_active: boolean
  last_assistant_message: string
  background_tasks: readonly unknown[]
  session_crons: readonly unknown[]
}

/** When an event happens, and to whom. */
export interface Moment {
  /** Known from the first prompt on. */
  promptId?: string | undefined
  permissionMode?: PermissionMode | undefined
  signal: AbortSignal
  /** Hooks that watch at this moment beside those that always do. */
  hooks?: readonly Hooks[] | undefined
  /** Whether a rule is about the call; the rules of permissions decide (`decide`), and what they cannot decide counts as a match. */
  isAbout?: (rule: Rule) => boolean
}

/** The result of an agent that is about to be handed over: the fields of SubagentStop, and what the judge has to know beside them. */
export type HandingOver = Extract<Occasion, { event: 'SubagentStop' }> & { agent_prompt: string; terminal_reason: string }

/** Whom the hooks are about. Of an agent that is not the main one `agentId` is known. */
export interface Subject {
  sessionId: string
  transcriptPath: string
  cwd: string
  agentId?: string | undefined
  agentType?: string | undefined
}

/** Who is told of worktrees. A hook may make one in place of git, or keep it from being made. */
export interface WorktreeHooks {
  create(name: string): Promise<{ path?: string | undefined; refused?: string | undefined }>
  remove(path: string): Promise<void>
}

/** What a hook reads from standard input, in the order of measured.md. */
export function hookInput({ event, ...fields }: Occasion, subject: Subject, { promptId, permissionMode }: Moment): Record<string, unknown> {
  const { sessionId, transcriptPath, cwd, agentId, agentType } = subject
  const prompted = event !== 'SessionStart'
  return {
    session_id: sessionId,
    transcript_path: transcriptPath,
    cwd,
    ...(prompted && promptId !== undefined && { prompt_id: promptId }),
    ...(prompted && permissionMode !== undefined && { permission_mode: permissionMode }),
    ...(agentId !== undefined && { agent_id: agentId }),
    ...(agentType !== undefined && { agent_type: agentType }),
    hook_event_name: event,
    ...fields,
  }
}

/** What matchers of an event are compared with; `undefined` where they are not looked at (claude-code-agents.md 7.2). */
export function matcherInput(occasion: Occasion, { agentType }: Subject): string | undefined {
  if ('tool_name' in occasion) return occasion.tool_name
  if (occasion.event === 'SessionStart') return occasion.source
  if (occasion.event === 'SessionEnd') return occasion.reason
  if (occasion.event === 'StopFailure') return occasion.error
  if (occasion.event === 'PreCompact' || occasion.event === 'PostCompact') return occasion.trigger
  return occasion.event === 'SubagentStart' || occasion.event === 'SubagentStop' ? (agentType ?? '') : undefined
}
