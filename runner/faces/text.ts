import type { CompactEvent, RunEvent, RunResult } from '../events.ts'
import type { Usage } from '../message.ts'
import { type Paint, PLAIN } from './colours.ts'
import { type Face, lacking, type Output } from './face.ts'
import { createFold } from './fold.ts'
import { count, cut, shownText, subject } from './shown.ts'
import { createStatus } from './status.ts'

export interface TextOptions {
  /** Standard output is a terminal: the model's text appears as it arrives. */
  live: boolean
  /** Standard error is a terminal too: there is a status line, which is written over. */
  status?: boolean
  columns?: number
  paint?: Paint
}

const WAITING = 'waiting for the model'

/**
 * Text for people. On a terminal the model's text appears as it arrives; into a file or a pipe goes the answer alone, once,
 * because a reply that breaks off and is asked for again cannot be taken back there. Everything about the run goes to standard error:
 * each call in a line, neighbouring reads and searches folded into one.
 */
export function textFace({ live, status: withStatus = false, columns = 80, paint = PLAIN }: TextOptions): Face {
  let column = 0
  const fold = createFold()
  const status = createStatus(withStatus, columns, paint)
  const say = (text: string): Output[] => {
    if (text === '') return []
    const output = [...folded(), ...status.hide(), { to: 'stdout' as const, text }]
    column = text.endsWith('\n') ? 0 : 1
    return output
  }
  const about = (line: string): Output[] => [
    ...(live && column > 0 ? say('\n') : []),
    ...status.hide(),
    { to: 'stderr', text: `${line}\n` },
  ]
  const folded = (): Output[] => {
    const line = fold.end()
    return line === '' ? [] : about(paint.quiet(cut(`  ${line}`, columns)))
  }
  const alone = (line: string): Output[] => [...folded(), ...about(line)]
  const waiting = (what: string): Output[] => (column > 0 ? [] : status.waiting(what))
  const running = (what: string): Output[] => (column > 0 ? [] : status.running(what))

  const told = (event: Extract<RunEvent, { type: 'system' }>): readonly Output[] => {
    if (event.subtype === 'init') {
      const head = live ? about(`${paint.agent(shownText(event.agent))} ${paint.quiet(event.model)}`) : []
      return [...head, ...lacking(event), ...waiting(WAITING)]
    }
    if (event.subtype === 'notice') return [...status.hide(), ...lacking(event)]
    if (event.subtype === 'tool_start') {
      if (fold.take(event.name, event.input)) return running(fold.line())
      const line = cut(`  ${event.name} ${subject(event.input)}`.trimEnd(), columns)
      return [...alone(paint.quiet(line)), ...running(line.trim())]
    }
    if (event.subtype === 'tool_progress') return running(progressed(event))
    if (event.subtype === 'tool_end') {
      if (event.denied) return alone(paint.bad(`  ${event.name} was denied`))
      if (!event.is_error) return []
      if (fold.line() === '') return alone(paint.bad(`  ${event.name} failed`))
      fold.failed()
      return running(fold.line())
    }
    if (event.subtype === 'compact_boundary') return [...alone(paint.quiet(`  ${compacted(event)}`)), ...waiting(WAITING)]
    if (event.subtype === 'task_started')
      return alone(paint.quiet(cut(`  started ${shownText(event.subagent_type)}: ${shownText(event.description)}`, columns)))
    if (event.subtype === 'task_progress') return running(shownText(`${event.subagent_type}: ${event.last_tool_name ?? ''}`))
    if (event.subtype === 'task_notification') return alone(paint.quiet(`  ${event.task_id} ${event.status}`))
    if (event.subtype === 'prompt') return waiting(WAITING)
    if (event.subtype === 'prompt_end') return over(event.result)
    return [...alone(`agentc: ${paint.bad(passing(event))}`), ...waiting(WAITING)]
  }

  const over = (result: RunResult): Output[] => [...folded(), ...status.hide(), ...ended(result, live, paint).flatMap(about)]

  const face = (event: RunEvent): readonly Output[] => {
    if (event.type === 'stream_event') return live ? say(shownText(deltaText(event.event))) : []
    if (event.type === 'assistant') {
      status.count(event.message.usage)
      return live && column > 0 ? say('\n') : []
    }
    if (event.type === 'user') return waiting(fold.line() || WAITING)
    if (event.type === 'system') return told(event)
    return [...folded(), ...status.hide(), ...answered(event, live, say), ...over(event)]
  }
  return Object.assign(face, { pause: () => [...folded(), ...(live && column > 0 ? say('\n') : []), ...status.hide()] })
}

function compacted({ compact_metadata: { summarised_messages, pre_tokens } }: CompactEvent): string {
  return `compacted: ${count(summarised_messages, 'message')} of about ${count(pre_tokens, 'token')} became a summary`
}

/** `db__export 3/10 writing rows`. */
function progressed({ name, progress, total, message = '' }: Extract<RunEvent, { subtype: 'tool_progress' }>): string {
  return shownText(`${name} ${progress}${total === undefined ? '' : `/${total}`} ${message}`.trimEnd())
}

/** What has gone wrong with a request, and what is done about it. */
function passing(event: Extract<RunEvent, { subtype: 'api_retry' | 'model_fallback' }>): string {
  const message = shownText(event.message)
  if (event.subtype === 'model_fallback') return `${message}; asking ${event.to} for the next ${event.cooldown_ms / 1000} s`
  return `${message}; asking again in ${event.wait_ms / 1000} s (attempt ${event.attempt + 1} of ${event.max_attempts})`
}

function deltaText(event: { type: string; [member: string]: unknown }): string {
  const delta = event.delta as { type?: string; text?: string } | undefined
  return event.type === 'content_block_delta' && delta?.type === 'text_delta' ? (delta.text ?? '') : ''
}

function answered(result: RunResult, live: boolean, say: (text: string) => Output[]): Output[] {
  if (live || result.result === '') return []
  return say(result.result.endsWith('\n') ? result.result : `${result.result}\n`)
}

function ended(result: RunResult, live: boolean, paint: Paint): string[] {
  const lines = result.errors.map((error) => `agentc: ${paint.bad(shownText(error))}`)
  const denied = result.permission_denials.map((denial) => denial.tool_name)
  if (denied.length > 0) lines.push(`agentc: denied calls: ${denied.join(', ')}`)
  return live ? [...lines, paint.quiet(account(result))] : lines
}

/** `2 turns, 3,120 tokens in, 41 out, $0.0012`. */
function account({ num_turns, usage, total_cost_usd }: RunResult): string {
  const cost = total_cost_usd === null ? '' : `, $${total_cost_usd.toFixed(4)}`
  return `${count(num_turns, 'turn')}, ${count(tokensIn(usage), 'token')} in, ${count(usage.output_tokens, '', '').trim()} out${cost}`
}

export function tokensIn(usage: Usage): number {
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
}
