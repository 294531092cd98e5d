import { matchesTool, type McpPattern } from '../../schemas/mcp-tools.ts'
import type { ManifestAgent, View } from '../../schemas/shapes/manifest.ts'
import { ROLES, type Role } from '../../schemas/values.ts'
import { finding, type Finding } from './change.ts'

type Views = ManifestAgent['toolViews']

/** The tools of a view as one list: the built-in ones, then the patterns of MCP tools that are not denied as a whole. */
export function toolsOf(view: View): string[] {
  const { granted, denied } = patternsOf(view)
  return [...view.tools, ...granted.filter((pattern) => !isCovered(pattern, denied)).map(written)]
}

/** Whether an agent has a tool in any role. */
export function hasTool({ toolViews }: ManifestAgent, wanted: (tool: string) => boolean): boolean {
  return ROLES.some((role) => toolsOf(toolViews[role]).some(wanted))
}

/** Tools that came and went, roles with the same difference together; each tool more is a gain. */
export function viewChanges(old: Views, now: Views): Finding[] {
  const gained = byRole((role) => gainedTools(old[role], now[role]))
  const lost = byRole((role) => lostTools(old[role], now[role]))
  const plan = (views: Views, role: Role): string[] => views[role].plan ?? []
  return [
    ...gained.map(([roles, items]) => finding('tools', 'added', true, { roles, items })),
    ...lost.map(([roles, items]) => finding('tools', 'removed', false, { roles, items })),
    ...byRole((role) => without(plan(now, role), plan(old, role))).map(([roles, items]) =>
      finding('planTools', 'added', true, { roles, items }),
    ),
    ...byRole((role) => without(plan(old, role), plan(now, role))).map(([roles, items]) =>
      finding('planTools', 'removed', false, { roles, items }),
    ),
    ...byRole((role) => (isReordered(old[role], now[role]) ? now[role].tools : [])).map(([roles, items]) =>
      finding('tools', 'changed', false, { roles, items }),
    ),
  ]
}

function gainedTools(old: View, now: View): string[] {
  return [...without(now.tools, old.tools), ...widened(patternsOf(old), patternsOf(now))]
}

function lostTools(old: View, now: View): string[] {
  return [...without(old.tools, now.tools), ...widened(patternsOf(now), patternsOf(old), 'kept')]
}

interface Patterns {
  granted: McpPattern[]
  denied: McpPattern[]
}

const EVERY: McpPattern = { server: '*', tool: '*' }

function patternsOf({ mcp, mcpDeny }: View): Patterns {
  return { granted: mcp === 'all' ? [EVERY] : mcp, denied: mcpDeny === 'all' ? [EVERY] : mcpDeny }
}

/**
 * The patterns by which `wide` reaches further than `narrow`: granted by it alone, or no longer denied. A pattern is named with what it
 * leaves out: what `wide` denies, or, seen from the side that loses, what `narrow` keeps.
 */
function widened(narrow: Patterns, wide: Patterns, rest: 'denied' | 'kept' = 'denied'): string[] {
  const more = wide.granted.filter((pattern) => !isCovered(pattern, narrow.granted) && !isCovered(pattern, wide.denied))
  const freed = narrow.denied
    .filter((pattern) => !isCovered(pattern, wide.denied))
    .flatMap((pattern) => (isCovered(pattern, wide.granted) ? [pattern] : wide.granted.filter((granted) => isCovered(granted, [pattern]))))
    .filter((pattern) => !isCovered(pattern, more) && reaches(narrow, pattern))
  const left = rest === 'denied' ? wide.denied : narrow.granted.filter((pattern) => !isCovered(pattern, narrow.denied))
  return [...more, ...freed].map((pattern) => {
    const inside = left.filter((item) => isCovered(item, [pattern])).map(written)
    return inside.length === 0 ? written(pattern) : `${written(pattern)} (without ${inside.join(', ')})`
  })
}

/** Whether a view grants anything of a pattern, denials left aside. */
function reaches({ granted }: Patterns, pattern: McpPattern): boolean {
  return isCovered(pattern, granted) || granted.some((other) => isCovered(other, [pattern]))
}

function isCovered(pattern: McpPattern, by: readonly McpPattern[]): boolean {
  return by.some((one) => matchesTool(one, `mcp__${pattern.server}__${pattern.tool}`))
}

function written({ server, tool }: McpPattern): string {
  return server === '*' && tool === '*' ? 'mcp__*' : `mcp__${server}__${tool}`
}

function isReordered(old: View, now: View): boolean {
  const same = old.tools.length === now.tools.length && without(now.tools, old.tools).length === 0
  return same && now.tools.some((tool, index) => tool !== old.tools[index])
}

const without = (all: readonly string[], gone: readonly string[]): string[] => all.filter((item) => !gone.includes(item))

/** The roles that have the same list of items, with that list; roles without items are left out. */
function byRole(itemsOf: (role: Role) => string[]): [Role[], string[]][] {
  const groups = new Map<string, [Role[], string[]]>()
  for (const role of ROLES) {
    const items = itemsOf(role)
    if (items.length === 0) continue
    const group = groups.get(items.join('\n')) ?? [[], items]
    group[0].push(role)
    groups.set(items.join('\n'), group)
  }
  return [...groups.values()]
}
