import { inToolName, mcpPattern } from '../../schemas/mcp-tools.ts'
import type { Mcp } from '../../schemas/shapes/manifest.ts'
import type { ServerUse } from '../../schemas/shapes/server.ts'
import type { ToolEntry, ToolSelector } from '../define/definition.ts'

export function isMcp(entry: ToolEntry): boolean {
  return entry.name.startsWith('mcp__')
}

/** The MCP tools a selector grants; servers that the agent names itself come on top of an explicit list (measured.md). */
export function mcpGrants(selector: ToolSelector, servers: readonly ServerUse[], wildcardGrants: boolean): Mcp {
  if (selector.kind === 'all') return 'all'
  const own = servers.map((use) => ({ server: inToolName('ref' in use ? use.ref : use.name), tool: '*' }))
  const granted = selector.entries
    .filter((entry) => isMcp(entry) && (wildcardGrants || entry.name !== 'mcp__*'))
    .map((entry) => mcpPattern(entry.name))
  return patterns([...granted, ...own])
}

/** What an agent's `disallowedTools` and the settings take from it. */
export function mcpDenials(denied: readonly ToolEntry[], wildcardDenies: boolean, settings: Mcp = []): Mcp {
  if (settings === 'all') return 'all'
  if (wildcardDenies && denied.some((entry) => entry.text === '*')) return 'all'
  return patterns([...settings, ...denied.filter(isMcp).map((entry) => mcpPattern(entry.name))])
}

/** Each pattern once, and none that another one covers. */
function patterns(all: { server: string; tool: string }[]): Mcp {
  if (all.some(({ server, tool }) => server === '*' && tool === '*')) return 'all'
  const whole = new Set(all.filter(({ tool }) => tool === '*').map(({ server }) => server))
  const seen = new Set<string>()
  return all.filter(({ server, tool }) => {
    const key = `${server}__${tool}`
    if (seen.has(key) || (tool !== '*' && whole.has(server))) return false
    seen.add(key)
    return true
  })
}
