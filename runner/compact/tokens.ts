import type { RunContext } from '../context.ts'
import type { Message, ModelRequest } from '../message.ts'
import { CHARS_PER_TOKEN } from '../usage.ts'

/** Counts the tokens of a request with the API; `undefined` where it does not answer. */
export type CountTokens = (request: ModelRequest, signal: AbortSignal) => Promise<number | undefined>

/** What the API takes a picture for, at most. */
const TOKENS_PER_IMAGE = 1600

/** About how many tokens messages are. */
export function estimate(messages: readonly Message[]): number {
  let chars = 0
  let images = 0
  for (const { content } of messages) {
    for (const block of content) {
      const pictures = block.type === 'tool_result' && typeof block.content !== 'string' ? block.content.filter(isImage) : []
      images += pictures.length
      chars += JSON.stringify(block).length - pictures.reduce((sum, picture) => sum + JSON.stringify(picture).length, 0)
    }
  }
  return Math.ceil(chars / CHARS_PER_TOKEN) + images * TOKENS_PER_IMAGE
}

/** About how many tokens the next request is: what the API counted with the last reply, and an estimate of what has come since. */
export function tokensNow({ counted, messages, prefix }: RunContext): number {
  if (counted && counted.messages <= messages.length) return counted.tokens + estimate(messages.slice(counted.messages))
  const { system = [], tools = [] } = prefix
  return Math.ceil(JSON.stringify([system, tools]).length / CHARS_PER_TOKEN) + estimate(messages)
}

function isImage(block: { type: string }): boolean {
  return block.type === 'image'
}
