import { TOOLS, type Tool } from './tools.ts'

/** What a host offers and forbids, as data: the same code computes the views of every profile (design 3). */
export interface Profile {
  name: string
  /** The program's name and, where it was measured, its version. */
  host: string
  /** The whole pool, in the order in which a model is offered it. */
  tools: readonly Tool[]
  /** Names and aliases to the tool. */
  byName: ReadonlyMap<string, Tool>
  /** How deep sub-agents may nest; at 1 a sub-agent starts no others. */
  spawnDepth: number
  /** Every sub-agent is in the background unless its call says otherwise. */
  subAgentsInBackground: boolean
  /** A specifier in `disallowedTools` takes the whole tool away, instead of becoming a deny rule. */
  specifierDeniesTool: boolean
  /** `disallowedTools: "*"` takes everything away. */
  wildcardDenies: boolean
  /** `mcp__*` in `tools` grants every MCP tool. */
  wildcardGrantsMcp: boolean
  /** `hooks` that is no map, or a hook directly under its event, loses the agent. */
  looseHooksDropAgent: boolean
  /** A plugin's file without readable frontmatter is an agent called like the file. */
  pluginFilesAreAgents: boolean
  /** What a request carries where the agent says nothing; absent: it depends on whoever starts the agent. */
  defaults?: RequestDefaults
}

/** The model and effort of a host's own session. */
export interface RequestDefaults {
  model: string
  effort: 'low' | 'medium' | 'high'
  /** The effort sent with a model the host does not know. */
  unknownModelEffort: 'low' | 'medium' | 'high'
  /** Parts of ids of models that take no effort. */
  withoutEffort: readonly string[]
}

export function profile(rest: Omit<Profile, 'byName'>): Profile {
  const byName = new Map(rest.tools.flatMap((tool) => [tool.name, ...tool.aliases].map((spelling) => [spelling, tool] as const)))
  return { ...rest, byName }
}

/** The same host with more tools, behind its own. */
export function withTools(base: Profile, tools: readonly Tool[]): Profile {
  return tools.length === 0 ? base : profile({ ...base, tools: [...base.tools, ...tools] })
}

/** What `agentc run` does: the founding documents' rules (M7). */
export const AGENTC: Profile = profile({
  name: 'agentc',
  host: 'agentc',
  tools: TOOLS,
  spawnDepth: 1,
  subAgentsInBackground: false,
  specifierDeniesTool: false,
  wildcardDenies: true,
  wildcardGrantsMcp: true,
  looseHooksDropAgent: false,
  pluginFilesAreAgents: false,
})
