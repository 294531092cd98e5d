import { expand, inToolName } from '../../schemas/mcp-tools.ts'
import type { View } from '../../schemas/shapes/manifest.ts'
import type { LockedTool } from '../../schemas/shapes/server.ts'
import type { AgentDefinition } from '../define/definition.ts'
import type { Lock } from './lock-file.ts'
import type { Server, Servers } from './server.ts'

/** What is known about servers: those that are set up, and the tools of those that were locked. */
export interface KnownServers {
  servers: Servers
  lock?: Lock
}

/** The locked tools of the servers that an agent brings along. */
export function ownTools({ name, mcpServers }: AgentDefinition, lock: Lock | undefined): Record<string, LockedTool[]> {
  const locked = lock?.content.agents?.[name.value] ?? {}
  const own = (mcpServers?.value ?? []).flatMap(({ value }) => ('name' in value ? [value.name] : []))
  return Object.fromEntries(own.flatMap((server) => (Object.hasOwn(locked, server) ? [[server, locked[server]!]] : [])))
}

/** The locked tools that an agent can meet: those of the session's servers, and of its own, which stand before others of their name. */
export function toolsFor(agent: AgentDefinition, lock: Lock | undefined): Record<string, LockedTool[]> {
  return { ...lock?.content.servers, ...ownTools(agent, lock) }
}

/**
 * A view as far as it is known what it comes to: in place of patterns stand the names of the tools they let in. Patterns of servers that are
 * set up and were not locked stay.
 */
export function resolvedView(view: View, agent: AgentDefinition, { servers, lock }: KnownServers): View {
  if (!lock) return view
  const tools = toolsFor(agent, lock)
  const uses = (agent.mcpServers?.value ?? []).map(({ value }) => value)
  const set = [...servers.keys(), ...uses.flatMap((use) => ('name' in use ? [use.name] : []))]
  const open = [...new Set(set)].filter((name) => !Object.hasOwn(tools, name)).map(inToolName)
  const patterns =
    view.mcp === 'all' ? open.map((server) => ({ server, tool: '*' })) : view.mcp.filter(({ server }) => open.includes(server))
  return { ...view, tools: [...view.tools, ...expand(view, tools, uses)], mcp: patterns }
}

/** The servers that are set up outside the agent and that one of its views reaches. */
export function serversOf({ mcp, mcpDeny }: View, servers: Servers): Server[] {
  const isWhole = (patterns: View['mcp'], prefix: string): boolean =>
    patterns === 'all' || patterns.some((pattern) => pattern.server === prefix && pattern.tool === '*')
  const isNamed = (prefix: string): boolean => mcp === 'all' || mcp.some((pattern) => pattern.server === '*' || pattern.server === prefix)
  return [...servers.values()].filter(({ name }) => isNamed(inToolName(name)) && !isWhole(mcpDeny, inToolName(name)))
}
