import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'

/** Every limit that a run can have, each for the whole tree of agents that it starts; what is not set has none. */
export type RunLimits = NonNullable<ManifestHeader['limits']['run']>

/** Those that are numbers to be compared; `compact` says when the conversation is summarised and ends nothing. */
export type LimitName = Exclude<keyof RunLimits, 'compact'>

export const LIMIT_NAMES = ['turns', 'tokens', 'usd', 'seconds', 'idleSeconds', 'outputChars', 'agents'] as const satisfies LimitName[]

/** Limits where each of several may say something: the lowest counts. */
export function lowest(...all: readonly (RunLimits | undefined)[]): RunLimits {
  const result: RunLimits = {}
  for (const name of LIMIT_NAMES) {
    const values = all.flatMap((limits) => limits?.[name] ?? [])
    if (values.length > 0) result[name] = Math.min(...values)
  }
  return result
}

/** What a run was asked for at its start, without those of its own that have a name there. */
export interface AskedLimits {
  header: Pick<ManifestHeader, 'limits'>
  agent: { maxTurns?: number | undefined }
  maxTurns?: number | undefined
  maxBudgetUsd?: number | undefined
  limits?: RunLimits | undefined
}

/** The limits in force: those of the command, else those of the project's `agentc.config.json`, never above those of policy. */
export function limitsInForce({ header, limits, maxTurns, maxBudgetUsd }: AskedLimits): RunLimits {
  const { run: { turns, ...run } = {}, most } = header.limits
  const compact = { ...run.compact, ...limits?.compact }
  const wanted: RunLimits = {
    ...run,
    // `--max-turns` is about the agent itself and takes the place of what the project says.
    ...(turns !== undefined && maxTurns === undefined && { turns }),
    ...limits,
    ...(maxBudgetUsd !== undefined && { usd: maxBudgetUsd }),
  }
  return { ...lowest(wanted, most), ...(Object.keys(compact).length > 0 && { compact }) }
}

/** Replies of the agent itself: those of the command, of the agent's file, of the project; never more than policy gives a run. */
export function maxTurnsOf({ header, agent, maxTurns }: AskedLimits, otherwise: number): number {
  const { run, most } = header.limits
  return Math.min(maxTurns ?? agent.maxTurns ?? run?.turns ?? otherwise, most?.turns ?? Infinity)
}

/** What a command asks for beyond what policy gives, in a sentence. */
export function beyondMost({ header, maxTurns, maxBudgetUsd, limits }: AskedLimits): string | undefined {
  const { most } = header.limits
  const wanted: RunLimits = {
    ...limits,
    ...(maxTurns !== undefined && { turns: maxTurns }),
    ...(maxBudgetUsd !== undefined && { usd: maxBudgetUsd }),
  }
  for (const name of LIMIT_NAMES) {
    if (wanted[name] === undefined || most?.[name] === undefined || wanted[name] <= most[name]) continue
    return `Policy limits a run to ${most[name]} ${UNITS[name]}; ${FLAGS[name]} ${wanted[name]} would be more.`
  }
  return undefined
}

const UNITS: Readonly<Record<LimitName, string>> = {
  turns: 'turns',
  tokens: 'tokens',
  usd: 'US dollars',
  seconds: 'seconds',
  idleSeconds: 'seconds without a sign of life',
  outputChars: 'characters of output',
  agents: 'agents',
}

const FLAGS: Readonly<Record<LimitName, string>> = {
  turns: '--max-turns',
  tokens: '--max-tokens',
  usd: '--max-budget-usd',
  seconds: '--max-seconds',
  idleSeconds: '--max-idle-seconds',
  outputChars: '--max-output-chars',
  agents: '--max-agents',
}
