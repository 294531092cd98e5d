import type { ManifestAgent, ManifestHeader } from '../schemas/shapes/manifest.ts'
import type { PermissionMode, Role } from '../schemas/values.ts'
import type { PermissionDenial } from './events.ts'
import { type Message, type Reply, type RequestPrefix, textOf, type ToolResultBlock, type UserBlock, type Usage } from './message.ts'

/** What a run is made of. `manifest` is what `readManifest` gave: checked and frozen. */
export interface Start {
  header: Readonly<ManifestHeader>
  name: string
  agent: Readonly<ManifestAgent>
  prompt: string
  /** A full model id; wins over the agent's. */
  model?: string | undefined
  /** Wins over the agent's. */
  maxTurns?: number | undefined
  /** Which of the agent's views is in force; `main` by default. */
  role?: Role
}

/** The state of a run: data only, never changed, each step makes a new one. */
export interface RunContext {
  readonly header: Readonly<ManifestHeader>
  readonly name: string
  readonly agent: Readonly<ManifestAgent>
  readonly role: Role
  readonly permissionMode: PermissionMode
  readonly sessionId: string
  readonly startedAt: number
  readonly maxTurns: number
  /** The same object in every request of the run. */
  readonly prefix: Readonly<RequestPrefix>
  readonly messages: readonly Message[]
  /** Replies so far. */
  readonly turns: number
  readonly usage: Usage
  readonly stopReason: string | null
  readonly denials: readonly PermissionDenial[]
}

/** What the calls of one reply came to: one result each, in the order of the calls, and which of them were denied. */
export interface Results {
  blocks: readonly ToolResultBlock[]
  denials: readonly PermissionDenial[]
}

export const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

/** A reply counts as a turn even when it is empty; an empty one is not kept, because the API would refuse it in the next request. */
export function withReply(context: RunContext, reply: Reply): RunContext {
  const message: Message = { role: 'assistant', content: reply.content }
  return {
    ...context,
    turns: context.turns + 1,
    messages: reply.content.length > 0 ? [...context.messages, message] : context.messages,
    usage: sum(context.usage, reply.usage),
    stopReason: reply.stop_reason,
  }
}

/** The results first, as the API asks, then the agent's reminder, which stands in every message of the user's side. */
export function withResults(context: RunContext, results: Results): RunContext {
  const content: UserBlock[] = [...results.blocks, ...reminder(context.agent)]
  return {
    ...context,
    messages: [...context.messages, { role: 'user', content }],
    denials: [...context.denials, ...results.denials],
  }
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
  return [...texts, partial].filter((text) => text.trim() !== '').join('\n\n')
}

function sum(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  }
}
