import { inToolName, matchesTool, mcpPattern } from '../../schemas/mcp-tools.ts'
import type { Mcp } from '../../schemas/shapes/manifest.ts'
import { ROLES } from '../../schemas/values.ts'
import type { Compilation } from '../compile.ts'
import type { ToolEntry } from '../define/definition.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import { resolvedView, type KnownServers } from '../servers/locked-tools.ts'
import type { Settings } from '../settings/settings.ts'
import { isMcp } from '../tool-view/mcp.ts'
import { placeText } from './place.ts'
import { writtenAt, type ToolReason } from './tool.ts'

/** In: the full name of a server's tool, as it may be asked for: `mcp__server__tool`. */
export function isMcpToolName(name: string): boolean {
  return /^mcp__.+__[^*]+$/.test(name)
}

/** Why an agent has a tool of a server or not. Roles make no difference for these. */
export function mcpReason(name: string, agent: ResolvedAgent, { settings, mcp }: Pick<Compilation, 'settings' | 'mcp'>): ToolReason {
  const reason = decided(name, agent, settings, mcp)
  return { tool: name, roles: Object.fromEntries(ROLES.map((role) => [role, reason])) as ToolReason['roles'] }
}

function decided(
  name: string,
  { definition, views }: ResolvedAgent,
  settings: Settings,
  known: KnownServers,
): { in: boolean; why: string } {
  const view = { ...views.main, tools: [] }
  const fits = (patterns: Mcp): boolean => patterns === 'all' || patterns.some((pattern) => matchesTool(pattern, name))
  if (fits(view.mcpDeny)) return { in: false, why: `taken ${denied(name, definition, settings)}` }
  if (!fits(view.mcp)) return { in: false, why: `not in ${writtenAt('tools', undefined, definition)}` }
  const { tools, mcp } = resolvedView(view, definition, known)
  if (!tools.includes(name) && !fits(mcp)) return { in: false, why: 'none of the servers that are set up had it when they were locked' }
  const lacking = isSetUp(name, definition, known) ? '' : ', but nothing here sets up its server; the session that runs the agent may'
  return { in: true, why: `${granted(name, definition)}${lacking}` }
}

type Definition = ResolvedAgent['definition']

function fitting(name: string, entries: readonly ToolEntry[]): ToolEntry | undefined {
  return entries.find((entry) => isMcp(entry) && matchesTool(mcpPattern(entry.name), name))
}

function denied(name: string, definition: Definition, { rules }: Settings): string {
  const { disallowedTools: list } = definition
  const entry = fitting(name, list) ?? list.find(({ text }) => text === '*')
  if (entry) return `away by ${writtenAt('disallowedTools', entry, definition)}`
  const rule = rules.find(
    (one) => one.list === 'deny' && !one.rule.match && (one.rule.tool === '*' || matchesTool(mcpPattern(one.rule.tool), name)),
  )
  return `from everyone by the deny rule ${rule ? `${rule.text} at ${placeText(rule.file, rule.range)}` : 'of the settings'}`
}

function granted(name: string, definition: Definition): string {
  if (definition.tools.kind === 'all') return 'no list restricts it'
  const entry = fitting(name, definition.tools.entries)
  return entry ? `granted by ${writtenAt('tools', entry, definition)}` : `granted by ${writtenAt('mcpServers', undefined, definition)}`
}

function isSetUp(name: string, { mcpServers }: Definition, { servers }: KnownServers): boolean {
  const own = (mcpServers?.value ?? []).flatMap(({ value }) => ('name' in value ? [value.name] : []))
  return [...servers.keys(), ...own].some((server) => name.startsWith(`mcp__${inToolName(server)}__`))
}
