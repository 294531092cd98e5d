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
import type { SourceFile } from '../source-file.ts'
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
  /** What was resolved before, where nothing but definitions has changed since. */
  known?: Memo<AgentDefinition, ResolvedAgent> | undefined
  last?: LastResolution | undefined
}

/** The last resolution and what it was made from; the next puts itself in its place. */
export interface LastResolution {
  before?: Before
}

export interface Before {
  definitions: readonly AgentDefinition[]
  dropped: readonly DroppedAgent[]
  /** All names that have a definition, whether it counts or not. */
  names: ReadonlyMap<string, unknown>
  resolution: Resolution
}

/** The views of equal lists of tools, for agents that are resolved together: many agents write the same. */
export type SharedViews = Map<string, Record<Role, View>>

/** In: an agent's definition and those it overrides, the highest layer first; the names that a list may lead to. */
export function resolveOne(
  chain: AgentDefinition[],
  options: ResolveOptions,
  views: SharedViews,
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
function viewsOf(subject: Subject, definition: AgentDefinition, options: ResolveOptions, known: SharedViews): Record<Role, View> {
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
