import { parseArgs } from 'node:util'
import { FORMATS, type Format } from '../faces/choose.ts'
import type { Overrides } from '../overrides.ts'
import { OVERRIDE_HELP, OVERRIDE_OPTIONS, readOverrides } from './overrides.ts'
import { UsageFault } from './usage-fault.ts'

export { UsageFault } from './usage-fault.ts'

export const RUN_HELP = `Usage: agentc run <agent> [prompt] [options]
       agentc run --resume RUN [prompt] [options]

Runs an agent from the manifest. Without a prompt, at a terminal, it is a conversation: one run, many prompts; /help there says what can be
typed, turns and time count anew from each prompt, tokens and dollars over all of them. Elsewhere the prompt is read from standard input; a
last argument - appends standard input to it.
In a prompt, /name args calls for a skill or command, !line runs a command of the shell, #text notes something in the agent's memory,
and @path attaches a file. At a terminal, calls that no rule allows are asked about; elsewhere they are denied at once and listed.

  --manifest FILE     run from this manifest and look at no sources
  --format FORMAT     text (default), json (one result object) or stream-json (one event a line)
${OVERRIDE_HELP}  --resume RUN        go on with a run, whatever ended it; the agent and its options are those of the run
  --output-schema F   the answer has to be JSON that fits this JSON Schema; it is in structured_output of the result
  --otel              OpenTelemetry spans, for an SDK loaded by NODE_OPTIONS=--import; --otel-contents: with texts and inputs
  --plain             lines that are only appended, without colour: for screen readers, and what TERM=dumb does anyway
  --trust             let the project's own files give powers: allow rules, hooks, servers, tools, looser modes,
                      what skills bring, skills kept elsewhere
  --no-transcript     keep nothing of the run; it cannot be gone on with
  --record FILE       write everything the model answers to FILE
  --replay FILE       answer from such a recording; nothing is sent
  --project DIR       the working directory (default: the current one)
  --home, --managed-dir, --plugin-dir, --agents, --settings, --mcp-lock, --layers, --setting-sources, --feature
                      where agents come from, as for a build: see agentc build --help
  --help              this text

Environment: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL; CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: milliseconds that agents
in the background are waited for when all else is done (600000; 0: as long as it takes); CLAUDE_CODE_SUBAGENT_MODEL: the model of agents that
neither their definition nor the call gives one.
A run is kept in .agentc/runs, without secrets: agentc runs lists them, agentc verify RUN checks one.

Exit codes: 0 completed, 1 error, 2 wrong usage, 3 turn limit reached, 4 budget, tokens or output used up, 5 completed, but a call was denied
because nobody could be asked, 6 the answer does not fit its schema, 7 work in the background was lost, 70 bug in agentc, 124 out of time,
129, 130, 143 ended by SIGHUP, SIGINT, SIGTERM.
`

export interface RunArguments {
  agent: string
  prompt: string | undefined
  manifest: string | undefined
  format: Format
  overrides: Overrides
  record: string | undefined
  replay: string | undefined
  /** The run to go on with; `agent` is empty then. */
  resume: string | undefined
  keep: boolean
  /** Nothing that is written is written over. */
  plain: boolean
  /** The project's powers count without a question. */
  trust: boolean
  /** Standard input goes behind the prompt. */
  appendInput: boolean
  outputSchema: string | undefined
  otel: 'off' | 'spans' | 'contents'
}

/** Reads the words after `agentc run`; `help` when that is what is asked for. Throws `UsageFault`. */
export function readRunArguments(argv: readonly string[]): RunArguments | 'help' {
  const { values, positionals } = parsed(argv)
  if (values.help) return 'help'
  const { resume } = values
  const words = positionals.at(-1) === '-' ? positionals.slice(0, -1) : positionals
  const [agent, prompt, ...more] = resume === undefined ? words : ['', ...words]
  if (agent === undefined) throw new UsageFault('Which agent? Usage: agentc run <agent> [prompt]')
  if (more.length > 0) throw new UsageFault('The prompt must be one argument: put it in quotes.')
  const format = FORMATS.find((name) => name === (values.format ?? 'text'))
  if (format === undefined) throw new UsageFault(`There is no format ${values.format}; there are ${FORMATS.join(', ')}.`)
  if (values.record !== undefined && values.replay !== undefined) throw new UsageFault('--record and --replay exclude each other.')
  const { manifest, record, replay } = values
  const own = OF_NEW_RUNS.find((name) => resume !== undefined && values[name] !== undefined)
  if (own !== undefined) throw new UsageFault(`--${own} is for new runs: a resumed one goes on as it began.`)
  const keep = values['no-transcript'] !== true
  const appendInput = words.length < positionals.length && prompt !== undefined
  const otel = values['otel-contents'] ? 'contents' : values.otel ? 'spans' : 'off'
  const asked = {
    agent,
    prompt,
    manifest,
    format,
    overrides: readOverrides(values),
    record,
    replay,
    resume,
    keep,
    plain: values.plain === true,
    trust: values.trust === true,
  }
  return { ...asked, appendInput, outputSchema: values['output-schema'], otel }
}

/** Flags that say how a run begins. */
const OF_NEW_RUNS = [
  'manifest',
  'model',
  'fallback-model',
  'permission-mode',
  'record',
  'replay',
  'no-transcript',
  'trust',
  'output-schema',
  'max-tokens',
  'max-seconds',
  'max-idle-seconds',
  'max-output-chars',
  'max-agents',
  'compact-at',
  'sandbox',
  'pass-env',
] as const

function parsed(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const options = {
    manifest: text,
    format: text,
    ...OVERRIDE_OPTIONS,
    'output-schema': text,
    otel: { type: 'boolean' },
    'otel-contents': { type: 'boolean' },
    record: text,
    replay: text,
    resume: text,
    'no-transcript': { type: 'boolean' },
    plain: { type: 'boolean' },
    trust: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new UsageFault((error as Error).message)
  }
}
