import type { Profile } from '../../schemas/profile.ts'
import { ROLES, type Role } from '../../schemas/values.ts'
import type { Mcp, View } from '../../schemas/shapes/manifest.ts'
import type { AgentDefinition, DroppedAgent } from '../define/definition.ts'
import type { Memo } from '../memo.ts'
import type { Skills } from '../skills/definition.ts'
import { preloaded } from '../skills/link.ts'
import type { Subject } from '../tool-view/layers.ts'
import { mcpDenials, mcpGrants } from '../tool-view/mcp.ts'
import { ownTools } from '../servers/locked-tools.ts'
import type { Lock } from '../servers/lock-file.ts'
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
  /** MCP tools that deny rules of the settings take from everyone. */
  settingsMcpDeny?: Mcp
  /** Place of each file in the order of precedence; later wins. */
  rank: ReadonlyMap<SourceFile, number>
  /** What the tools of servers are locked to. */
  lock?: Lock | undefined
  /** Without them no name under `skills` leads anywhere. */
  skills?: Skills
  /** Agents resolved before, where nothing but definitions has changed since. */
  known?: Memo<AgentDefinition, ResolvedAgent> | undefined
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
    if (gone.has(name)) continue
    const chain = chains.get(name)!
    const before = options.known?.get(chain[0]!)
    const agent = before && isStill(before, chain, options, chains) ? before : resolveOne(chain, options, views, chains)
    agents.set(name, agent)
    if (agent !== before) options.known?.set(chain[0]!, agent)
  }
  return { agents, dropped: gone }
}

/** What an agent is depends on the definitions it overrides, and by the names it may start on which agents there are. */
function isStill(
  agent: ResolvedAgent,
  chain: readonly AgentDefinition[],
  { profile }: ResolveOptions,
  known: ReadonlyMap<string, unknown>,
): boolean {
  const { overrides, spawns } = agent
  if (overrides.length !== chain.length - 1 || overrides.some((one, index) => one !== chain[index + 1])) return false
  return spawns === 'all' || spawns.join('\n') === [spawnsOf(agent.definition, profile, known)].flat().join('\n')
}

/**
 * Inside one agents folder no file has precedence over another, so there a broken one hides a healthy one. A plugin's agents have names that
 * no other file can have, whatever it says (conformance plugin-mcp: acme:helper).
 */
function hides({ file }: DroppedAgent, winner: AgentDefinition | undefined, { rank }: ResolveOptions): boolean {
  if (winner?.file.origin.source === 'plugin' && file.origin.source !== 'plugin') return false
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
  const mcpTools = ownTools(definition, options.lock)
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
    ...(Object.keys(mcpTools).length > 0 && { mcpTools }),
    skills: options.skills ? preloaded(definition, options.skills) : [],
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
  const mcpDeny = mcpDenials(subject.denied, options.profile.wildcardDenies, options.settingsMcpDeny)
  const view = (role: Role): View => {
    const { tools, plan } = builtInView(role, subject, options.profile)
    return { tools, mcp, mcpDeny, ...(plan.length > 0 && { plan }) }
  }
  const views = Object.fromEntries(ROLES.map((role) => [role, view(role)])) as Record<Role, View>
  known.set(key, views)
  return views
}
