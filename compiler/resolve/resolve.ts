import type { Profile } from '../../schemas/profile.ts'
import { ROLES, type Role } from '../../schemas/values.ts'
import type { View } from '../../schemas/shapes/manifest.ts'
import type { AgentDefinition, DroppedAgent } from '../define/definition.ts'
import type { Subject } from '../tool-view/layers.ts'
import { mcpDenials, mcpGrants } from '../tool-view/mcp.ts'
import { builtInView } from '../tool-view/view.ts'
import { agentsFolderOf, type SourceFile } from '../source-file.ts'
import { colorOf } from './color.ts'
import { withGuidance } from './guidance.ts'
import { denyOf, limitsOf, spawnsOf } from './powers.ts'
import type { Resolution, ResolvedAgent } from './resolved.ts'

/** What resolution needs besides the definitions. */
export interface ResolveOptions {
  profile: Profile
  settingsDeny: ReadonlySet<string>
  /** Place of each file in the order of precedence; later wins. */
  rank: ReadonlyMap<SourceFile, number>
}

/**
 * Folds the definitions into agents: they come lowest layer first, a later one replaces the earlier one of the same name whole and
 * keeps it in `overrides` (M1). A file that gave no definition takes its name with it, unless a file of higher precedence has that name.
 */
export function resolve(definitions: readonly AgentDefinition[], dropped: readonly DroppedAgent[], options: ResolveOptions): Resolution {
  const chains = new Map<string, AgentDefinition[]>()
  for (const definition of definitions) {
    const chain = chains.get(definition.name.value)
    if (chain) chain.unshift(definition)
    else chains.set(definition.name.value, [definition])
  }
  const hiding = dropped.filter((agent) => hides(agent, chains.get(agent.name)?.[0], options))
  const gone = new Map(hiding.map((agent) => [agent.name, agent]))
  const agents = new Map<string, ResolvedAgent>()
  const views = new Map<string, Record<Role, View>>()
  for (const name of [...chains.keys()].sort()) {
    if (!gone.has(name)) agents.set(name, resolveOne(chains.get(name)!, options, views, chains))
  }
  return { agents, dropped: gone }
}

/** Inside one agents folder no file has precedence over another, so there a broken one hides a healthy one. */
function hides({ file }: DroppedAgent, winner: AgentDefinition | undefined, { rank }: ResolveOptions): boolean {
  if (!winner || agentsFolderOf(file) === agentsFolderOf(winner.file)) return true
  return rank.get(file)! > rank.get(winner.file)!
}

function resolveOne(
  chain: AgentDefinition[],
  options: ResolveOptions,
  views: Map<string, Record<Role, View>>,
  known: ReadonlyMap<string, unknown>,
): ResolvedAgent {
  const [definition, ...overrides] = chain as [AgentDefinition, ...AgentDefinition[]]
  const subject: Subject = {
    tools: definition.tools,
    denied: definition.disallowedTools,
    builtIn: definition.file.origin.source === 'builtin',
    memory: definition.memory !== undefined,
    settingsDeny: options.settingsDeny,
  }
  const computed = viewsOf(subject, definition, options, views)
  return {
    definition,
    overrides,
    subject,
    color: definition.color?.value ?? colorOf(definition.name.value),
    prompt: withGuidance(definition, computed.sub.tools),
    views: computed,
    limits: limitsOf(definition, options.profile),
    deny: denyOf(definition, options.profile),
    spawns: spawnsOf(definition, options.profile, known),
  }
}

/** Many agents write the same lists: equal subjects share one computation. */
function viewsOf(
  subject: Subject,
  definition: AgentDefinition,
  options: ResolveOptions,
  known: Map<string, Record<Role, View>>,
): Record<Role, View> {
  const servers = (definition.mcpServers?.value ?? []).map(({ value }) => value)
  const texts = (entries: readonly { text: string }[]): string[] => entries.map((entry) => entry.text)
  const names = servers.map((use) => ('ref' in use ? use.ref : use.name))
  const list = subject.tools.kind === 'all' ? 'all' : texts(subject.tools.entries)
  const key = JSON.stringify([list, texts(subject.denied), names, subject.builtIn, subject.memory])
  const before = known.get(key)
  if (before) return before
  const mcp = mcpGrants(subject.tools, servers, options.profile.wildcardGrantsMcp)
  const mcpDeny = mcpDenials(subject.denied, options.profile.wildcardDenies)
  const view = (role: Role): View => {
    const { tools, plan } = builtInView(role, subject, options.profile)
    return { tools, mcp, mcpDeny, ...(plan.length > 0 && { plan }) }
  }
  const views = Object.fromEntries(ROLES.map((role) => [role, view(role)])) as Record<Role, View>
  known.set(key, views)
  return views
}
