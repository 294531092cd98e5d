import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { folded } from '../../schemas/near.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { AgentDefinition } from '../define/definition.ts'
import { agentNames } from '../resolve/powers.ts'
import type { KnownServers } from '../servers/locked-tools.ts'
import type { Skills } from '../skills/definition.ts'
import { agentsFolderOf } from '../source-file.ts'
import { checkHost } from './host.ts'
import { checkPowers } from './powers.ts'
import { checkServers } from './servers.ts'
import { checkLinks } from './skills.ts'
import { checkTools } from './tools.ts'

/** What one agent is judged by, besides its own file: none of it is another agent. */
export interface World {
  profile: Profile
  servers: KnownServers
  skills: Skills
}

/** What is known of an agent by itself: as long as its file and the world are the same, it is not worked out again. */
export interface AboutAgent {
  agent: AgentDefinition
  /** What is to be said of it. */
  found: readonly Diagnostic[]
  /** Agents with the same one are the same name to a reader. */
  nearKey: string
  /** The agents folder that its file lies in. */
  folder: string
  /** About as many tokens as its name and description take in every request. */
  tokens: number
  /** The agents that its list names one by one, with the place of each name. */
  targets: readonly Target[]
}

export interface Target {
  name: string
  start: number
}

/** In: an agent that counts, whether it wins or not. */
export function aboutAgent(agent: AgentDefinition, { profile, servers, skills }: World): AboutAgent {
  const checks = [
    checkTools(agent, profile),
    checkPowers(agent, profile),
    checkHost(agent, profile),
    checkServers(agent, servers),
    checkLinks(agent, skills),
  ]
  const found = checks.filter((one) => one.length > 0).flat()
  return {
    agent,
    found: found.length > 0 ? found : NONE,
    nearKey: folded(agent.name.value),
    folder: agentsFolderOf(agent.file),
    tokens: (agent.name.value.length + agent.description.value.length) / TOKEN,
    targets: targetsOf(agent, profile),
  }
}

/** Characters a token: the usual estimate for English, good enough for a limit that is a rule of thumb itself. */
const TOKEN = 4

const NONE: readonly never[] = []

function targetsOf({ tools }: AgentDefinition, profile: Profile): readonly Target[] {
  if (tools.kind === 'all' || !tools.entries.some(({ specifier }) => specifier !== undefined)) return NONE
  return tools.entries
    .filter(({ name, specifier }) => specifier !== undefined && profile.byName.get(name)?.name === 'Agent')
    .flatMap((entry) => agentNames(entry).map(({ value, start }) => ({ name: value, start: entry.range[0] + start })))
}
