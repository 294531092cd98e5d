import type { Profile } from '../../schemas/profile.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import type { AgentDefinition, ToolEntry } from '../define/definition.ts'
import { anchored } from '../permission/anchor.ts'
import { parseSpecifier, type RuleList } from '../permission/specifier.ts'
import { originAt, type SourceFile } from '../source-file.ts'

/** Which agents it may start: `Agent(a, b)` restricts, several entries add up, a bare `Agent` is all, names that no agent has are left out (case 46; M26). */
export function spawnsOf({ tools }: AgentDefinition, profile: Profile, known: ReadonlyMap<string, unknown>): 'all' | string[] {
  if (tools.kind === 'all') return 'all'
  const entries = tools.entries.filter((entry) => profile.byName.get(entry.name)?.name === 'Agent')
  if (entries.some((entry) => entry.specifier === undefined)) return 'all'
  return [...new Set(entries.flatMap((entry) => agentNames(entry).map(({ value }) => value)))].filter((name) => known.has(name))
}

/** The names in the brackets of an `Agent(a, b)` entry, with their offsets into the entry's text. */
export function agentNames(entry: ToolEntry): { value: string; start: number }[] {
  const open = entry.text.indexOf('(') + 1
  return [...(entry.specifier ?? '').matchAll(/[^,\s](?:[^,]*[^,\s])?/g)].map((match) => ({
    value: match[0].normalize('NFC'),
    start: open + entry.text.slice(open).indexOf(entry.specifier!) + match.index,
  }))
}

/** Specifiers in `tools` as caps. A tool that is also listed without one has no cap; `Agent` has its own list. */
export function limitsOf({ file, tools }: AgentDefinition, profile: Profile): Rule[] {
  if (tools.kind === 'all') return []
  const free = new Set(tools.entries.filter((entry) => entry.specifier === undefined).map((entry) => profile.byName.get(entry.name)))
  return tools.entries.flatMap((entry) => {
    const tool = profile.byName.get(entry.name)
    if (!tool || tool.name === 'Agent' || entry.specifier === undefined || free.has(tool)) return []
    return [rule(file, tool.name, entry, 'allow')]
  })
}

/** Specifiers in `disallowedTools` as deny rules (design 7). */
export function denyOf({ file, disallowedTools }: AgentDefinition, profile: Profile): Rule[] {
  if (profile.specifierDeniesTool) return []
  return disallowedTools.flatMap((entry) => {
    const tool = profile.byName.get(entry.name)
    if (!tool || entry.specifier === undefined) return []
    if (tool.name !== 'Agent') return [rule(file, tool.name, entry, 'deny')]
    return agentNames(entry).map(({ value }) => ({ ...rule(file, tool.name, entry, 'deny'), match: { name: value } }))
  })
}

function rule(file: SourceFile, tool: string, entry: ToolEntry, list: RuleList): Rule {
  const match = anchored(parseSpecifier(tool, entry.specifier!, list), file)
  return { tool, match, origin: originAt(file, entry.range) }
}
