import { frozen } from '../schemas/manifest.ts'
import type { ManifestAgent, ManifestHeader } from '../schemas/shapes/manifest.ts'
import type { PermissionMode, Role, SandboxMode } from '../schemas/values.ts'
import type { ContextPatch, SkillAtWork, Todo } from './context-patch.ts'
import type { ListedAgent } from './delegation/spawns.ts'
import type { PermissionDenial } from './events.ts'
import { seen, type SeenCall } from './limits/repeats.ts'
import type { RunLimits } from './limits/run-limits.ts'
import type { McpSkills } from './mcp/mcp-skill.ts'
import type { McpTools } from './mcp/mcp-tool.ts'
import type { ShownMemory } from './memory/section.ts'
import { type Message, type Reply, type RequestPrefix, textOf, type ToolResultBlock, type UserBlock, type Usage } from './message.ts'
import type { FramedSkill } from './skills/frame.ts'
import { allTokens, sumOf, type UsageByModel, withUsage } from './usage.ts'

/** What a run is made of. `manifest` is what `readManifest` gave: checked and frozen. */
export interface Start {
  header: Readonly<ManifestHeader>
  name: string
  agent: Readonly<ManifestAgent>
  prompt: string
  /** A full model id; wins over the agent's. */
  model?: string | undefined
  /** A full model id, asked when the model has used up its attempts at a turn. */
  fallbackModel?: string | undefined
  /** Wins over the agent's. */
  maxTurns?: number | undefined
  /** US dollars; a run that has spent them asks for nothing more. */
  maxBudgetUsd?: number | undefined
  /** Of the command; they win over those of the project. */
  limits?: RunLimits | undefined
  /** The answer has to be JSON of this schema. */
  outputSchema?: Readonly<Record<string, unknown>> | undefined
  /** Takes the place of the agent's, where that held a command. */
  initialPrompt?: string | undefined
  /** What skills that were called for at the start change in the run. */
  patches?: readonly ContextPatch[] | undefined
  /** Texts of the agent's `skills`, ready for the model. */
  preloaded?: readonly FramedSkill[] | undefined
  /** Wins over the agent's. */
  permissionMode?: PermissionMode | undefined
  /** Whether commands have to run in walls; wins over the manifest's, and is `auto` without either. */
  sandbox?: SandboxMode | undefined
  /** Variables that commands get although they are called like secrets. */
  passEnv?: readonly string[] | undefined
  /** Which of the agent's views is in force; `main` by default. */
  role?: Role
  /** The tools of the run's MCP servers, as they were when it began. */
  mcpTools?: McpTools
  /** The agent's notes, as they were when the run began. */
  memory?: ShownMemory
  /** The skills that the run's MCP servers offer, as they were when it began. */
  mcpSkills?: McpSkills | undefined
  /** What hooks said before the first request. */
  hookContext?: string
  /** The agents that this one may start, as the model is told of them. */
  agents?: readonly ListedAgent[]
  /** Of a fork: what it takes over from its parent, as it stands there. */
  fork?: ForkStart | undefined
  /** Of an agent that another one has started: that one's id (`main` for the run's own) and its call. */
  startedBy?: { agent: string; call: string }
}

/** The prefix of a fork's parent, the very object, and the conversation up to the fork's task. */
export interface ForkStart {
  prefix: Readonly<RequestPrefix>
  messages: readonly Message[]
}

/** The state of a run: data only, never changed, each step makes a new one. */
export interface RunContext {
  readonly header: Readonly<ManifestHeader>
  readonly name: string
  readonly agent: Readonly<ManifestAgent>
  readonly role: Role
  readonly permissionMode: PermissionMode
  /** A person has started the run in plan mode, to look around. */
  readonly looksAround?: true
  /** In plan mode that the agent entered itself: the mode to go back to. */
  readonly modeBefore?: PermissionMode | undefined
  /** The agent's list of things to do. */
  readonly todos?: readonly Todo[] | undefined
  readonly sessionId: string
  readonly startedAt: number
  readonly maxTurns: number
  readonly maxBudgetUsd?: number | undefined
  /** The same object in every request of the run, but for those that a skill with a model or an effort of its own is at work in. */
  readonly prefix: Readonly<RequestPrefix>
  /** The one to go back to when that skill has done its work. */
  readonly ownPrefix?: Readonly<RequestPrefix> | undefined
  readonly messages: readonly Message[]
  /** In a fork: the message whose last block is its own, and whose other blocks it shares with its siblings. */
  readonly sharedAt?: number | undefined
  /** Replies so far. */
  readonly turns: number
  readonly usage: Usage
  readonly modelUsage: UsageByModel
  readonly stopReason: string | null
  readonly denials: readonly PermissionDenial[]
  /** A call was denied because nobody could be asked. */
  readonly unanswered: boolean
  /** What the user or hooks say next, when there is something to tell it with: the results of the open calls, the next prompt. */
  readonly pendingPrompt?: string | undefined
  /** The last calls, for the guard against going in circles. */
  readonly recent?: readonly SeenCall[]
  /** Characters of text that the agent has written. */
  readonly outputChars?: number
  /** Tokens of the conversation up to the last reply, as the API has counted them, and how many messages that were. */
  readonly counted?: { tokens: number; messages: number } | undefined
  /** Skills whose text is in the conversation, the last called for last. */
  readonly skills?: readonly FramedSkill[] | undefined
  /** Of these, the ones that bring something, as long as they are at work. */
  readonly atWork?: readonly SkillAtWork[] | undefined
  /** Of the servers of the agent. */
  readonly mcpSkills?: McpSkills | undefined
  /** Skills that a person has called and that are still to be run in agents of their own. */
  readonly apart?: readonly FramedSkill[] | undefined
  /** The agent's `skills`, which stand in the first message. */
  readonly preloaded?: readonly FramedSkill[] | undefined
  readonly compaction?: Compaction | undefined
  /** How often the answer was asked for again because it did not fit its schema. */
  readonly repairs?: number
}

/** What is known of the compactions of a run. */
export interface Compaction {
  /** How often the conversation was summarised, and how often that came to nothing since. */
  times: number
  failures: number
  /** The first message as it was. */
  opening: readonly UserBlock[]
  /** What took the place of the old part. */
  summary: string
  /** US dollars that the run had cost then. */
  usd: number
}

/** What the calls of one reply came to: one result each, in the order of the calls, and which of them were denied. */
export interface Results {
  /** What hooks say to the model behind the results. */
  said?: string
  /** Why a hook ends the run. */
  stop?: string
  blocks: readonly ToolResultBlock[]
  denials: readonly PermissionDenial[]
  unanswered: boolean
  /** What the calls change in the run, in their order. */
  patches?: readonly ContextPatch[]
  /** Texts that calls put into the conversation behind the results. */
  messages?: readonly string[]
}

/** A reply counts as a turn even when it is empty; an empty one is not kept, because the API would refuse it in the next request. */
export function withReply(context: RunContext, reply: Reply): RunContext {
  const message: Message = { role: 'assistant', content: reply.content }
  const messages = reply.content.length > 0 ? [...context.messages, message] : context.messages
  return {
    ...context,
    turns: context.turns + 1,
    messages,
    ...used(context, reply),
    counted: { tokens: allTokens(reply.usage), messages: messages.length },
    stopReason: reply.stop_reason,
    outputChars: (context.outputChars ?? 0) + textOf(reply.content).length,
  }
}

/** The account with one more reply, be it a turn or a summary. */
export function used(context: RunContext, reply: Reply): Pick<RunContext, 'usage' | 'modelUsage'> {
  return {
    usage: sumOf(context.usage, reply.usage),
    modelUsage: withUsage(context.modelUsage, reply, context.prefix.model, context.agent.cacheTtl ?? '5m'),
  }
}

/** The results first, as the API asks, then the agent's reminder, which stands in every message of the user's side. */
export function withResults(context: RunContext, results: Results): RunContext {
  const said = (results.messages ?? []).flatMap(spoken)
  const content: UserBlock[] = [...results.blocks, ...said, ...spoken(context.pendingPrompt), ...reminder(context.agent)]
  return {
    ...(results.patches ?? []).reduce(patched, context),
    messages: [...context.messages, { role: 'user', content }],
    denials: [...context.denials, ...results.denials],
    unanswered: context.unanswered || results.unanswered,
    pendingPrompt: undefined,
    recent: context.pendingPrompt === undefined ? seenCalls(context, results.blocks) : [],
  }
}

/** A tool that is there to be polled is no part of a circle. */
function seenCalls({ messages, recent = [], header }: RunContext, blocks: readonly ToolResultBlock[]): readonly SeenCall[] {
  const calls = messages.at(-1)?.content ?? []
  return blocks.reduce((before, block) => {
    const call = calls.find((item) => item.type === 'tool_use' && item.id === block.tool_use_id)
    if (call?.type !== 'tool_use') return before
    const traits = Object.hasOwn(header.tools, call.name) ? header.tools[call.name]!.traits : undefined
    return traits?.polling ? before : seen(before, call, block, traits?.readOnly === true)
  }, recent)
}

/** The run with what a call changes in it. */
export function patched(context: RunContext, patch: ContextPatch): RunContext {
  const { permissionMode, modeBefore, todos, skill, atWork, apart } = patch
  return {
    ...context,
    ...prefixWith(context, patch),
    ...(permissionMode && { permissionMode }),
    ...(modeBefore !== undefined && { modeBefore: modeBefore ?? undefined }),
    ...(todos && { todos }),
    ...(skill && { skills: withNamed(context.skills, skill) }),
    ...(atWork && { atWork: withNamed(context.atWork, atWork) }),
    ...(apart && { apart: [...(context.apart ?? []), apart] }),
  }
}

function withNamed<T extends { name: string }>(all: readonly T[] = [], one: T): readonly T[] {
  return [...all.filter(({ name }) => name !== one.name), one]
}

function prefixWith(context: RunContext, { model, effort }: ContextPatch): Partial<RunContext> {
  if (model === undefined && effort === undefined) return {}
  const { prefix, ownPrefix = prefix } = context
  return { ownPrefix, prefix: frozen({ ...prefix, ...(model !== undefined && { model }), ...(effort && { output_config: { effort } }) }) }
}

/** The run when the work of its skills is over: a person says what comes next. Their texts stay in the conversation. */
export function withoutSkills(context: RunContext): RunContext {
  const { atWork: _, apart: _apart, ownPrefix, ...rest } = context
  return { ...rest, prefix: ownPrefix ?? rest.prefix }
}

/** The user says something more. What follows on a message of the user's side becomes a part of it. */
export function withPrompt(context: RunContext, prompt: string): RunContext {
  const last = context.messages.at(-1)
  const follows = last?.role === 'user'
  const content: UserBlock[] = follows ? [...last.content, ...spoken(prompt)] : [...spoken(prompt), ...reminder(context.agent)]
  return { ...context, recent: [], messages: [...(follows ? context.messages.slice(0, -1) : context.messages), { role: 'user', content }] }
}

export function spoken(prompt: string | undefined): UserBlock[] {
  return prompt === undefined || prompt === '' ? [] : [{ type: 'text', text: prompt }]
}

export function reminder(agent: Readonly<ManifestAgent>): UserBlock[] {
  return agent.reminder ? [{ type: 'text', text: `<system-reminder>\n${agent.reminder}\n</system-reminder>` }] : []
}

/** The answer: the last reply, with the paused ones right before it. */
export function answer(context: RunContext): string {
  const texts: string[] = []
  for (let at = context.messages.length - 1; at >= 0; at--) {
    const message = context.messages[at]!
    if (message.role !== 'assistant') break
    texts.unshift(textOf(message.content))
  }
  return texts.join('')
}

/** Everything the agent has said, for runs that end before their answer. */
export function workSoFar(context: RunContext, partial: string): string {
  const texts = context.messages.map((message) => (message.role === 'assistant' ? textOf(message.content) : ''))
  return [context.compaction?.summary ?? '', ...texts, partial].filter((text) => text.trim() !== '').join('\n\n')
}
