import { memoryFolder } from '../../schemas/memory-folder.ts'
import type { Origin } from '../../schemas/source.ts'
import { ROLES, type Role } from '../../schemas/values.ts'
import type { Compilation } from '../compile.ts'
import { ruleText } from '../../schemas/rule-text.ts'
import { locationOf } from '../report/location.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import { resolvedView, serversOf, type KnownServers } from '../servers/locked-tools.ts'
import type { DeclaredServer, Server } from '../servers/server.ts'
import { explainHooks } from './hooks.ts'
import { explainInstructions } from './instructions.ts'
import { placeText } from './place.ts'
import { explainRules } from './rules.ts'
import { explainSettings, type Explained } from './settings.ts'
import { explainSkills, type ExplainedSkill } from './skills.ts'
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
  /** Servers it can reach: its own, those set up elsewhere with what each replaced, and names that nothing sets up. */
  servers: Explained[]
  /** The names under `skills`, also those that lead nowhere. */
  skills: ExplainedSkill[]
  /** Files with instructions, in the order in which it gets them. */
  instructions: Explained[]
  /** Permission rules, its own first, then those of the settings. */
  rules: Explained[]
  /** Hooks of settings and plugins, then its own. */
  hooks: Explained[]
  /** What else the settings say to every agent. */
  settings: Explained[]
}

export interface ExplainedField {
  field: string
  value: unknown
  /** Where it was written, or why it has this value although nobody wrote it. */
  from: string
}

export function explainAgent(name: string, agent: ResolvedAgent, compilation: Compilation): Explanation {
  const { profile, mcp, settings, skills, definitions, instructions } = compilation
  const { definition, overrides, views, color } = agent
  return {
    name,
    color,
    chain: [definition, ...overrides].map(({ file, description }) => ({ ...shownOrigin(file.origin), description: description.value })),
    fields: fields(agent),
    tools: toolReasons(agent, profile, settings),
    mcp: Object.fromEntries(ROLES.map((role) => [role, mcpText(views[role], agent, mcp)])) as Record<Role, string>,
    servers: [...ownServers(definition, mcp), ...serversOf(views.main, mcp.servers).map(shownServer)],
    skills: explainSkills(definition, skills),
    instructions: explainInstructions(definition, instructions),
    rules: explainRules(agent, settings),
    hooks: explainHooks(definitions.agents.find((one) => one.file === definition.file && one.name.value === name) ?? definition, settings),
    settings: explainSettings(settings),
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

function shownServer({ name, overruled, ...server }: Server): Explained {
  const place = ({ file, range }: DeclaredServer): string => placeText(file, range)
  return { name, from: place({ name, ...server }), overruled: overruled.map(place) }
}

/** What stands under `mcpServers` itself; a name that is set up elsewhere is in the list of those. */
function ownServers({ file, mcpServers }: ResolvedAgent['definition'], { servers }: KnownServers): Explained[] {
  return (mcpServers?.value ?? []).flatMap(({ value, range }) => {
    const from = placeText(file, range)
    if ('name' in value) return [{ name: `${value.name} (its own)`, from, overruled: [] }]
    return servers.has(value.ref)
      ? []
      : [{ name: value.ref, from, overruled: [], off: 'nothing here sets it up; the session that runs the agent may' }]
  })
}

function mcpText(view: ResolvedAgent['views'][Role], { definition }: ResolvedAgent, known: KnownServers): string {
  if (!known.lock) return patternsText(view)
  const { tools, mcp } = resolvedView({ ...view, tools: [] }, definition, known)
  return [...tools, ...(mcp === 'all' || mcp.length > 0 ? [patternsText({ ...view, mcp })] : [])].join(', ') || 'none'
}

function patternsText({ mcp, mcpDeny }: ResolvedAgent['views'][Role]): string {
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
  const rules = (list: ResolvedAgent['limits']): string[] | undefined => (list.length === 0 ? undefined : list.map(ruleText))
  return [
    ...writtenFields(definition).flatMap(([name, value]) => field(name, value, at(name))),
    ...field('color', color, definition.color ? at('color') : 'by its name'),
    ...field('memoryFolder', folderOf(definition), at('memory') && 'by its scope, its name and where its file is'),
    ...field('limits', rules(limits), at('tools')),
    ...field('deny', rules(deny), at('disallowedTools')),
    ...field('spawns', spawns === 'all' ? undefined : spawns, at('tools')),
  ]
}

/** Where its notes lie, with the folder they are relative to if that is not the project. */
function folderOf({ memory, name, file }: ResolvedAgent['definition']): string | undefined {
  if (!memory) return undefined
  const { base, path } = memoryFolder(memory.value, name.value, file.origin)
  if (base === 'config') return locationOf({ source: 'user', path })
  return base === 'checkout' && file.origin.checkout === 'main' ? `${path} in the main checkout` : path
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
  return place && placeText(file, place.value)
}
