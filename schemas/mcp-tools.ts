import { hashOf } from './canonical.ts'
import type { Mcp, View } from './shapes/manifest.ts'
import type { LockedTool, ServerUse } from './shapes/server.ts'

/** Names and views of MCP tools: what the compiler shows and the runner offers comes from the same functions. */

/** A name as it stands inside a tool's name: `my server` becomes `my_server` (measured.md "Tools of a sub-agent"). */
export function inToolName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_')
}

/** The name under which a model is offered a tool of a server. */
export function mcpToolName(server: string, tool: string): string {
  return `mcp__${inToolName(server)}__${inToolName(tool)}`
}

/** The hash of what a tool tells the model and the runner; when it changes after the servers were locked, the tool is refused. */
export function lockedToolHash({ name, description, input_schema, readOnly }: Omit<LockedTool, 'hash'>): string {
  return hashOf({ name, description, input_schema, ...(readOnly !== undefined && { readOnly }) })
}

export type McpPattern = Exclude<Mcp, 'all'>[number]

/**
 * Whether a pattern is about a tool, both by full names. A server's name may itself hold `__`, where a pattern was split at the first one,
 * so the whole texts are compared: equal, everything below a server, or what a star at the end leaves open.
 */
export function matchesTool({ server, tool }: McpPattern, name: string): boolean {
  if (server === '*') return true
  const text = `mcp__${server}__${tool}`
  if (text.endsWith('*')) return name.startsWith(text.slice(0, -1))
  return name === text || name.startsWith(`${text}__`)
}

function isIn(patterns: Mcp, name: string): boolean {
  return patterns === 'all' || patterns.some((pattern) => matchesTool(pattern, name))
}

/** In: `mcp__server`, `mcp__server__*`, `mcp__server__tool`; `mcp__*` is every server. */
export function mcpPattern(name: string): { server: string; tool: string } {
  const rest = name.slice('mcp__'.length)
  const at = rest.indexOf('__')
  return at < 0 ? { server: rest, tool: '*' } : { server: rest.slice(0, at), tool: rest.slice(at + 2) || '*' }
}

/** Tools by server; those that were locked, or those that a running server lists. */
export type ToolsByServer = Readonly<Record<string, readonly { name: string }[]>>

/**
 * The MCP tools of a view, each once, by full name. `tools` holds those of the session's servers and of the agent's own; `servers` is
 * what the agent's `mcpServers` says. The pool and what `tools` grants come sorted; servers that the agent names itself, and its own,
 * come after them in the order in which the server lists its tools (conformance plugin-mcp: mstar, mserver, mref, minl).
 */
export function expand(view: View, tools: ToolsByServer, servers: readonly ServerUse[]): string[] {
  const inline = new Set(servers.flatMap((use) => ('name' in use ? [use.name] : [])))
  const session = namesOf(tools, (server) => !inline.has(server))
  const own = namesOf(tools, (server) => inline.has(server))
  const all =
    view.mcp === 'all' ? [...session.sort(), ...own] : view.mcp.flatMap((pattern) => matching(pattern, [...session, ...own], servers))
  return [...new Set(all)].filter((name) => !isIn(view.mcpDeny, name))
}

function namesOf(tools: ToolsByServer, wanted: (server: string) => boolean): string[] {
  const lists = Object.entries(tools).filter(([server]) => wanted(server))
  return lists.flatMap(([server, list]) => list.map(({ name }) => mcpToolName(server, name)))
}

function matching(pattern: McpPattern, names: readonly string[], servers: readonly ServerUse[]): string[] {
  const found = names.filter((name) => matchesTool(pattern, name))
  const named = servers.some((use) => inToolName('ref' in use ? use.ref : use.name) === pattern.server)
  return named && pattern.tool === '*' ? found : found.sort()
}
