import type { ForkStart, RunContext } from '../context.ts'
import { isToolUse, toolResult, type UserBlock } from '../message.ts'

/** The same for every fork of one reply, so that all of them share the prompt cache up to here. */
const PLACEHOLDER = 'This call was handed to a fork of this conversation.'

/**
 * The conversation of a fork: that of its parent, every call of the last reply answered by the same words, and what the fork is to do as
 * the last text (M28, measured.md). Nothing of what belongs to one fork alone stands before that text.
 */
export function forkOf({ prefix, messages }: RunContext, directive: string): ForkStart {
  const last = messages.at(-1)
  const calls = last?.role === 'assistant' ? last.content.filter(isToolUse) : []
  const results = calls.map((call) => toolResult(call.id, PLACEHOLDER, false))
  const text = `You are a fork: you carry on this conversation for one task of your own, and your last words are the report. Task:\n${directive}`
  const content: UserBlock[] = [...results, { type: 'text', text }]
  return { prefix, messages: [...messages, { role: 'user', content }] }
}
