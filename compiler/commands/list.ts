import type { Profile } from '../../schemas/profile.ts'
import type { ListEntry } from '../../schemas/shapes/output.ts'
import { ROLES } from '../../schemas/values.ts'
import { compile, type Compilation } from '../compile.ts'
import type { AgentDefinition, DroppedAgent } from '../define/definition.ts'
import { toolsOf } from '../diff/tools.ts'
import { columns } from '../report/frame.ts'
import { locationOf } from '../report/location.ts'
import { AGENT_LOOK, printable, type Style } from '../report/style.ts'
import { countsOf, countsText } from '../report/summary.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import { resolvedView, type KnownServers } from '../servers/locked-tools.ts'
import { COMMON_HELP, compileOptions, formatOf, parseFlags, styleOf } from './flags.ts'
import { UsageError, type Io } from './io.ts'

export const LIST_HELP = `agentc list: every agent, where it comes from and what it may use

  --format pretty|json
${COMMON_HELP}`

/** `agentc list`. It shows the healthy agents while others are broken, and exits with 0. */
export async function list(argv: readonly string[], io: Io): Promise<number> {
  const { values: flags, positionals } = parseFlags(argv, {})
  if (flags.help) return (io.out(LIST_HELP), 0)
  if (positionals.length > 0) throw new UsageError(`list takes no arguments, but got "${positionals[0]}".`)
  const format = formatOf(flags, ['pretty', 'json'])
  const compilation = await compile(compileOptions(flags, io))
  const entries = listEntries(compilation)
  if (format === 'json') io.out(`${JSON.stringify(entries, null, 2)}\n`)
  else io.out(table(entries, compilation, styleOf(flags, io)))
  return 0
}

/** The rows of the list in name order; the shape is `schemas/list.schema.json`. */
export function listEntries({ resolution, profile, mcp }: Compilation): ListEntry[] {
  const active = [...resolution.agents].map(([name, agent]) => activeEntry(name, agent, profile, mcp))
  const dropped = [...resolution.dropped].map(([name, agent]) => droppedEntry(name, agent))
  return [...active, ...dropped].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function activeEntry(name: string, { definition, views, color, overrides }: ResolvedAgent, profile: Profile, mcp: KnownServers): ListEntry {
  const plan = definition.permissionMode?.value === 'plan'
  const tools = ROLES.map((role) => {
    const view = plan ? { ...views[role], tools: [...views[role].tools, ...(views[role].plan ?? [])] } : views[role]
    return [role, toolsOf(resolvedView(view, definition, mcp))] as const
  })
  return {
    name,
    source: definition.file.origin.source,
    path: locationOf(definition.file.origin),
    description: definition.description.value,
    color,
    ...requested(definition, profile),
    tools: Object.fromEntries(tools) as ListEntry['tools'],
    overrides: overrides.length,
    status: 'active',
  }
}

/** Model and effort as written, or under a target that was measured, as its request carries them. */
function requested({ model, effort }: AgentDefinition, { defaults }: Profile): Pick<ListEntry, 'model' | 'effort'> {
  const id = model?.value.id ?? 'inherit'
  if (!defaults) return { model: id, ...(effort && { effort: effort.value }) }
  const sent = id === 'inherit' ? defaults.model : id
  if (effort) return { model: sent, ...(typeof effort.value === 'string' && { effort: effort.value }) }
  if (defaults.withoutEffort.some((part) => sent.includes(part))) return { model: sent }
  return { model: sent, effort: sent.includes('claude') ? defaults.effort : defaults.unknownModelEffort }
}

function droppedEntry(name: string, { file, code }: DroppedAgent): ListEntry {
  const none = { main: [], sub: [], leaf: [], background: [] }
  return {
    name,
    source: file.origin.source,
    path: locationOf(file.origin),
    description: '',
    tools: none,
    overrides: 0,
    status: 'dropped',
    code,
  }
}

function table(entries: ListEntry[], { diagnostics }: Compilation, style: Style): string {
  const rows = entries.map((entry) => [printable(entry.name), entry.source, entry.model ?? '', toolText(entry), overrideText(entry)])
  const head = ['agent', 'source', 'model', 'tools (as a sub-agent)', '']
  const widths = head.map((title, i) => Math.max(...[title, ...rows.map((row) => row[i]!)].map(columns)))
  const line = (cells: string[]): string =>
    cells
      .map((cell, i) => (i === cells.length - 1 ? cell : cell + ' '.repeat(widths[i]! - columns(cell))))
      .join('  ')
      .trimEnd()
  const body = rows.map((row, i) => {
    const entry = entries[i]!
    const mark = entry.color ? style(AGENT_LOOK[entry.color], '●') : style('red', '✗')
    return `${mark} ${line(row)}`
  })
  return `  ${style('dim', line(head))}\n${body.join('\n')}\n\n${entries.length} agent${entries.length === 1 ? '' : 's'}: ${findingsText(diagnostics)}\n`
}

function findingsText(diagnostics: Compilation['diagnostics']): string {
  return `${countsText(countsOf(diagnostics))}${diagnostics.length > 0 ? ' (agentc build shows them)' : ''}`
}

const SHOWN = 6

function toolText({ tools, status, code }: ListEntry): string {
  if (status === 'dropped') return `dropped: ${code}`
  if (tools.sub.length === 0) return 'none'
  const more = tools.sub.length - SHOWN
  return more > 0 ? `${tools.sub.slice(0, SHOWN).join(', ')} +${more}` : tools.sub.join(', ')
}

function overrideText({ overrides }: ListEntry): string {
  return overrides === 0 ? '' : `overrides ${overrides}`
}
