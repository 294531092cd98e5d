import { expand, inToolName, mcpToolName, type McpPattern } from '../../schemas/mcp-tools.ts'
import type { View } from '../../schemas/shapes/manifest.ts'
import type { LockedTool, ServerUse } from '../../schemas/shapes/server.ts'
import type { NoticeEvent } from '../events.ts'
import { notice } from '../notice-queue.ts'
import { hashOfTool } from './connection.ts'
import type { McpTool, McpTools } from './mcp-tool.ts'
import type { ListedTool } from './wire.ts'

/** What a server lists. `locked`: what it may offer; `missing` if there is a lock, and the server is not in it. */
export interface Listing {
  server: string
  tools: readonly ListedTool[]
  locked: readonly LockedTool[] | 'missing' | undefined
}

export interface Offers {
  tools: McpTools
  notices: readonly NoticeEvent[]
}

/** The API takes no other names, and no longer ones. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,128}$/
const PROPERTY_NAME = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * The tools of servers that a view offers: filtered by what was locked and by the view, each name once. What cannot be offered is left out
 * and said; two tools that come to one name are both left out, because a call could not say which of them it means.
 */
export function offersOf(view: View, listings: readonly Listing[], uses: readonly ServerUse[]): Offers {
  const notices: NoticeEvent[] = []
  const kept = [...listings]
    .sort((a, b) => order(a.server, b.server))
    .map((listing) => ({ ...listing, tools: unchanged(listing, notices) }))
  const byServer = Object.fromEntries(kept.map(({ server, tools }) => [server, tools]))
  const found = new Map<string, { server: string; tool: ListedTool }[]>()
  for (const { server, tools } of kept) {
    for (const tool of tools) {
      const name = mcpToolName(server, tool.name)
      found.set(name, [...(found.get(name) ?? []), { server, tool }])
    }
  }
  const tools: Record<string, McpTool> = {}
  for (const name of expand(view, byServer, uses)) {
    const [first, ...others] = found.get(name)!
    const fault = others.length > 0 ? clash(found.get(name)!) : misfit(name, first!.tool)
    if (fault === undefined) tools[name] = offered(first!)
    else notices.push(notice('mcp-tool', `the tool ${name} is not offered: ${fault}`))
  }
  return { tools, notices }
}

function offered({ server, tool }: { server: string; tool: ListedTool }): McpTool {
  const { name, description, input_schema, readOnly } = tool
  return { description, input_schema, traits: { readOnly }, mcp: { server, tool: name } }
}

/** The tools of a listing that are as they were locked, sorted by name. */
function unchanged({ server, tools, locked }: Listing, notices: NoticeEvent[]): ListedTool[] {
  const sorted = [...tools].sort((a, b) => order(a.name, b.name))
  if (locked === undefined) return sorted
  if (locked === 'missing') {
    notices.push(
      notice('mcp-lock', `the MCP server ${server} was not locked, so none of its tools is offered: run agentc build --lock-mcp`),
    )
    return []
  }
  const good = sorted.filter((tool) => locked.some(({ name, hash }) => name === tool.name && hash === hashOfTool(tool)))
  const others = sorted.filter((tool) => !good.includes(tool)).map(({ name }) => name)
  const isLocked = (tool: string): boolean => locked.some(({ name }) => name === tool)
  const changed = others.filter(isLocked)
  const fresh = others.filter((name) => !isLocked(name))
  if (changed.length > 0) {
    const what = `the MCP server ${server} describes ${changed.join(', ')} in another way than when it was locked`
    notices.push(notice('mcp-lock', `${what}, so this is not offered: look at it and run agentc build --lock-mcp`))
  }
  if (fresh.length > 0)
    notices.push(notice('mcp-lock', `the MCP server ${server} has tools that were not locked and are not offered: ${fresh.join(', ')}`))
  return good
}

function clash(tools: readonly { server: string; tool: ListedTool }[]): string {
  return `it is the name of ${tools.map(({ server, tool }) => `${JSON.stringify(tool.name)} of the server ${JSON.stringify(server)}`).join(' and of ')}`
}

/** Why the API would refuse a request with this tool, and so every request of the run. */
function misfit(name: string, { input_schema: schema }: ListedTool): string | undefined {
  if (!TOOL_NAME.test(name)) return `the API takes names of at most 128 characters, and this has ${name.length}`
  const combined = ['anyOf', 'oneOf', 'allOf'].find((key) => key in schema)
  if (combined !== undefined) return `the API takes no schema with ${combined} at its top`
  const property = Object.keys((schema.properties as object | undefined) ?? {}).find((key) => !PROPERTY_NAME.test(key))
  return property === undefined ? undefined : `the API takes no parameter named ${JSON.stringify(property)}`
}

/** Whether a view can have tools of a server, whatever they are called. */
export function mayOffer({ mcp, mcpDeny }: View, server: string): boolean {
  const below = `mcp__${inToolName(server)}__`
  const textOf = ({ server: name, tool }: McpPattern): string => (name === '*' ? 'mcp__*' : `mcp__${name}__${tool}`)
  const all = (pattern: McpPattern): boolean => textOf(pattern).endsWith('*') && below.startsWith(textOf(pattern).slice(0, -1))
  const some = (pattern: McpPattern): boolean => all(pattern) || textOf(pattern).startsWith(below)
  const denied = mcpDeny === 'all' || mcpDeny.some(all)
  return !denied && (mcp === 'all' || mcp.some(some))
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
