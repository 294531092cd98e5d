import { ManifestFault, readManifest, type OpenManifest } from '../../schemas/manifest.ts'
import type { ManifestAgent, View } from '../../schemas/shapes/manifest.ts'
import { ROLES } from '../../schemas/values.ts'

/** What changed between two manifests, a line each: agents that came and went, and per agent what it gained, lost and became. */
export function differences(before: string, after: string): string[] {
  const old = open(before)
  if (!old) return ['the old manifest cannot be read']
  const now = readManifest(after)
  const names = [...new Set([...old.names, ...now.names])].sort()
  const lines = names.flatMap((name) => agentDifferences(name, old.agents.get(name), now.agents.get(name)))
  return lines.length > 0 ? lines : ['the header (tools, models or limits of agentc) changed']
}

function open(text: string): OpenManifest | undefined {
  try {
    return readManifest(text)
  } catch (error) {
    if (error instanceof ManifestFault) return undefined
    throw error
  }
}

function agentDifferences(name: string, old: ManifestAgent | undefined, now: ManifestAgent | undefined): string[] {
  if (!old) return [`+ ${name}: new agent`]
  if (!now) return [`- ${name}: gone`]
  if (old.hash === now.hash) return []
  return [...toolDifferences(name, old, now), ...fieldDifferences(name, old, now)]
}

function toolDifferences(name: string, old: ManifestAgent, now: ManifestAgent): string[] {
  return ROLES.flatMap((role) => {
    const [before, after] = [toolsOf(old.toolViews[role]), toolsOf(now.toolViews[role])]
    const gained = after.filter((tool) => !before.includes(tool))
    const lost = before.filter((tool) => !after.includes(tool))
    return [
      ...(gained.length > 0 ? [`~ ${name}: ${role} gains ${gained.join(', ')}`] : []),
      ...(lost.length > 0 ? [`~ ${name}: ${role} loses ${lost.join(', ')}`] : []),
    ]
  })
}

/** The tools of a view as one list: the built-in ones, then the patterns of MCP tools that are not denied as a whole. */
export function toolsOf({ tools, mcp, mcpDeny }: View): string[] {
  if (mcpDeny === 'all') return tools
  if (mcp === 'all') return [...tools, 'mcp__*']
  const denied = (server: string, tool: string): boolean =>
    mcpDeny.some((deny) => (deny.server === '*' || deny.server === server) && (deny.tool === '*' || deny.tool === tool))
  return [...tools, ...mcp.filter(({ server, tool }) => !denied(server, tool)).map(({ server, tool }) => `mcp__${server}__${tool}`)]
}

const QUIET = new Set(['hash', 'toolViews', 'provenance'])

function fieldDifferences(name: string, old: ManifestAgent, now: ManifestAgent): string[] {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((key) => !QUIET.has(key)) as (keyof ManifestAgent)[]
  return keys
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
    .map((key) => `~ ${name}: ${key} ${change(old[key], now[key])}`)
}

function change(old: unknown, now: unknown): string {
  const short = (value: unknown): string | undefined => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text !== undefined && text.length <= 40 && !text.includes('\n') ? text : undefined
  }
  if (old === undefined) return `is ${short(now) ?? 'new'}`
  if (now === undefined) return `is gone (was ${short(old) ?? 'set'})`
  const [before, after] = [short(old), short(now)]
  return before !== undefined && after !== undefined ? `was ${before}, is ${after}` : 'changed'
}
