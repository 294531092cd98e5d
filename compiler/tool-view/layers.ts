import type { Profile } from '../../schemas/profile.ts'
import type { Tool } from '../../schemas/tools.ts'
import type { Role } from '../../schemas/values.ts'
import type { ToolEntry, ToolSelector } from '../define/definition.ts'

/** What a view depends on. */
export interface Subject {
  tools: ToolSelector
  denied: readonly ToolEntry[]
  builtIn: boolean
  /** The agent keeps notes, which grants three tools (M8). */
  memory: boolean
  /** Tools that deny rules of the settings take away from everyone. */
  settingsDeny: ReadonlySet<string>
}

/** Why a tool is in a view or not: the layer that decided, and the entry that made it decide. */
export interface Decision {
  tool: Tool
  kept: boolean
  layer: LayerId
  entry?: ToolEntry
}

export type LayerId =
  | 'settings'
  | 'person'
  | 'bash'
  | 'sub-agents'
  | 'depth'
  | 'plan-mode'
  | 'custom-agents'
  | 'background'
  | 'disallowedTools'
  | 'tools'
  | 'memory'

type Dropped = { layer: LayerId; entry?: ToolEntry }
type Layer = (tool: Tool, role: Role, subject: Subject, profile: Profile) => Dropped | undefined

const dropIf = (layer: LayerId, condition: boolean): Dropped | undefined => (condition ? { layer } : undefined)

/**
 * The layers of M7, in their order; the first that drops a tool is its reason, so `explain` needs no second implementation.
 * MCP tools pass the host's sets and are therefore no part of the pool; `mcp.ts` has theirs. The main agent knows no sub-agent layers.
 */
const LAYERS: readonly Layer[] = [
  (tool, _role, subject) => dropIf('settings', subject.settingsDeny.has(tool.name)),
  (tool, role) => dropIf('person', tool.traits.interactive === true && (role === 'main' || tool.traits.subAgents !== 'plan')),
  (tool, _role, subject, profile) => dropIf('bash', clashesWithBash(tool, subject, profile)),
  (tool, role) => dropIf('sub-agents', role !== 'main' && tool.traits.subAgents === false),
  (tool, role, _subject, profile) => dropIf('depth', atDepthLimit(role, profile) && tool.traits.subAgents === 'nested'),
  (tool, role, subject) => dropIf('custom-agents', role !== 'main' && !subject.builtIn && !tool.traits.customAgents),
  (tool, role, _subject, profile) => dropIf('background', inBackground(role, profile) && !tool.traits.background),
  (tool, _role, subject, profile) => deniedBy(tool, subject, profile),
  (tool, _role, subject, profile) => notListed(tool, subject, profile),
]

/** A host that searches through Bash offers Grep and Glob only to agents that name them and do not name Bash (measured.md). */
function clashesWithBash(tool: Tool, { tools, denied, settingsDeny }: Subject, profile: Profile): boolean {
  const isBash = (entry: ToolEntry): boolean => profile.byName.get(entry.name)?.name === 'Bash'
  const gone = settingsDeny.has('Bash')
  if (tool.traits.needsBash) return gone || denied.some(isBash)
  return tool.traits.withoutBash === true && !gone && (tools.kind === 'all' || tools.entries.some(isBash))
}

function deniedBy(tool: Tool, subject: Subject, profile: Profile): Dropped | undefined {
  const entry = subject.denied.find((denied) => denies(denied, tool, profile))
  return entry && { layer: 'disallowedTools', entry }
}

export function denies(entry: ToolEntry, tool: Tool, profile: Profile): boolean {
  if (entry.text === '*') return profile.wildcardDenies
  if (entry.specifier !== undefined && !profile.specifierDeniesTool) return false
  return profile.byName.get(entry.name) === tool
}

function notListed(tool: Tool, subject: Subject, profile: Profile): Dropped | undefined {
  if (subject.tools.kind === 'all') return undefined
  return dropIf('tools', !subject.tools.entries.some((entry) => profile.byName.get(entry.name) === tool))
}

function inBackground(role: Role, profile: Profile): boolean {
  return role === 'background' || (profile.subAgentsInBackground && (role === 'sub' || role === 'leaf'))
}

/** Where nesting is off, every sub-agent is at the limit (design 7). */
function atDepthLimit(role: Role, profile: Profile): boolean {
  return role === 'leaf' || (role !== 'main' && profile.spawnDepth <= 1)
}

/** Decides about one tool of the pool in one role. */
export function decide(tool: Tool, role: Role, subject: Subject, profile: Profile): Decision {
  for (const layer of LAYERS) {
    const dropped = layer(tool, role, subject, profile)
    if (dropped) return granted(tool, subject, dropped) ?? { tool, kept: false, ...dropped }
  }
  if (role !== 'main' && tool.traits.subAgents === 'plan') return { tool, kept: true, layer: 'plan-mode' }
  const listed = subject.tools.kind === 'only' ? subject.tools.entries.find((entry) => profile.byName.get(entry.name) === tool) : undefined
  return { tool, kept: true, layer: 'tools', ...(listed && { entry: listed }) }
}

/** In the order in which they are appended to an explicit list (measured.md "Tools of a sub-agent"). */
export const MEMORY_TOOLS = ['Write', 'Edit', 'Read']

/** Grants undo only the explicit list: a denial wins over memory (design 7). */
function granted(tool: Tool, subject: Subject, dropped: Dropped): Decision | undefined {
  if (!subject.memory || dropped.layer !== 'tools' || !MEMORY_TOOLS.includes(tool.name)) return undefined
  return { tool, kept: true, layer: 'memory' }
}
