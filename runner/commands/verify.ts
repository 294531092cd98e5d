import { parseArgs } from 'node:util'
import { EXIT } from '../exit-codes.ts'
import { type Verdict, verifyRun } from '../transcript/verify.ts'
import { lookAt } from './kept.ts'
import type { RunIo } from './run.ts'

export const VERIFY_HELP = `Usage: agentc verify RUN [options]

Derives every request of a run again, from its manifest and its transcript alone, and compares each byte for byte with what was sent.
RUN is the name of a run (see agentc runs) or the path of its folder.

  --project DIR       where the agent worked (default: here)
  --format FORMAT     text (default) or json
  --help              this text

Exit codes: 0 every request is as recorded, 1 one differs or the run cannot be read, 2 wrong usage.
`

/** The command `agentc verify`. Asks nothing but the run's folder. */
export async function verify(argv: readonly string[], io: Pick<RunIo, 'stdout' | 'stderr' | 'cwd'>): Promise<number> {
  const args = argumentsOf(argv)
  if (typeof args === 'string') return refused(io, args)
  if (args.help) return said(io, VERIFY_HELP)
  return lookAt(args.run, args.project, io, ({ id, transcript, manifest }) => {
    const verdict = verifyRun(transcript, manifest)
    io.stdout.write(args.format === 'json' ? `${JSON.stringify(jsonOf(id, verdict))}\n` : textOf(id, verdict))
    return verdict.difference === undefined ? EXIT.completed : EXIT.error
  })
}

function textOf(id: string, { requests, ended, difference }: Verdict): string {
  if (difference !== undefined) return `Run ${id}: ${difference}.\n`
  const count = requests === 1 ? '1 request is' : `${requests} requests are`
  return `Run ${id}: ${count} as recorded${ended ? '' : ', as far as the run has come'}.\n`
}

function jsonOf(run: string, { requests, ended, difference }: Verdict): object {
  return { run, verified: difference === undefined, requests, ended, difference: difference ?? null }
}

interface Arguments {
  run: string
  project: string | undefined
  format: string
  help: boolean
}

function argumentsOf(argv: readonly string[]): Arguments | string {
  const text = { type: 'string' } as const
  try {
    const options = { project: text, format: text, help: { type: 'boolean', short: 'h' } } as const
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
    const format = values.format ?? 'text'
    if (format !== 'text' && format !== 'json') return `There is no format ${format}; there are text and json.`
    if (positionals.length !== 1 && values.help !== true) return 'Which run? Usage: agentc verify RUN'
    return { run: positionals[0] ?? '', project: values.project, format, help: values.help === true }
  } catch (error) {
    return (error as Error).message
  }
}

function said(io: Pick<RunIo, 'stdout'>, text: string): number {
  io.stdout.write(text)
  return EXIT.completed
}

function refused(io: Pick<RunIo, 'stderr'>, message: string): number {
  io.stderr.write(`agentc verify: ${message}\nSee \`agentc verify --help\`.\n`)
  return EXIT.usage
}
