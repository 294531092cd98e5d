import { count, cut, shownText } from '../faces/shown.ts'
import { promptTokens } from '../usage.ts'
import type { Step } from './timeline.ts'
import type { AgentRun } from './tree.ts'

/** The timeline for people, a line a step. Below a call stands what decided it, and the agents that it has started, each with its steps. */
export function timelineText(id: string, run: AgentRun, columns: number): string {
  const lines = [`Run ${id}: ${shownText(run.agent)}`, ...runLines(run, '').map((line) => cut(line, columns))]
  const total = totals(run)
  return `${[...lines, ...(total === '' ? [] : [total])].join('\n')}\n`
}

/** Every depth is set off by a line down to where the agent's steps end. */
function runLines({ steps, started }: AgentRun, before: string): string[] {
  return steps.flatMap((step) => [
    ...linesOf(step, before),
    ...started
      .filter(({ by }) => by === step.call)
      .flatMap((child) => [
        `${' '.repeat(HEAD)}${before}${shownText(child.agent)} (${child.id})${child.background ? ', in the background' : ''}`,
        ...runLines(child, `${before}│ `),
      ]),
  ])
}

/** Characters before what a line says: two times and a mark. */
const HEAD = 31

function linesOf(step: Step, before: string): string[] {
  const { kind, at, ms, usage, usd, decision, sandboxed } = step
  const mark = {
    prompt: 'prompt',
    turn: `turn ${step.turn}`,
    summary: 'summary',
    tool: '  call',
    hook: '  hook',
    notice: '  note',
    resumed: 'resumed',
    end: 'end',
  }[kind]
  const cost = [usage ? `${tokens(usage)} tok` : '', usd === null || usd === undefined ? '' : `$${usd.toFixed(4)}`]
    .filter((part) => part !== '')
    .join(' ')
  const head = `${time(at).padStart(9)}  ${time(ms).padStart(8)}  ${mark.padEnd(9)} ${before}`
  const failed = step.is_error && kind === 'tool' ? ' (failed)' : ''
  const walls = sandboxed === undefined ? '' : sandboxed ? ' (in the sandbox)' : ' (no sandbox)'
  const line = `${head}${cost === '' ? '' : `[${cost}] `}${shownText(step.what).replace(/\s+/g, ' ')}${failed}${walls}`
  if (!decision) return [line]
  return [
    line,
    `${' '.repeat(HEAD)}${before}${decision.outcome}: ${shownText(decision.reason)}${decision.rule && !decision.reason.includes(decision.rule) ? ` by ${shownText(decision.rule)}` : ''}`,
  ]
}

function tokens(usage: NonNullable<Step['usage']>): string {
  return `${promptTokens(usage)}+${usage.output_tokens}`
}

/** Without a clock in the transcript there is nothing to say. */
function time(ms: number | null): string {
  if (ms === null) return '-'
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)}m${String(Math.floor(seconds % 60)).padStart(2, '0')}s`
}

function totals(run: AgentRun): string {
  const steps = allSteps(run)
  const [turns, calls] = [steps.filter(({ kind }) => kind === 'turn').length, steps.filter(({ kind }) => kind === 'tool').length]
  const summaries = steps.filter(({ kind }) => kind === 'summary').length
  const agents = countBelow(run)
  const denied = steps.filter(({ decision }) => decision?.outcome === 'deny').length
  const parts = [count(turns, 'turn'), count(calls, 'call')]
  if (denied > 0) parts.push(`${denied} denied`)
  if (agents > 0) parts.push(count(agents, 'agent below', 'agents below'))
  if (summaries > 0) parts.push(count(summaries, 'summary', 'summaries'))
  return parts.join(', ')
}

function allSteps({ steps, started }: AgentRun): Step[] {
  return [...steps, ...started.flatMap(allSteps)]
}

function countBelow({ started }: AgentRun): number {
  return started.reduce((sum, child) => sum + 1 + countBelow(child), 0)
}
