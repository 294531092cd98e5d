import { join } from 'node:path'
import type { Hooks } from '../schemas/shapes/hook.ts'
import type { EventQueue } from './aside.ts'
import type { Past } from './begun.ts'
import type { Ids } from './clock.ts'
import type { Start } from './context.ts'
import type { NoticeEvent } from './events.ts'
import { type HookAccount, hookAccount } from './hooks/account.ts'
import { type AgentHooks, agentHooks } from './hooks/agent-hooks.ts'
import { type HookBus, NO_HOOKS } from './hooks/bus.ts'
import { reminderOf } from './hooks/calls.ts'
import type { Subject } from './hooks/occasion.ts'
import type { McpPool } from './mcp/pool.ts'
import { type Recall, remember } from './memory/remember.ts'
import { NoticeQueue } from './notice-queue.ts'
import { modeInForce } from './permission/mode.ts'
import type { Scope } from './scope.ts'
import type { FetchSkill } from './skills/far.ts'
import type { ToolSet } from './tools/registry.ts'
import type { ToolState } from './tools/state.ts'
import { addUsage } from './usage.ts'
import type { Workspace } from './workspace.ts'

/** What a run has beside its own tools: shared by all of its agents. */
export interface Extensions {
  /** Of the whole run; its agents have ids of their own. `folder` is the one that paths of transcripts count from. */
  session: { id: string; transcriptPath: string; folder: string }
  pool: McpPool
  /** The hooks that watch an agent: those of the settings, then its own. What they cost goes to its account. */
  bus(own: Hooks, subject: Subject, workspace: Workspace, account: HookAccount): HookBus
  queue: NoticeQueue
  /** What servers tell of calls that are at work. */
  events: EventQueue
}

export interface ExtendSeams {
  extensions?: Extensions | undefined
  /** Of an agent that another one has started. */
  agentId?: string | undefined
  agentTranscript?: string | undefined
  tools: ToolSet
  /** Has the text of skills that are kept elsewhere. */
  fetchSkill?: FetchSkill | undefined
  scope: Scope
  ids: Ids
  workspace: Workspace
  signal: AbortSignal
  past?: Past | undefined
  /** Where hooks were asked before the agent began. */
  hookAccount?: HookAccount | undefined
  state: ToolState
  /** Without it notes are read from the disk, and not recorded. */
  recall?: Recall | undefined
  /** A conversation may begin without a prompt. */
  person?: object | undefined
}

/** An agent with its servers and hooks, before its first request. */
export interface Extended {
  start: Start
  tools: ToolSet
  fetchSkill: FetchSkill | undefined
  workspace: Workspace
  hooks: AgentHooks
  hookAccount: HookAccount
  /** When the agent has ended: what is to be told of its notes. */
  leave: (() => Promise<readonly NoticeEvent[]>) | undefined
  queue: NoticeQueue
  past: Past | undefined
  notices: readonly NoticeEvent[]
  /** Why the agent is not run. */
  refusal: string | undefined
}

/** Reads the notes of an agent, starts its servers, and tells its hooks that it begins; what these add goes to the model with the prompt. */
export async function extend(asked: Start, seams: ExtendSeams): Promise<Extended> {
  const { extensions, scope, past } = seams
  const { start: given, workspace, notices: noted, leave } = await remember(asked, seams)
  const queue = extensions?.queue ?? new NoticeQueue()
  const attached = (await extensions?.pool.attach(given, seams.tools, scope)) ?? {
    start: given,
    tools: seams.tools,
    notices: [],
    refusal: undefined,
    fetchSkill: undefined,
  }
  const fetchSkill: FetchSkill = async (far, signal) => {
    const from = far.kind === 'mcp' ? attached.fetchSkill : seams.fetchSkill
    return (await from?.(far, signal)) ?? { refused: 'it is kept elsewhere, and nothing is fetched here' }
  }
  const subject = subjectOf(given, seams)
  const account = seams.hookAccount ?? accountOf(past)
  const bus = extensions?.bus(given.agent.hooks ?? {}, subject, seams.workspace, account) ?? NO_HOOKS
  const agentTranscript = agentTranscriptOf(seams)
  const hooks = agentHooks(bus, subject, queue.say, {
    prompts: past?.history.context.turns ?? 0,
    ...(agentTranscript !== undefined && { agentTranscript }),
  })
  const { tools, refusal } = attached
  const known = { tools, fetchSkill, workspace, hooks, hookAccount: account, leave, queue, notices: [...noted, ...attached.notices] }
  if (refusal !== undefined) return { ...known, start: attached.start, past, refusal }
  const permissionMode = modeInForce(given)
  const prompt = past ? past.prompt : given.prompt
  const opening = await hooks.begin(seams.person && prompt === '' ? undefined : prompt, past ? 'resume' : 'startup', {
    permissionMode,
    signal: seams.signal,
  })
  const said = reminderOf(opening.context)
  return {
    ...known,
    start: past || said === '' ? attached.start : { ...attached.start, hookContext: said },
    past: past && said !== '' ? { ...past, hookContext: said } : past,
    refusal: opening.refusal,
  }
}

/** Scripts change their folder, so they get it absolute, as in Claude Code. */
function agentTranscriptOf({ extensions, agentTranscript: path }: ExtendSeams): string | undefined {
  return path === undefined || path === '' || !extensions ? path : join(extensions.session.folder, path)
}

function subjectOf({ name }: Start, { ids, extensions, workspace, agentId }: ExtendSeams): Subject {
  const { id, transcriptPath } = extensions?.session ?? { id: ids.session(), transcriptPath: '' }
  return { sessionId: id, transcriptPath, cwd: workspace.cwd, agentId, agentType: name }
}

/** What the hooks of an agent cost; that of a run that goes on begins with what was used beside its conversation. */
export function accountOf(past: Past | undefined): HookAccount {
  return hookAccount(past && addUsage(past.history.hookUsage, past.below?.usage ?? {}))
}
