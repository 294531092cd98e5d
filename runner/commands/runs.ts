import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { EXIT } from '../exit-codes.ts'
import { isRunning, RUNS } from '../transcript/folder.ts'
import { type RunSummary, summaryOf } from '../transcript/summary.ts'
import { projectFault, runIds } from './kept.ts'
import { showRun } from './runs-show.ts'
import type { RunIo } from './run.ts'

export const RUNS_HELP = `Usage: agentc runs [options]
       agentc runs show RUN [options]

Lists the runs that are kept in ${RUNS}, the oldest first. With show: what happened in one, turn by turn and call by call,
with times, tokens, cost, and for each call what decided it.

  --project DIR       where the agents worked (default: here)
  --format FORMAT     text (default) or json: one array
  --help              this text

Go on with one: agentc run --resume RUN [prompt]. Check one: agentc verify RUN.
`

/** The command `agentc runs`. */
export async function runs(argv: readonly string[], io: Pick<RunIo, 'stdout' | 'stderr' | 'cwd'>): Promise<number> {
  const args = argumentsOf(argv)
  if (typeof args === 'string') return refused(io, args)
  if (args.help) return (io.stdout.write(RUNS_HELP), EXIT.completed)
  if (args.run !== undefined) return showRun(args.run, args, io)
  const fault = projectFault(args.project, io.cwd)
  if (fault !== undefined) return refused(io, fault)
  const project = resolve(io.cwd, args.project ?? '.')
  io.stdout.write(args.format === 'json' ? `${JSON.stringify(summaries(project))}\n` : table(summaries(project)))
  return EXIT.completed
}

function refused(io: Pick<RunIo, 'stderr'>, message: string): number {
  io.stderr.write(`agentc runs: ${message}\nSee \`agentc runs --help\`.\n`)
  return EXIT.usage
}

function summaries(project: string): RunSummary[] {
  const all = runIds(project).map((id) => {
    const folder = join(project, RUNS, id)
    return summaryOf(id, readFileSync(join(folder, 'transcript.jsonl'), 'utf8'), isRunning(folder, process))
  })
  return all.sort((a, b) => compare(a.started ?? '', b.started ?? '') || compare(a.id, b.id))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function table(all: readonly RunSummary[]): string {
  if (all.length === 0) return `There are no runs in ${RUNS} yet.\n`
  const rows = [['RUN', 'AGENT', 'STATE', 'TURNS', 'STARTED'], ...all.map(row)]
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((cells) => cells[at]!.length)))
  return rows
    .map(
      (cells) =>
        `${cells
          .map((cell, at) => cell.padEnd(widths[at]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function row({ id, agent, state, turns, started }: RunSummary): string[] {
  return [id, agent ?? '-', state, String(turns), started ?? '-']
}

function argumentsOf(
  argv: readonly string[],
): { run: string | undefined; project: string | undefined; format: string; help: boolean } | string {
  const text = { type: 'string' } as const
  try {
    const options = { project: text, format: text, help: { type: 'boolean', short: 'h' } } as const
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
    const [show, run, ...more] = positionals
    if (!values.help && show !== undefined && (show !== 'show' || run === undefined || more.length > 0))
      return 'Usage: agentc runs show RUN'
    const format = values.format ?? 'text'
    if (format !== 'text' && format !== 'json') return `There is no format ${format}; there are text and json.`
    return { run, project: values.project, format, help: values.help === true }
  } catch (error) {
    return (error as Error).message
  }
}
