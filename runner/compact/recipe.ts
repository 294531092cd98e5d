import type { RunContext } from '../context.ts'
import type { Message } from '../message.ts'
import type { CompactSettings } from './settings.ts'
import { estimate } from './tokens.ts'
import { thresholdOf, type Trigger } from './trigger.ts'

/**
 * All that a compaction is made of, besides the conversation and the model's reply: with it every request, that for the summary too,
 * can be derived again from a transcript.
 */
export interface Recipe {
  trigger: Trigger
  /** About how many tokens the conversation had. */
  tokens: number
  /** The messages up to here are summarised; those from here on stay. */
  cut: number
  /** In the request for the summary, results of tools are cut to so many characters. */
  clip?: number
}

/** Of the threshold, what recent messages may fill. */
const KEPT = 0.25
const KEPT_AFTER_OVERFLOW = 0.1
/** Summarising less than this part of the threshold would cost more than it gives. */
const LEAST = 0.1
/** Of results, after the API has refused the whole. */
const CLIP = 2000

/** The recipe for compacting a conversation now; `undefined` if there is nothing old enough to be summarised. */
export function recipeFor(context: RunContext, trigger: Trigger, tokens: number, settings: CompactSettings): Recipe | undefined {
  const { messages } = context
  const threshold = thresholdOf(context, settings)
  const overflow = trigger === 'overflow'
  // By the count of messages, half of them go; there the tokens say little.
  const most = trigger === 'messages' ? Math.floor((settings.messages ?? messages.length) / 2) : messages.length
  const cut = cutOf(messages, threshold * (overflow ? KEPT_AFTER_OVERFLOW : KEPT), most) ?? (overflow ? wholeOf(messages) : undefined)
  if (cut === undefined) return undefined
  if (trigger === 'tokens' && estimate(messages.slice(1, cut)) < threshold * LEAST) return undefined
  return { trigger, tokens, cut, ...(overflow && { clip: CLIP }) }
}

/**
 * Where the recent part begins: at a reply that follows a message of the user's side, so that no call is parted from its result
 * and a reply keeps its thinking. As much as fits is kept, and one reply with what follows on it in any case.
 */
function cutOf(messages: readonly Message[], tokens: number, most: number): number | undefined {
  let found: number | undefined
  let size = 0
  for (let at = messages.length - 1; at >= 3; at--) {
    size += estimate([messages[at]!])
    if (messages[at]!.role !== 'assistant' || messages[at - 1]!.role !== 'user') continue
    if (found !== undefined && (size > tokens || messages.length - at > most)) break
    found = at
  }
  return found
}

/** One exchange alone may be too long: then nothing of it is kept but its summary. */
function wholeOf(messages: readonly Message[]): number | undefined {
  return messages.length >= 3 && messages.at(-1)!.role === 'user' ? messages.length : undefined
}
