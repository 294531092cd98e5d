import { parseArgs } from 'node:util'

export const RUN_HELP = `Usage: agentc run <agent> [prompt] [options]

Runs an agent from the manifest. Without a prompt, it is read from standard input.

  --manifest FILE     run from this manifest and look at no sources
  --format FORMAT     text (default) or json: one result object
  --model MODEL       a model id or an alias of the manifest; wins over the agent's
  --max-turns N       replies of the model at most; wins over the agent's
  --record FILE       write everything the model answers to FILE
  --replay FILE       answer from such a recording; nothing is sent
  --help              this text

Environment: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL.
Exit codes: 0 completed, 1 error, 2 wrong usage, 3 turn limit reached, 70 bug in agentc, 130 interrupted.
`

export interface RunArguments {
  agent: string
  prompt: string | undefined
  manifest: string | undefined
  format: 'text' | 'json'
  model: string | undefined
  maxTurns: number | undefined
  record: string | undefined
  replay: string | undefined
}

/** What is wrong with a command line, for a person. */
export class UsageFault extends Error {
  override name = 'UsageFault'
}

/** Reads the words after `agentc run`; `help` when that is what is asked for. Throws `UsageFault`. */
export function readRunArguments(argv: readonly string[]): RunArguments | 'help' {
  const { values, positionals } = parsed(argv)
  if (values.help) return 'help'
  const [agent, prompt, ...more] = positionals
  if (agent === undefined) throw new UsageFault('Which agent? Usage: agentc run <agent> [prompt]')
  if (more.length > 0) throw new UsageFault('The prompt must be one argument: put it in quotes.')
  const format = values.format ?? 'text'
  if (format !== 'text' && format !== 'json') throw new UsageFault(`There is no format ${format}; there are text and json.`)
  if (values.record !== undefined && values.replay !== undefined) throw new UsageFault('--record and --replay exclude each other.')
  const { manifest, model, record, replay } = values
  return { agent, prompt, manifest, format, model, maxTurns: turns(values['max-turns']), record, replay }
}

function parsed(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const options = {
    manifest: text,
    format: text,
    model: text,
    'max-turns': text,
    record: text,
    replay: text,
    help: { type: 'boolean', short: 'h' },
  } as const
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new UsageFault((error as Error).message)
  }
}

function turns(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageFault(`--max-turns wants a whole number above 0, not ${text}.`)
  return Number(text)
}
