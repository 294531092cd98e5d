import type { Reply, ReplyBlock, StreamEvent, Usage } from '../message.ts'

interface Building {
  block: Record<string, unknown>
  /** The text of a tool's input, as far as it has arrived. */
  json: string
}

export interface Accumulator {
  add(event: StreamEvent): void
  /** The reply, once its last event has arrived. */
  whole(): Reply | undefined
  /** The text that has arrived so far. */
  text(): string
}

/** Puts a reply together from the events of its stream. The text of tool inputs is kept, so that a broken one costs a call and not the turn. */
export function createAccumulator(): Accumulator {
  let message: Record<string, unknown> = {}
  let usage: Record<string, unknown> = {}
  let stopped = false
  const building: Building[] = []
  const add = (event: StreamEvent): void => {
    if (event.type === 'message_start') {
      message = event.message as Record<string, unknown>
      usage = { ...(message.usage as object) }
    } else if (event.type === 'content_block_start') {
      building[event.index as number] = { block: { ...(event.content_block as object) }, json: '' }
    } else if (event.type === 'content_block_delta') {
      const at = building[event.index as number]
      if (at) grow(at, event.delta as Record<string, unknown>)
    } else if (event.type === 'message_delta') {
      message = { ...message, ...(event.delta as object) }
      for (const [key, value] of Object.entries((event.usage ?? {}) as object)) if (value !== null) usage[key] = value
    } else if (event.type === 'message_stop') stopped = true
  }
  const text = () => building.map(({ block }) => (block.type === 'text' ? (block.text as string) : '')).join('')
  return { add, text, whole: () => (stopped ? finished(message, usage, building) : undefined) }
}

function grow(at: Building, delta: Record<string, unknown>): void {
  const { block } = at
  if (delta.type === 'text_delta') block.text = `${block.text as string}${delta.text as string}`
  else if (delta.type === 'input_json_delta') at.json += delta.partial_json as string
  else if (delta.type === 'thinking_delta') block.thinking = `${block.thinking as string}${delta.thinking as string}`
  else if (delta.type === 'signature_delta') block.signature = delta.signature
  else if (delta.type === 'citations_delta') block.citations = [...((block.citations as unknown[] | null) ?? []), delta.citation]
}

function finished(message: Record<string, unknown>, usage: Record<string, unknown>, building: readonly Building[]): Reply {
  const broken: Record<string, string> = {}
  const content: ReplyBlock[] = []
  for (const { block, json } of building.filter(Boolean)) {
    // The API refuses blank text in what is sent back to it.
    if (block.type === 'text' && (block.text as string).trim() === '') continue
    if (block.type === 'tool_use' && json !== '') block.input = parsed(json) ?? ((broken[block.id as string] = json), {})
    content.push(Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null)) as unknown as ReplyBlock)
  }
  const details = message.stop_details as Record<string, unknown> | null | undefined
  return {
    type: 'reply',
    id: message.id as string,
    model: message.model as string,
    content,
    stop_reason: (message.stop_reason as string | null | undefined) ?? null,
    ...(details ? { stop_details: details } : {}),
    usage: counted(usage),
    broken,
  }
}

/** The input of a call, which the API takes back only if it is an object. */
function parsed(json: string): object | undefined {
  try {
    const input: unknown = JSON.parse(json)
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : undefined
  } catch {
    return undefined
  }
}

function counted(usage: Record<string, unknown>): Usage {
  const count = (key: keyof Usage) => (typeof usage[key] === 'number' ? usage[key] : 0)
  return {
    input_tokens: count('input_tokens'),
    output_tokens: count('output_tokens'),
    cache_creation_input_tokens: count('cache_creation_input_tokens'),
    cache_read_input_tokens: count('cache_read_input_tokens'),
  }
}
