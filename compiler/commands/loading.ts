import { SOURCES, type Source } from '../../schemas/source.ts'
import type { CompileOptions } from '../options.ts'
import { UsageError, type Io } from './io.ts'

/** Modes of loading: which layers and parts are read at all, and which features are on (mission M5; claude-code-agents.md 3.4, 12). */

/** Features that are off unless asked for, each with the variable that Claude Code has for it, if it has one. */
const FEATURES: Readonly<Record<string, string | undefined>> = {
  fork: 'CLAUDE_CODE_FORK_SUBAGENT',
  'memory-snapshots': undefined,
  teams: 'CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS',
  verification: undefined,
}

/** The parts of settings and agents that `--setting-sources` chooses from; managed settings cannot be left out with it. */
const SETTING_SOURCES = ['user', 'project', 'local'] as const

export const LOADING_HELP = `  --layers LIST       only these layers: ${SOURCES.join(',')}; the variables below then change nothing
  --setting-sources LIST
                      of user,project,local only these: their settings, agents, skills, commands, servers and CLAUDE.md
  --feature NAME      switch a feature on; may be given more than once: ${Object.keys(FEATURES).join(', ')}
  variables: CLAUDE_CODE_SIMPLE=1 (nothing of the user, the project and plugins), CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS=1,
                      CLAUDE_CODE_DISABLE_EXPLORE_PLAN_AGENTS=1, CLAUDE_CODE_ENTRYPOINT=sdk-… (without claude-code-guide),
                      CLAUDE_CODE_DISABLE_AUTO_MEMORY=1 (\`memory\` has no effect),
                      CLAUDE_CODE_DISABLE_CLAUDE_MDS=1 (no CLAUDE.md but that of policy),
                      CLAUDE_CODE_FORK_SUBAGENT=1, CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS=1, AGENTC_FEATURES=NAME,NAME
`

export interface LoadingFlags {
  layers?: string
  'setting-sources'?: string
  feature?: string[]
}

type Loading = Pick<CompileOptions, 'layers' | 'features' | 'localSettings' | 'hiddenBuiltins' | 'memory' | 'policyInstructionsOnly'>

/** In: the flags, and the environment for what they leave open. A build that names its layers depends on no variable. */
export function loadingOf(flags: LoadingFlags, { env }: Pick<Io, 'env'>): Loading {
  const open = flags.layers === undefined ? env : {}
  const chosen = settingSources(flags['setting-sources'])
  const layers = (flags.layers === undefined ? layersIn(open) : layersOf(flags.layers)).filter(
    (layer) => !chosen || (layer !== 'user' && layer !== 'project') || chosen.includes(layer),
  )
  const features = featuresOf(flags.feature, open)
  const hidden = hiddenBuiltins(open)
  return {
    layers,
    ...(features.length > 0 && { features: new Set(features) }),
    ...(chosen && { localSettings: chosen.includes('local') }),
    ...(hidden.length > 0 && { hiddenBuiltins: hidden }),
    ...(isOn(open['CLAUDE_CODE_DISABLE_AUTO_MEMORY']) && { memory: false }),
    ...(isOn(open['CLAUDE_CODE_DISABLE_CLAUDE_MDS']) && { policyInstructionsOnly: true as const }),
  }
}

type Env = Io['env']

/** As Claude Code reads its switches. */
function isOn(value: string | undefined): boolean {
  return value !== undefined && ['1', 'true', 'yes', 'on'].includes(value.trim().toLowerCase())
}

/** Managed files and what the command line names stay in simple mode: no variable may take away a restriction (`--bare` in 3.4). */
function layersIn(env: Env): readonly Source[] {
  const simple = isOn(env['CLAUDE_CODE_SIMPLE'])
  const withoutBuiltins = isOn(env['CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS'])
  return SOURCES.filter(
    (source) => !(simple && ['plugin', 'user', 'project'].includes(source)) && !(withoutBuiltins && source === 'builtin'),
  )
}

function layersOf(list: string): readonly Source[] {
  const names = namesIn(list)
  if (names.length === 0) throw new UsageError(`--layers takes a list of ${SOURCES.join(', ')}, but got "${list}".`)
  const wrong = names.find((name) => !(SOURCES as readonly string[]).includes(name))
  if (wrong !== undefined) throw new UsageError(`There is no layer "${wrong}"; the layers are ${SOURCES.join(', ')}.`)
  return SOURCES.filter((source) => names.includes(source))
}

function settingSources(list: string | undefined): string[] | undefined {
  if (list === undefined) return undefined
  const names = namesIn(list)
  const wrong = names.find((name) => !(SETTING_SOURCES as readonly string[]).includes(name))
  if (wrong === undefined) return names
  throw new UsageError(`--setting-sources takes a list of ${SETTING_SOURCES.join(', ')}, but got "${wrong}".`)
}

function featuresOf(asked: readonly string[] | undefined, env: Env): string[] {
  const names = asked ?? [
    ...namesIn(env['AGENTC_FEATURES'] ?? ''),
    ...Object.keys(FEATURES).filter((name) => FEATURES[name] !== undefined && isOn(env[FEATURES[name]])),
  ]
  const wrong = names.find((name) => !Object.hasOwn(FEATURES, name))
  if (wrong !== undefined) throw new UsageError(`There is no feature "${wrong}"; the features are ${Object.keys(FEATURES).join(', ')}.`)
  return [...new Set(names)].sort()
}

/** Built-in agents that are left out; agents of these names in files stay. */
function hiddenBuiltins(env: Env): string[] {
  const plain = isOn(env['CLAUDE_CODE_DISABLE_EXPLORE_PLAN_AGENTS']) ? ['Explore', 'Plan'] : []
  return [...plain, ...(env['CLAUDE_CODE_ENTRYPOINT']?.startsWith('sdk') ? ['claude-code-guide'] : [])]
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
