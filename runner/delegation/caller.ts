import type { RunContext } from '../context.ts'
import type { WorktreeHooks } from '../hooks/occasion.ts'
import type { Budget } from '../limits/budget.ts'
import type { Ask } from '../permission/decide.ts'

/** What a tool that starts agents needs to know of the one that calls it. */
export interface Caller {
  context: RunContext
  /** The id of the call. */
  call: string
  /** What the caller and all it starts may use up together. */
  budget?: Budget | undefined
  /** Asks the person of the caller; meanwhile the caller is not idle. */
  ask: Ask
  /** Why the rules, or the person they ask, do not allow a call of another tool; `undefined` if they do. The call is not made. */
  refusalOf?: ((tool: string, input: Readonly<Record<string, unknown>>) => Promise<Refused | undefined>) | undefined
  /** Calls another tool beside the conversation, under the rights of a context: hooks, rules and questions as for any call. */
  callTool?: CallTool | undefined
  /** Who is told of the worktrees of agents that the caller starts. */
  worktrees: WorktreeHooks
  /** A sign of life of what the caller has started. */
  seen?: (() => void) | undefined
  /** What the caller has started is at work, and is watched itself: until the end of that, the caller is not idle. */
  pause?: (() => () => void) | undefined
}

export interface Refused {
  reason: string
  denied: 'denied' | 'unanswered'
}

/** What a call beside the conversation came to. */
export interface CalledAside {
  text: string
  isError: boolean
  /** By a rule, or because nobody could be asked. */
  denied?: 'denied' | 'unanswered'
}

export type CallTool = (name: string, input: Readonly<Record<string, unknown>>, context: RunContext) => Promise<CalledAside>
