/**
 * The part of the Messages API that the runner speaks, as plain types, so that nothing but the live client needs the SDK.
 * Members that the runner does not look at are kept as they came.
 */
export interface CacheControl {
  type: 'ephemeral'
  ttl?: '5m' | '1h'
}

export interface TextBlock {
  type: 'text'
  text: string
  cache_control?: CacheControl
}

export interface ThinkingBlock {
  type: 'thinking'
  thinking: string
  signature: string
}

export interface ToolUseBlock {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
}

/** Blocks that only the API understands: they go back to it unchanged. */
export interface OpaqueBlock {
  type: 'redacted_thinking' | 'server_tool_use' | 'web_search_tool_result' | 'web_fetch_tool_result' | 'container_upload'
  [member: string]: unknown
}

/** A picture, as the API takes it. */
export interface ImageSource {
  type: 'base64'
  media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  data: string
}

export interface ImageBlock {
  type: 'image'
  source: ImageSource
}

export interface ToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content: string | readonly (TextBlock | ImageBlock)[]
  is_error?: true
  cache_control?: CacheControl
}

export type ReplyBlock = TextBlock | ThinkingBlock | ToolUseBlock | OpaqueBlock
export type UserBlock = TextBlock | ToolResultBlock
export type Message = { role: 'user'; content: readonly UserBlock[] } | { role: 'assistant'; content: readonly ReplyBlock[] }

export interface RequestTool {
  name: string
  description: string
  input_schema: Readonly<Record<string, unknown>>
}

/** What stays the same in every request of a run, byte for byte, so that the prompt cache can be used. */
export interface RequestPrefix {
  model: string
  max_tokens: number
  system?: readonly TextBlock[]
  tools?: readonly RequestTool[]
  output_config?: { effort: 'low' | 'medium' | 'high' | 'xhigh' | 'max' }
}

export interface ModelRequest extends RequestPrefix {
  messages: readonly Message[]
}

export interface Usage {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
}

/** One whole answer of the model. */
export interface Reply {
  type: 'reply'
  id: string
  model: string
  content: readonly ReplyBlock[]
  stop_reason: string | null
  stop_details?: Readonly<Record<string, unknown>>
  usage: Usage
  /** By the id of a tool call: the text of its input, where that text is not a JSON object. The block's own input is then `{}`. */
  broken: Readonly<Record<string, string>>
  asked?: AskedInstead
}

/** Why there is no reply. `transient`: the same request may work later; `interrupted`: the run's signal was aborted. */
export interface Fault {
  type: 'fault'
  kind: 'transient' | 'fatal' | 'overflow' | 'interrupted' | 'mismatch'
  message: string
  status?: number
  retryAfterMs?: number
  /** The text that had arrived before the fault. */
  partial: string
  asked?: AskedInstead
}

/** The fallback model that was asked in place of the request's own. */
export type AskedInstead = string

export type Outcome = Reply | Fault

/** An event of the API's stream, passed on as it came. */
export interface StreamEvent {
  type: string
  [member: string]: unknown
}

/** The one result of a call. */
export function toolResult(id: string, text: string, isError: boolean, images: readonly ImageSource[] = []): ToolResultBlock {
  const pictures = images.map((source): ImageBlock => ({ type: 'image', source }))
  const content = pictures.length > 0 ? [{ type: 'text' as const, text }, ...pictures] : text
  return { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true as const } : {}) }
}

/** The text of a result, without pictures. */
export function resultText({ content }: ToolResultBlock): string {
  return typeof content === 'string' ? content : content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

/** The text of a reply, without thinking and calls. */
export function textOf(content: readonly ReplyBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

export function isToolUse(block: ReplyBlock): block is ToolUseBlock {
  return block.type === 'tool_use'
}
