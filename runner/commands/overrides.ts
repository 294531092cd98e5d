import { PERMISSION_MODES, type PermissionMode, SANDBOX_MODES, type SandboxMode } from '../../schemas/values.ts'
import type { RunLimits } from '../limits/run-limits.ts'
import type { Overrides } from '../overrides.ts'
import { UsageFault } from './usage-fault.ts'

/** The flags of `agentc run` that change what the manifest says of an agent. */

const text = { type: 'string' } as const

export const OVERRIDE_OPTIONS = {
  model: text,
  'fallback-model': text,
  'max-turns': text,
  'max-budget-usd': text,
  'permission-mode': text,
  'max-tokens': text,
  'max-seconds': text,
  'max-idle-seconds': text,
  'max-output-chars': text,
  'max-agents': text,
  'compact-at': text,
  sandbox: text,
  'pass-env': { type: 'string', multiple: true },
} as const

export const OVERRIDE_HELP = `  --model MODEL           a model id or an alias of the manifest; wins over the agent's
  --fallback-model MODEL  asked when the model has failed a turn three times; then for a minute at once
  --max-turns N           replies of the model at most; wins over the agent's
  --max-budget-usd N      end when so many US dollars are spent; only with models whose price is known
  --max-tokens N          end when so many tokens are used, cached ones included
  --max-seconds N         end after so many seconds
  --max-idle-seconds N    end when nothing has happened for so many seconds
  --max-output-chars N    end when the agents have written so much text
  --max-agents N          agents that the run may start, at any depth
  --compact-at N          summarise the conversation at so many tokens
  --permission-mode MODE  ${PERMISSION_MODES.join(', ')}; wins over the agent's, within policy
  --sandbox MODE          walls around commands (bubblewrap): auto (default) where they work, required to run with them only, off
  --pass-env NAME         a variable that commands get in the sandbox although it is called like a secret; may be repeated
`

type Values = Partial<Record<Exclude<keyof typeof OVERRIDE_OPTIONS, 'pass-env'>, string | undefined>> & {
  'pass-env'?: string[] | undefined
}

/** Throws `UsageFault` for a value that is none. */
export function readOverrides(values: Values): Overrides {
  const { model, 'fallback-model': fallbackModel, 'max-turns': turns, 'max-budget-usd': budget, 'permission-mode': mode } = values
  return {
    model: named('model', model),
    fallbackModel: named('fallback-model', fallbackModel),
    maxTurns: turns === undefined ? undefined : turnsOf(turns),
    maxBudgetUsd: budget === undefined ? undefined : dollarsOf(budget),
    permissionMode: mode === undefined ? undefined : modeOf(mode),
    limits: limitsOf(values),
    sandbox: values.sandbox === undefined ? undefined : sandboxOf(values.sandbox),
    passEnv: values['pass-env']?.map(variable),
  }
}

/** The limits of a run that have no other name; `undefined` without any. */
function limitsOf(values: Values): RunLimits | undefined {
  const limits: RunLimits = {}
  for (const [flag, name] of LIMIT_FLAGS) {
    const value = values[flag]
    if (value === undefined) continue
    const seconds = name === 'seconds' || name === 'idleSeconds'
    if (!(seconds ? /^\d{1,7}(?:\.\d{1,3})?$/ : /^[1-9]\d{0,11}$/).test(value) || Number(value) === 0) {
      throw new UsageFault(`--${flag} wants a ${seconds ? '' : 'whole '}number above 0, not ${value}.`)
    }
    if (name === 'compact') limits.compact = { tokens: Number(value) }
    else limits[name] = Number(value)
  }
  return Object.keys(limits).length > 0 ? limits : undefined
}

const LIMIT_FLAGS = [
  ['max-tokens', 'tokens'],
  ['max-seconds', 'seconds'],
  ['max-idle-seconds', 'idleSeconds'],
  ['max-output-chars', 'outputChars'],
  ['max-agents', 'agents'],
  ['compact-at', 'compact'],
] as const

function named(flag: string, value: string | undefined): string | undefined {
  if (value !== undefined && value.trim() === '') throw new UsageFault(`--${flag} wants the name of a model.`)
  return value
}

function turnsOf(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new UsageFault(`--max-turns wants a whole number above 0, not ${value}.`)
  return Number(value)
}

function dollarsOf(value: string): number {
  if (!/^\d{1,9}(?:\.\d{1,8})?$/.test(value) || Number(value) === 0) {
    throw new UsageFault(`--max-budget-usd wants an amount in US dollars above 0, such as 2.50, not ${value}.`)
  }
  return Number(value)
}

function sandboxOf(value: string): SandboxMode {
  const mode = SANDBOX_MODES.find((known) => known === value)
  if (mode === undefined) throw new UsageFault(`There is no sandbox mode ${value}; there are ${SANDBOX_MODES.toReversed().join(', ')}.`)
  return mode
}

function variable(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new UsageFault(`--pass-env wants the name of a variable, not ${name}.`)
  return name
}

/** `manual` is a later spelling of `default`, as in agent files. */
function modeOf(value: string): PermissionMode {
  const mode = PERMISSION_MODES.find((known) => known === (value === 'manual' ? 'default' : value))
  if (mode === undefined) throw new UsageFault(`There is no permission mode ${value}; there are ${PERMISSION_MODES.join(', ')}.`)
  return mode
}
