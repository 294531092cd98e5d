import type { ManifestAgent } from '../schemas/shapes/manifest.ts'
import { patched, reminder, type RunContext, spoken, withoutSkills } from './context.ts'
import type { ContextPatch } from './context-patch.ts'
import type { Message, ReplyBlock, UserBlock } from './message.ts'

/** What the model is told of work that the person has interrupted. */
export const INTERRUPTED = '[Request interrupted by user]'

/** What a person says next in a conversation. */
interface NextPrompt {
  max_turns: number
  text: string
  after?: string
  partial?: string
  patches?: readonly ContextPatch[]
}

/**
 * The next prompt of a conversation. What had arrived of a reply that was broken off stands before it, as the person has read it.
 * The agent's reminder stays last.
 */
export function withNextPrompt(context: RunContext, { max_turns, text, after, partial, patches = [] }: NextPrompt): RunContext {
  const messages = partial === undefined ? context.messages : withPartial(context.messages, partial)
  const last = messages.at(-1)
  const follows = last?.role === 'user'
  const before = follows ? withoutReminder(last.content, context.agent) : []
  const said = after === 'interrupted' ? [...spoken(INTERRUPTED), ...spoken(text)] : spoken(text)
  const content: UserBlock[] = [...before, ...spoken(context.pendingPrompt), ...said, ...reminder(context.agent)]
  return {
    ...patches.reduce(patched, withoutSkills(context)),
    recent: [],
    pendingPrompt: undefined,
    maxTurns: max_turns,
    messages: [...(follows ? messages.slice(0, -1) : messages), { role: 'user', content }],
  }
}

/** A reply that goes on with a paused one is a part of that. */
function withPartial(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1)
  const follows = last?.role === 'assistant'
  const content: ReplyBlock[] = [...(follows ? last.content : []), { type: 'text', text }]
  return [...(follows ? messages.slice(0, -1) : messages), { role: 'assistant', content }]
}

function withoutReminder(content: readonly UserBlock[], agent: Readonly<ManifestAgent>): readonly UserBlock[] {
  const [own] = reminder(agent)
  const last = content.at(-1)
  return own?.type === 'text' && last?.type === 'text' && last.text === own.text ? content.slice(0, -1) : content
}
