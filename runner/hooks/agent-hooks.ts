import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { PermissionMode } from '../../schemas/values.ts'
import type { HandOver } from '../events.ts'
import type { Say } from '../notice-queue.ts'
import type { ToolOutput } from '../tools/tool.ts'
import { uuidOf } from '../uuid.ts'
import { type HookBus, NO_HOOKS } from './bus.ts'
import { afterBatch, afterCall, beforeCall, type Heard, reminderOf, type HookedCall, type HookVerdict, throughHooks } from './calls.ts'
import { NOTHING, type Outcome } from './merge.ts'
import type { Moment, Subject, WorktreeHooks } from './occasion.ts'
import type { Failed } from './failed.ts'
import { type StopAnswer, stopGate } from './stop.ts'

/** What a run is like when something happens in it. */
export interface State {
  permissionMode: PermissionMode
  effort?: string | undefined
  /** Of the skills that are at work. */
  hooks?: readonly Hooks[] | undefined
  signal: AbortSignal
}

type Ask<Asked, Rest extends readonly unknown[], Answer> = (
  asked: Asked,
  reason: string,
  signal: AbortSignal,
  ...rest: Rest
) => Promise<Answer>

/** Texts for the model before it is asked first, or why it is not asked at all. */
export interface Opening {
  context: readonly string[]
  refusal?: string
}

/** The hooks of one agent, as its loop calls them. The order of events is that of measured.md. */
export interface AgentHooks {
  /** SessionStart and, with a prompt, UserPromptSubmit; SubagentStart for an agent that another one has started. */
  begin(prompt: string | undefined, source: 'startup' | 'resume', state: State): Promise<Opening>
  /** UserPromptSubmit, for a further prompt of a conversation after so many turns. */
  prompted(prompt: string, turns: number, state: State): Promise<Opening>
  before(call: HookedCall, isAbout: Moment['isAbout'], state: State): Promise<Outcome>
  after(
    call: HookedCall,
    output: ToolOutput,
    taken: { ms: number; before?: Outcome | undefined; isAbout?: Moment['isAbout'] },
    state: State,
  ): Promise<Heard>
  batch(calls: readonly { call: HookedCall; output: ToolOutput }[], state: State): Promise<Outcome>
  /** `ask`, but the hooks of PermissionRequest may answer first. */
  asking<Asked extends { tool: string; input: unknown }, Rest extends readonly unknown[], Answer>(
    ask: Ask<Asked, Rest, Answer>,
    isAbout: Moment['isAbout'],
    state: State,
  ): Ask<Asked, Rest, Answer | HookVerdict>
  /** PreCompact: why the conversation is not to be compacted, if hooks say so. */
  compacting(trigger: 'manual' | 'auto', state: State): Promise<string | undefined>
  /** SessionStart (of a main agent, whose conversation begins anew) and PostCompact; what they say is for the model. */
  compacted(trigger: 'manual' | 'auto', summary: string, state: State): Promise<string>
  mayStop(lastMessage: string, state: State): Promise<StopAnswer>
  /** WorktreeCreate and WorktreeRemove, for a worktree that this agent, or one that it starts, is to work in. */
  worktrees(state: State): WorktreeHooks
  /** StopFailure, for a piece of work of a conversation that goes on. */
  failed(failed: Failed, state: State): Promise<void>
  /** The check of a result before the agent above sees it; `undefined` if there is none, or nobody above. `unable`: why it cannot be made. */
  handOver(result: string, terminalReason: string, state: State, unable: () => string | undefined): Promise<HandOver | undefined>
  /**
   * StopFailure, if the agent could not come to its end, and SessionEnd, of which there is none for an agent that another one has started.
   * An interruption does not keep them from being told.
   */
  end(state: State, failed: Failed | undefined): Promise<void>
}

/** `agentTranscript` is the transcript of an agent that another one has started. `prompts` counts those before this one, of a run that goes on. */
export function agentHooks(
  bus: HookBus,
  subject: Subject,
  say: Say,
  options: { agentTranscript?: string; prompts?: number } = {},
): AgentHooks {
  const { cwd, sessionId, agentId } = subject
  const isSub = agentId !== undefined
  const gate = stopGate(bus, say, isSub ? (options.agentTranscript ?? '') : undefined)
  const idAfter = (turns: number): string => uuidOf(`${sessionId}\nprompt ${turns}`)
  let promptId = idAfter(options.prompts ?? 0)
  const at = ({ permissionMode, signal, hooks }: State, isAbout?: Moment['isAbout']): Moment => ({
    promptId,
    permissionMode,
    signal,
    ...(hooks && { hooks }),
    ...(isAbout && { isAbout }),
  })
  let task = ''
  return {
    async begin(prompt, source, state) {
      task = prompt ?? ''
      if (isSub) return { context: (await bus.fire({ event: 'SubagentStart' }, at(state))).context }
      const session = await bus.fire({ event: 'SessionStart', source }, at(state))
      const asked = prompt === undefined ? NOTHING : await bus.fire({ event: 'UserPromptSubmit', prompt }, at(state))
      return opening([...session.context, ...asked.context], session.stop ?? asked.stop ?? asked.block)
    },
    async prompted(prompt, turns, state) {
      promptId = idAfter(turns)
      const { context, stop, block } = await bus.fire({ event: 'UserPromptSubmit', prompt }, at(state))
      return opening(context, stop ?? block)
    },
    before: (call, isAbout, state) => beforeCall(bus, call, cwd, state.effort, at(state, isAbout)),
    after: (call, output, { ms, before, isAbout }, state) =>
      afterCall(bus, call, output, { ms, interrupted: state.signal.aborted, cwd, ...(before && { before }) }, at(state, isAbout)),
    batch: (calls, state) => afterBatch(bus, calls, cwd, at(state)),
    asking: (ask, isAbout, state) => throughHooks(ask, bus, () => at(state, isAbout)),
    async compacting(trigger, state) {
      const heard = await bus.fire({ event: 'PreCompact', trigger, custom_instructions: '' }, at(state))
      return heard.stop ?? heard.block
    },
    async compacted(trigger, compact_summary, state) {
      const begun = isSub ? NOTHING : await bus.fire({ event: 'SessionStart', source: 'compact' }, at(state))
      await bus.fire({ event: 'PostCompact', trigger, compact_summary }, at(state))
      return reminderOf(begun.context)
    },
    async handOver(last_assistant_message, terminal_reason, state, unable) {
      if (!isSub) return undefined
      const agent_transcript_path = options.agentTranscript ?? ''
      const stopping = { stop_hook_active: false, agent_transcript_path, last_assistant_message, background_tasks: [], session_crons: [] }
      return bus.check({ event: 'SubagentStop', ...stopping, agent_prompt: task, terminal_reason }, at(state), unable)
    },
    mayStop: (lastMessage, state) => gate.ask(lastMessage, at(state)),
    worktrees: (state) => ({
      async create(name) {
        const { worktree: path, stop, block } = await bus.fire({ event: 'WorktreeCreate', name }, at(state))
        return { path, refused: stop ?? block }
      },
      async remove(path) {
        // An interruption does not keep them from being told.
        const signal = state.signal.aborted ? new AbortController().signal : state.signal
        await bus.fire({ event: 'WorktreeRemove', worktree_path: path }, at({ ...state, signal }))
      },
    }),
    async failed(failed, state) {
      await bus.fire({ event: 'StopFailure', ...failed }, at(state))
    },
    async end(state, failed) {
      const moment = at({ ...state, signal: new AbortController().signal })
      if (failed) await bus.fire({ event: 'StopFailure', ...failed }, moment)
      if (!isSub) await bus.fire({ event: 'SessionEnd', reason: 'other' }, moment)
    },
  }
}

function opening(context: readonly string[], refusal: string | undefined): Opening {
  return { context, ...(refusal !== undefined && { refusal: `a hook refuses the prompt: ${refusal}` }) }
}

/** Of an agent that no hook watches. */
export const UNWATCHED: AgentHooks = agentHooks(NO_HOOKS, { sessionId: '', transcriptPath: '', cwd: '' }, () => undefined)
