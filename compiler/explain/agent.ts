import type { Origin } from '../../schemas/source.ts'
import { ROLES, type Role } from '../../schemas/values.ts'
import type { Compilation } from '../compile.ts'
import { positionOf } from '../position.ts'
import { locationOf } from '../report/location.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import { toolReasons, type ToolReason } from './tool.ts'

/** What `explain <agent>` tells, as data. */
export interface Explanation {
  name: string
  color: string
  /** Winner first. */
  chain: { source: string; path: string; description: string; link?: string; checkout?: string }[]
  fields: ExplainedField[]
  tools: ToolReason[]
  mcp: Record<Role, string>
}

export interface ExplainedField {
  field: string
  value: unknown
  /** Where it was written, or why it has this value although nobody wrote it. */
  from: string
}

export function explainAgent(name: string, agent: ResolvedAgent, { profile }: Compilation): Explanation {
  const { definition, overrides, views, color } = agent
  return {
    name,
    color,
    chain: [definition, ...overrides].map(({ file, description }) => ({ ...shownOrigin(file.origin), description: description.value })),
    fields: fields(agent),
    tools: toolReasons(agent, profile),
    mcp: Object.fromEntries(ROLES.map((role) => [role, mcpText(views[role])])) as Record<Role, string>,
  }
}

function shownOrigin(origin: Origin): Omit<Explanation['chain'][number], 'description'> {
  const { source, link, checkout } = origin
  return {
    source,
    path: locationOf(origin),
    ...(link !== undefined && { link }),
    ...(checkout && { checkout: 'the main checkout of this worktree' }),
  }
}

function mcpText({ mcp, mcpDeny }: ResolvedAgent['views'][Role]): string {
  const names = (list: { server: string; tool: string }[]): string => list.map(({ server, tool }) => `mcp__${server}__${tool}`).join(', ')
  if (mcpDeny === 'all' || (mcp !== 'all' && mcp.length === 0)) return 'none'
  const allowed = mcp === 'all' ? 'all' : names(mcp)
  return mcpDeny.length === 0 ? allowed : `${allowed} but ${names(mcpDeny)}`
}

/** Every field with its value and where it comes from; those that nobody wrote say why they are what they are. */
function fields({ definition, color, limits, deny, spawns }: ResolvedAgent): ExplainedField[] {
  const at = (key: string): string | undefined => placeOf(definition, key)
  const field = (name: string, value: unknown, from: string | undefined): ExplainedField[] =>
    value === undefined ? [] : [{ field: name, value, from: from ?? 'by default' }]
  const rules = (list: ResolvedAgent['limits']): string[] | undefined =>
    list.length === 0 ? undefined : list.map(({ tool, match }) => `${tool}: ${JSON.stringify(match)}`)
  return [
    ...writtenFields(definition).flatMap(([name, value]) => field(name, value, at(name))),
    ...field('color', color, definition.color ? at('color') : 'by its name'),
    ...field('limits', rules(limits), at('tools')),
    ...field('deny', rules(deny), at('disallowedTools')),
    ...field('spawns', spawns === 'all' ? undefined : spawns, at('tools')),
  ]
}

function writtenFields(definition: ResolvedAgent['definition']): [string, unknown][] {
  const plain = (
    [
      'effort',
      'maxTurns',
      'permissionMode',
      'background',
      'isolation',
      'memory',
      'initialPrompt',
      'omitClaudeMd',
      'requiredMcpServers',
      'criticalSystemReminder_EXPERIMENTAL',
      'autoCompactWindow',
    ] as const
  ).map((key): [string, unknown] => [key, definition[key]?.value])
  return [
    ['description', definition.description.value],
    ['tools', definition.tools.kind === 'all' ? 'all' : definition.tools.entries.map(({ text }) => text)],
    ['disallowedTools', definition.disallowedTools.length === 0 ? undefined : definition.disallowedTools.map(({ text }) => text)],
    ['model', modelText(definition)],
    ...plain,
    ['skills', definition.skills?.value.map(({ value }) => value)],
    ['mcpServers', definition.mcpServers?.value.map(({ value }) => ('ref' in value ? value.ref : `${value.name} (its own)`))],
    ['hooks', definition.hooks && Object.keys(definition.hooks.value)],
    ['experimental', definition.cacheTtl && { cacheTtl: definition.cacheTtl.value }],
  ]
}

function modelText({ model }: ResolvedAgent['definition']): string {
  return model === undefined ? 'inherit' : model.value.id + (model.value.contextWindow ? `[${model.value.contextWindow}]` : '')
}

function placeOf({ places, file }: ResolvedAgent['definition'], key: string): string | undefined {
  const place = places.get(key)
  if (!place) return undefined
  const { line, column } = positionOf(file.text, place.value[0])
  return `${locationOf(file.origin)}:${line}:${column}`
}
