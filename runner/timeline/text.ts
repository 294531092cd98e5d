import { count, cut, shownText } from '../faces/shown.ts'
import type { Step } from './timeline.ts'

/** The timeline for people, a line a step; of a call, what decided it stands below. */
export function timelineText(id: string, agent: string, steps: readonly Step[], columns: number): string {
  const lines = [`Run ${id}: ${shownText(agent)}`, ...steps.flatMap((step) => linesOf(step).map((line) => cut(line, columns)))]
  const total = totals(steps)
  return `${[...lines, ...(total === '' ? [] : [total])].join('\n')}\n`
}

function linesOf(step: Step): string[] {
  const { kind, at, ms, usage, usd, decision, sandboxed } = step
  const mark = {
    prompt: 'prompt',
    turn: `turn ${step.turn}`,
    summary: 'summary',
    tool: '  call',
    notice: '  note',
    resumed: 'resumed',
    end: 'end',
  }[kind]
  const cost = [usage ? `${tokens(usage)} tok` : '', usd === null || usd === undefined ? '' : `$${usd.toFixed(4)}`]
    .filter((part) => part !== '')
    .join(' ')
  const head = `${time(at).padStart(9)}  ${time(ms).padStart(8)}  ${mark.padEnd(9)} `
  const failed = step.is_error && kind === 'tool' ? ' (failed)' : ''
  const walls = sandboxed === undefined ? '' : sandboxed ? ' (in the sandbox)' : ' (no sandbox)'
  const line = `${head}${cost === '' ? '' : `[${cost}] `}${shownText(step.what).replace(/\s+/g, ' ')}${failed}${walls}`
  if (!decision) return [line]
  return [
    line,
    `${' '.repeat(head.length)}${decision.outcome}: ${shownText(decision.reason)}${decision.rule ? ` by ${shownText(decision.rule)}` : ''}`,
  ]
}

function tokens({ input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens }: NonNullable<Step['usage']>): string {
  return `${input_tokens + cache_creation_input_tokens + cache_read_input_tokens}+${output_tokens}`
}

/** Without a clock in the transcript there is nothing to say. */
function time(ms: number | null): string {
  if (ms === null) return '-'
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)}m${String(Math.floor(seconds % 60)).padStart(2, '0')}s`
}

function totals(steps: readonly Step[]): string {
  const [turns, calls] = [steps.filter(({ kind }) => kind === 'turn').length, steps.filter(({ kind }) => kind === 'tool').length]
  const summaries = steps.filter(({ kind }) => kind === 'summary').length
  const denied = steps.filter(({ decision }) => decision?.outcome === 'deny').length
  const parts = [count(turns, 'turn'), count(calls, 'call')]
  if (denied > 0) parts.push(`${denied} denied`)
  if (summaries > 0) parts.push(count(summaries, 'summary', 'summaries'))
  return parts.join(', ')
}
