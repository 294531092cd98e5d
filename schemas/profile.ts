import { TOOLS, type Tool } from './tools.ts'

/** What a host offers and forbids, as data: the same code computes the views of every profile (design 3). */
export interface Profile {
  name: string
  /** The whole pool, in the order in which a model is offered it. */
  tools: readonly Tool[]
  /** Names and aliases to the tool. */
  byName: ReadonlyMap<string, Tool>
  /** A specifier in `disallowedTools` takes the whole tool away, instead of becoming a deny rule. */
  specifierDeniesTool: boolean
  /** `disallowedTools: "*"` takes everything away. */
  wildcardDenies: boolean
}

function profile(name: string, tools: readonly Tool[], rest: Omit<Profile, 'name' | 'tools' | 'byName'>): Profile {
  const byName = new Map(tools.flatMap((tool) => [tool.name, ...tool.aliases].map((spelling) => [spelling, tool] as const)))
  return { name, tools, byName, ...rest }
}

/** What `agentc run` does: the founding documents' rules (M7). */
export const AGENTC: Profile = profile('agentc', TOOLS, { specifierDeniesTool: false, wildcardDenies: true })
