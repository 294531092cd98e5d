import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { inToolName, matchesTool, mcpPattern, mcpToolName } from '../../schemas/mcp-tools.ts'
import { didYouMean, folded } from '../../schemas/near.ts'
import type { Range } from '../../schemas/source.ts'
import type { AgentDefinition, ToolEntry } from '../define/definition.ts'
import * as say from '../findings/server.ts'
import { toolsFor, type KnownServers } from '../servers/locked-tools.ts'
import type { Lock } from '../servers/lock-file.ts'
import { isMcp } from '../tool-view/mcp.ts'

/**
 * Names of MCP servers that nothing sets up: always an info, because the session that runs the agent may have them (what-to-report.md).
 * With a lock it is known which tools there are, and a pattern that matches none of them is a mistake (case 36).
 */
export function checkServers(agent: AgentDefinition, { servers, lock }: KnownServers): Diagnostic[] {
  if (agent.file.origin.source === 'builtin' || !namesServers(agent)) return []
  const own = (agent.mcpServers?.value ?? []).flatMap(({ value }) => ('name' in value ? [value.name] : []))
  const all = [...new Set([...servers.keys(), ...Object.keys(lock?.content.servers ?? {})]), ...own]
  const tools = lock && lockedNames(agent, lock)
  const said = new Set<string>()
  return mentions(agent).flatMap((mention) => {
    const isKnown = all.some((name) => isMeant(mention, name))
    const nothing = isKnown ? unmatched(agent, mention, all, tools, lock) : undefined
    if (nothing !== undefined || isKnown) return nothing ?? []
    const near = nearest(mention.server, all)
    if (tools && mention.pattern && near?.sameLetters)
      return [say.noServerTool(agent.file, mention.range, mention.text, patternText(near.name, mention.pattern.tool))]
    if (said.has(mention.server)) return []
    said.add(mention.server)
    return [say.unknownServer(agent.file, mention.range, mention.server, near?.name)]
  })
}

interface Mention {
  text: string
  /** As it was written, or as it stands in a tool's name. */
  server: string
  range: Range
  pattern?: { server: string; tool: string }
}

/** Most agents name none. */
function namesServers({ tools, disallowedTools, mcpServers, requiredMcpServers }: AgentDefinition): boolean {
  return (
    mcpServers !== undefined ||
    requiredMcpServers !== undefined ||
    disallowedTools.some(isMcp) ||
    (tools.kind === 'only' && tools.entries.some(isMcp))
  )
}

/** Where the agent names a server: references, required servers, and patterns of tools. */
function mentions({ tools, disallowedTools, mcpServers, requiredMcpServers, places }: AgentDefinition): Mention[] {
  const entries = [...(tools.kind === 'all' ? [] : tools.entries), ...disallowedTools]
  const required = places.get('requiredMcpServers')?.value
  return [
    ...entries.filter((entry) => isMcp(entry) && !entry.name.startsWith('mcp__*')).map(fromEntry),
    ...(mcpServers?.value ?? []).flatMap(({ value, range }) => ('ref' in value ? [{ text: value.ref, server: value.ref, range }] : [])),
    ...(requiredMcpServers?.value ?? []).map((server) => ({ text: server, server, range: required! })),
  ]
}

function fromEntry({ name, range }: ToolEntry): Mention {
  const pattern = mcpPattern(name)
  return { text: name, server: pattern.server, range, pattern }
}

/** A pattern means a server by its name inside tools' names; where that holds `__`, the pattern was cut inside it. */
function isMeant({ server, text, pattern }: Mention, name: string): boolean {
  if (!pattern) return server === name
  const prefix = `mcp__${inToolName(name)}`
  return server === inToolName(name) || text === prefix || text.startsWith(`${prefix}__`)
}

/** A pattern that names a locked server and none of its tools. */
function unmatched(
  agent: AgentDefinition,
  { text, range, pattern }: Mention,
  names: readonly string[],
  tools: readonly string[] | undefined,
  lock: Lock | undefined,
): Diagnostic[] | undefined {
  if (!tools || !pattern || tools.some((tool) => matchesTool(pattern, tool))) return undefined
  const servers = names.filter((name) => inToolName(name) === pattern.server)
  if (servers.some((name) => !isLocked(agent, name, lock))) return undefined
  const meant = didYouMean(text, tools)
  return [say.noServerTool(agent.file, range, text, meant)]
}

function isLocked({ name }: AgentDefinition, server: string, lock: Lock | undefined): boolean {
  return lock?.content.servers[server] !== undefined || lock?.content.agents?.[name.value]?.[server] !== undefined
}

function lockedNames(agent: AgentDefinition, lock: Lock): string[] {
  return Object.entries(toolsFor(agent, lock)).flatMap(([server, tools]) => tools.map((tool) => mcpToolName(server, tool.name)))
}

/** The server that was probably meant; with the same letters but for case and separators it surely was. */
function nearest(written: string, names: readonly string[]): { name: string; sameLetters: boolean } | undefined {
  const same = names.find((name) => folded(inToolName(name)) === folded(written))
  if (same !== undefined) return { name: same, sameLetters: true }
  const near = didYouMean(written, names)
  return near === undefined ? undefined : { name: near, sameLetters: false }
}

function patternText(server: string, tool: string): string {
  return `mcp__${inToolName(server)}__${tool}`
}
