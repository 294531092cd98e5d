import type { Decided, TranscriptLine } from '../transcript/line.ts'
import { collapsed, subjectOf } from '../faces/shown.ts'
import { isToolUse, type Reply, textOf, type Usage } from '../message.ts'
import { replyCost } from '../usage.ts'

/** One step of a run, as its transcript tells it. Times are milliseconds from the start of the run; `null` where none were written down. */
export interface Step {
  kind: 'prompt' | 'turn' | 'summary' | 'tool' | 'hook' | 'notice' | 'resumed' | 'end'
  at: number | null
  ms: number | null
  what: string
  /** Of a turn: its number. */
  turn?: number
  usage?: Usage
  usd?: number | null
  is_error?: boolean
  decision?: Decided
  /** Of a call: its id. */
  call?: string
  /** Of a call that has run a command: whether that was in walls. */
  sandboxed?: boolean
}

/**
 * The steps of an agent in their order, from the lines of its transcript. Of one that was cut off as far as it came.
 * Times count from `from`, without it from its own start.
 */
export function timelineOf(lines: readonly TranscriptLine[], ttl: '5m' | '1h' = '5m', from?: number): Step[] {
  const steps: Step[] = []
  const [first] = lines
  const began = from ?? (first?.kind === 'start' ? first.at : 0)
  const since = (at: number | undefined): number | null => (at === undefined ? null : at - began)
  const between = (from: number | undefined, to: number | undefined): number | null =>
    from === undefined || to === undefined ? null : to - from
  let asked: number | undefined
  let model = ''
  let turn = 0
  let summary = false
  let inputs: string[] = []
  const starts = new Map<number, number | undefined>()
  for (const line of lines) {
    if (line.kind === 'request') {
      asked = line.at
      model = line.prefix?.model ?? model
    } else if (line.kind === 'compact') summary = true
    else if (line.kind === 'assistant') {
      if (!summary) turn += 1
      const usd = replyCost(line.reply, model, ttl) ?? null
      const timing = { at: since(asked ?? line.at), ms: between(asked, line.at), usage: line.reply.usage, usd }
      steps.push(
        summary
          ? { kind: 'summary', what: 'conversation summarised', ...timing }
          : { kind: 'turn', turn, what: said(line.reply), ...timing },
      )
      if (!summary) inputs = line.reply.content.filter(isToolUse).map(({ input }) => subjectOf(input))
      summary = false
      starts.clear()
    } else if (line.kind === 'fault') {
      steps.push({ kind: 'notice', at: since(asked ?? line.at), ms: between(asked, line.at), what: line.fault.message, is_error: true })
      summary = false
    } else if (line.kind === 'tool_start') starts.set(line.call, line.at)
    else if (line.kind === 'tool_end') {
      const started = starts.get(line.call)
      const what = `${line.name} ${inputs[line.call] ?? ''}`.trimEnd()
      const { is_error, decision, sandboxed } = line
      const more = {
        call: line.tool_use_id,
        ...(is_error && { is_error }),
        ...(decision && { decision }),
        ...(sandboxed !== undefined && { sandboxed }),
      }
      steps.push({ kind: 'tool', at: since(started ?? line.at), ms: between(started, line.at), what, ...more })
    } else if (line.kind === 'event') {
      if (line.event.subtype !== 'compact_boundary') steps.push({ kind: 'notice', at: since(line.at), ms: null, what: line.event.message })
    } else if (line.kind === 'hook_reply') {
      steps.push({
        kind: 'hook',
        at: since(line.at),
        ms: null,
        what: `${line.model} judged for a hook`,
        usage: line.usage,
        usd: replyCost(line, line.asked, '5m') ?? null,
      })
    } else if (line.kind === 'repair') steps.push({ kind: 'notice', at: since(line.at), ms: null, what: line.prompt })
    else if (line.kind === 'resume') steps.push({ kind: 'resumed', at: since(line.at), ms: null, what: line.prompt ?? 'gone on with' })
    else if (line.kind === 'prompt') steps.push({ kind: 'prompt', at: since(line.at), ms: null, what: line.text })
    else if (line.kind === 'end') {
      const { terminal_reason, errors, total_cost_usd, duration_ms } = line.result
      steps.push({ kind: 'end', at: since(line.at), ms: duration_ms, what: [terminal_reason, ...errors].join(': '), usd: total_cost_usd })
    }
  }
  return steps
}

function said({ content, stop_reason }: Reply): string {
  const calls = content.filter(isToolUse).length
  const words = collapsed(textOf(content))
  return words !== '' ? words : calls > 0 ? `${calls} ${calls === 1 ? 'call' : 'calls'}` : `no text (${stop_reason})`
}
