import type { CompactEvent, RunEvent, RunResult, TaskEvent } from '../events.ts'
import { promptTokens } from '../usage.ts'
import { appendingPage } from './appending-page.ts'
import { type Paint, PLAIN } from './colours.ts'
import { type Face, lacking, type Output } from './face.ts'
import { livingPage } from './living-page.ts'
import type { Page } from './page.ts'
import type { AgentAtWork } from './steps.ts'
import { count, oneLine, shownText } from './shown.ts'
import { createStatus } from './status.ts'

export interface TextOptions {
  /** Standard output is a terminal: the model's text appears as it arrives. */
  live: boolean
  /** Standard error is a terminal too, and can go back in its lines: what is said about the run is written over. */
  status?: boolean
  columns?: number
  rows?: number
  paint?: Paint
  /** The marks of another agent's name. */
  paintOf?: (agent: string) => Paint['agent']
  ttl?: '5m' | '1h'
  /** A conversation: the model is not asked before the person has said something. */
  interactive?: boolean
}

const WAITING = 'waiting for the model'

type SystemEvent = Extract<RunEvent, { type: 'system' }>

/** Text for people: what the model says, and beside it what the run is doing. */
export function textFace(options: TextOptions): Face {
  const { live, status: living = false, paint = PLAIN, paintOf = () => PLAIN.agent, interactive = false } = options
  const status = createStatus(options.ttl ?? '5m')
  const surface = {
    live,
    paint,
    paintOf,
    get columns() {
      return options.columns ?? 80
    },
    get rows() {
      return options.rows ?? 24
    },
  }
  const page = living ? livingPage(surface, status) : appendingPage(surface)
  // In a conversation the terminal has shown what was typed.
  const told = teller(page, { live, echo: !interactive, paint })
  let denials = 0
  let model = ''
  /** The end of a run, or of the work on a prompt. */
  const over = (result: RunResult): Output[] => {
    const denied = result.permission_denials.slice(denials)
    denials = result.permission_denials.length
    return [...page.rest(), ...endLines(result, denied, live, paint).flatMap((line) => page.line(line, 'plain'))]
  }
  const face = (event: RunEvent): readonly Output[] => {
    if (event.type === 'stream_event') return live ? page.text(shownText(deltaText(event.event))) : []
    if (event.type === 'assistant') {
      status.count(event.message, model)
      return live ? page.endText() : []
    }
    if (event.type === 'user') return page.status(WAITING, 'wait')
    if (event.type === 'result') return [...page.rest(), ...answered(event, live), ...over(event)]
    if (event.subtype === 'init') model = event.model
    if (event.subtype === 'init') return [...told(event), ...(interactive ? [] : page.status(WAITING, 'wait'))]
    return event.subtype === 'prompt_end' ? over(event.result) : told(event)
  }
  return Object.assign(face, { pause: page.rest, draft: page.draft })
}

/** What is said of the events about a run, all but its end. */
function teller(
  page: Page,
  { live, echo, paint }: { live: boolean; echo: boolean; paint: Paint },
): (event: Exclude<SystemEvent, { subtype: 'prompt_end' }>) => readonly Output[] {
  const agents = new Map<string, AgentAtWork>()
  return (event) => {
    switch (event.subtype) {
      case 'init':
        return [...(live ? page.line(`${paint.agent(oneLine(event.agent))} ${paint.quiet(event.model)}`, 'plain') : []), ...lacking(event)]
      case 'notice':
        return [...page.rest(), ...lacking(event)]
      case 'tool_start':
        return page.started({ id: event.tool_use_id, name: event.name, input: event.input })
      case 'tool_progress':
        return page.status(progressed(event))
      case 'tool_end':
        return page.ended({ id: event.tool_use_id, name: event.name }, event.denied ? 'denied' : event.is_error ? 'failed' : 'done')
      case 'compact_boundary':
        return [...page.line(`  ${compacted(event)}`), ...page.status(WAITING, 'wait')]
      case 'task_started':
        agents.set(event.task_id, { type: event.subagent_type, description: event.description })
        return page.agent(event.tool_use_id, agents.get(event.task_id)!)
      case 'task_progress':
        return [
          ...page.agentUsed(event.tool_use_id, event.usage.tool_uses, event.usage.subagent_tokens),
          ...page.status(oneLine(`${event.subagent_type}: ${event.last_tool_name ?? ''}`)),
        ]
      case 'task_notification':
        return page.agentLine(agents.get(event.task_id) ?? { type: event.task_id, description: '' }, `${event.status}${used(event)}`)
      case 'prompt':
        return [...(echo ? page.line(`> ${shownText(event.prompt)}`, 'plain') : []), ...page.status(WAITING, 'wait')]
      default:
        return [...page.line(`agentc: ${paint.bad(passing(event))}`, 'plain'), ...page.status(WAITING, 'wait')]
    }
  }
}

function used({ usage: { tool_uses, subagent_tokens } }: Extract<TaskEvent, { subtype: 'task_notification' }>): string {
  return ` (${count(tool_uses, 'call')}, ${count(subagent_tokens, 'token')})`
}

function compacted({ compact_metadata: { summarised_messages, pre_tokens } }: CompactEvent): string {
  return `compacted: ${count(summarised_messages, 'message')} of about ${count(pre_tokens, 'token')} became a summary`
}

/** `db__export 3/10 writing rows`. */
function progressed({ name, progress, total, message = '' }: Extract<RunEvent, { subtype: 'tool_progress' }>): string {
  return oneLine(`${name} ${progress}${total === undefined ? '' : `/${total}`} ${message}`)
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

function answered(result: RunResult, live: boolean): Output[] {
  if (live || result.result === '') return []
  return [{ to: 'stdout', text: result.result.endsWith('\n') ? result.result : `${result.result}\n` }]
}

/** What went wrong, and on a terminal the account. A person who has interrupted the work knows why it stopped. */
function endLines(result: RunResult, denied: RunResult['permission_denials'], live: boolean, paint: Paint): string[] {
  const lines = result.errors.map((error) => `agentc: ${paint.bad(shownText(error))}`)
  if (denied.length > 0) lines.push(`agentc: denied calls: ${denied.map((denial) => denial.tool_name).join(', ')}`)
  return live ? [...lines, paint.quiet(account(result))] : lines
}

/** `2 turns, 3,120 tokens in, 41 out, $0.0012`. */
function account({ num_turns, usage, total_cost_usd }: RunResult): string {
  const cost = total_cost_usd === null ? '' : `, $${total_cost_usd.toFixed(4)}`
  return `${count(num_turns, 'turn')}, ${count(promptTokens(usage), 'token')} in, ${count(usage.output_tokens, '', '').trim()} out${cost}`
}
