import type { DiffReport } from '../../schemas/shapes/output.ts'
import { data, property } from '../report/github.ts'
import { printable, type Style } from '../report/style.ts'
import type { Change } from './change.ts'
import { changeLine } from './text.ts'

/** The report of `diff --format json`; its shape is `schemas/diff.schema.json`, and the other formats are made from it. */
export function diffReport(old: string, now: string, changes: Change[], leftOut: DiffReport['leftOut']): DiffReport {
  const gains = changes.filter(({ gain }) => gain).length
  return { old, new: now, changes, leftOut, summary: { gains, others: changes.length - gains } }
}

/** `2 gains of power, 1 other change`. */
export function countText({ summary: { gains, others }, changes }: DiffReport): string {
  if (changes.length === 0) return 'no difference'
  const gained = gains === 0 ? 'no gain of power' : `${gains} gain${gains === 1 ? '' : 's'} of power`
  return others === 0 ? gained : `${gained}, ${others} other change${others === 1 ? '' : 's'}`
}

/** For a person at a terminal: gains first, marked with `!`. */
export function prettyDiff(report: DiffReport, style: Style): string {
  const lines = report.changes.map((item) => {
    const line = printable(changeLine(item))
    return item.gain ? style(['bold', 'red'], line) : line
  })
  const title = printable(`${report.old} → ${report.new}`)
  return [`${style('bold', title)}: ${countText(report)}`, ...lines, ''].join('\n')
}

/** Workflow commands: a gain is a warning, or an error where it fails the run. */
export function githubDiff({ changes }: DiffReport, failing: boolean): string {
  return changes.map((item) => `${command(item, item.gain ? (failing ? 'error' : 'warning') : 'notice')}\n`).join('')
}

function command({ gain, agent, message, file, line }: Change, level: string): string {
  const place = file === undefined ? '' : `file=${property(file)},line=${line ?? 1},`
  return `::${level} ${place}title=${gain ? 'Gain of power' : 'Agent changed'}::${data(`${agent ?? 'all agents'}: ${message}`)}`
}

/** For a comment or the summary of a job. All that comes from files stands in code spans, where it is neither markup nor a mention. */
export function markdownDiff(report: DiffReport): string {
  const part = (title: string, gain: boolean): string[] => {
    const items = report.changes.filter((item) => item.gain === gain)
    return items.length === 0 ? [] : ['', `**${title}**`, '', ...items.map(item)]
  }
  const left = [...new Set([...report.leftOut.old, ...report.leftOut.new])].sort()
  return [
    '### Agents: what changed in power',
    '',
    `${code(report.old)} → ${code(report.new)}: ${countText(report)}`,
    ...part('Gains of power', true),
    ...part('Other changes', false),
    ...(left.length > 0 ? ['', `Not compared (\`agentc build\` says why): ${left.map(code).join(', ')}`] : []),
    '',
  ].join('\n')
}

function item({ agent, message, file }: Change): string {
  return `- ${agent === undefined ? 'all agents' : code(agent)}: ${code(message)}${file === undefined ? '' : ` in ${code(file)}`}`
}

/** A code span whose fence is longer than any run of backticks in it. */
function code(text: string): string {
  const shown = printable(text)
  const runs = shown.match(/`+/g) ?? []
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map((run) => run.length)))
  return runs.length > 0 ? `${fence} ${shown} ${fence}` : `${fence}${shown || ' '}${fence}`
}
