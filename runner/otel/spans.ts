import type { RunEvent, RunResult } from '../events.ts'
import { promptTokens } from '../usage.ts'

/**
 * Spans by the GenAI conventions of OpenTelemetry (runner-facts A6, status Development): `invoke_agent {agent}` over everything,
 * `chat {model}` for each request, `execute_tool {tool}` for each call. Texts and inputs are in them only on demand.
 */
export interface Span {
  setAttributes(attributes: Attributes): unknown
  setStatus(status: { code: number; message?: string }): unknown
  addEvent(name: string, attributes: Attributes, at: number): unknown
  end(at: number): unknown
}

export interface Tracer {
  start(name: string, how: { kind: number; attributes: Attributes; parent: Span | undefined; at: number }): Span
}

export type Attributes = Record<string, string | number | boolean | string[]>

/** Of the enumerations of the API, which is not loaded for its numbers. */
const INTERNAL = 0
const CLIENT = 2
const ERROR = 2
const PROVIDER = { 'gen_ai.provider.name': 'anthropic' }

/** Ends of runs that were waiting for a reply, if they were not at a call. */
const UNANSWERED: ReadonlySet<string> = new Set(['api_error', 'context_overflow', 'timeout', 'idle_timeout', 'interrupted'])

/** Takes the events of a run in their order; `undefined` says that there are no more, and closes what is open. */
export function spansOf(tracer: Tracer, now: () => number, contents: boolean): (event: RunEvent | undefined) => void {
  let agent: Span | undefined
  let chat: Span | undefined
  let model = ''
  // No event tells of a request itself: it is sent after one of these, and that it was sent is known from what comes back.
  let sentAt = 0
  let asked = false
  const calls = new Map<string, Span>()
  const ask = (): void => {
    sentAt = now()
    asked = true
  }
  const startChat = (): void => {
    const attributes = { ...PROVIDER, 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model }
    chat ??= tracer.start(`chat ${model}`, { kind: CLIENT, attributes, parent: agent, at: sentAt })
  }
  const endAll = (failed: boolean): void => {
    for (const span of [...calls.values(), ...(chat ? [chat] : []), ...(agent ? [agent] : [])]) {
      if (failed) span.setStatus({ code: ERROR })
      span.end(now())
    }
    calls.clear()
    chat = agent = undefined
  }
  return (event) => {
    if (!event) return endAll(true)
    if (event.type === 'result') {
      if (asked && calls.size === 0 && UNANSWERED.has(event.terminal_reason)) startChat()
      agent?.setAttributes(ofResult(event, contents))
      // The request that was waited for when the run ended got no reply.
      for (const open of [...calls.values(), ...(chat ? [chat] : [])]) open.setStatus({ code: ERROR, message: event.terminal_reason })
      if (event.is_error) agent?.setStatus({ code: ERROR, message: event.terminal_reason })
      return endAll(false)
    }
    if (event.type === 'user') return ask()
    if (event.type === 'stream_event') return startChat()
    if (event.type === 'assistant') {
      startChat()
      chat?.setAttributes(ofReply(event.message, contents))
      chat?.end(now())
      chat = undefined
      asked = false
      return
    }
    if (event.subtype === 'init') {
      model = event.model
      ask()
      const attributes = {
        ...PROVIDER,
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': event.agent,
        'gen_ai.conversation.id': event.session_id,
        'gen_ai.request.model': model,
      }
      agent = tracer.start(`invoke_agent ${event.agent}`, { kind: INTERNAL, attributes, parent: undefined, at: sentAt })
    } else if (event.subtype === 'tool_start') {
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': event.name,
        'gen_ai.tool.call.id': event.tool_use_id,
        'gen_ai.tool.type': 'function',
        ...(contents && { 'gen_ai.tool.call.arguments': JSON.stringify(event.input) }),
      }
      calls.set(event.tool_use_id, tracer.start(`execute_tool ${event.name}`, { kind: INTERNAL, attributes, parent: agent, at: now() }))
    } else if (event.subtype === 'tool_end') {
      const span = calls.get(event.tool_use_id)
      if (event.denied) span?.setAttributes({ 'agentc.permission.denied': true })
      if (event.is_error) span?.setStatus({ code: ERROR })
      span?.end(now())
      calls.delete(event.tool_use_id)
    } else if (event.subtype === 'api_retry') {
      startChat()
      chat?.addEvent('agentc.api_retry', { attempt: event.attempt, wait_ms: event.wait_ms, status: event.status ?? 0 }, now())
    } else if (event.subtype === 'compact_boundary') {
      const { reason, pre_tokens } = event.compact_metadata
      ask()
      agent?.addEvent('agentc.compact', { reason, pre_tokens }, sentAt)
    }
  }
}

type ReplyMessage = Extract<RunEvent, { type: 'assistant' }>['message']

function ofReply({ id, model, stop_reason, usage, content }: ReplyMessage, contents: boolean): Attributes {
  return {
    'gen_ai.response.id': id,
    'gen_ai.response.model': model,
    'gen_ai.response.finish_reasons': [stop_reason ?? 'unknown'],
    'gen_ai.usage.input_tokens': promptTokens(usage),
    'gen_ai.usage.output_tokens': usage.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cache_read_input_tokens,
    'gen_ai.usage.cache_write.input_tokens': usage.cache_creation_input_tokens,
    ...(contents && { 'gen_ai.output.messages': JSON.stringify(content) }),
  }
}

function ofResult({ terminal_reason, num_turns, total_cost_usd, usage, result }: RunResult, contents: boolean): Attributes {
  return {
    'agentc.terminal_reason': terminal_reason,
    'agentc.turns': num_turns,
    ...(total_cost_usd !== null && { 'agentc.cost_usd': total_cost_usd }),
    'gen_ai.usage.input_tokens': promptTokens(usage),
    'gen_ai.usage.output_tokens': usage.output_tokens,
    ...(contents && { 'gen_ai.output.messages': result }),
  }
}
