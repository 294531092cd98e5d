import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { AGENTC, type Profile } from '../../schemas/profile.ts'
import { HOST_ONLY, RETIRED, type Tool } from '../../schemas/tools.ts'
import type { AgentDefinition, ToolEntry } from '../define/definition.ts'
import { didYouMean } from '../../schemas/near.ts'
import { noEffect } from '../findings/host.ts'
import * as say from '../findings/tool.ts'
import { denies, MEMORY_TOOLS } from '../tool-view/layers.ts'
import { isMcp } from '../tool-view/mcp.ts'

/** What the names in `tools` and `disallowedTools` come to (what-to-report.md). */
export function checkTools(agent: AgentDefinition, profile: Profile): Diagnostic[] {
  return [...checkGrants(agent, profile), ...checkDenials(agent, profile), ...checkMemory(agent, profile)]
}

type Verdict = { kind: 'tool'; tool: Tool } | { kind: 'mcp' | 'retired' | 'host-only' | 'case' | 'unknown'; meant?: string }

/** What an entry's name is, and what was probably meant. */
export function verdictOf(entry: ToolEntry, profile: Profile): Verdict {
  const tool = profile.byName.get(entry.name)
  if (tool) return { kind: 'tool', tool }
  if (isMcp(entry)) return { kind: 'mcp' }
  if (HOST_ONLY.includes(entry.name) || AGENTC.byName.has(entry.name)) return { kind: 'host-only' }
  if (Object.hasOwn(RETIRED, entry.name)) return { kind: 'retired', meant: RETIRED[entry.name]! }
  const lower = entry.name.toLowerCase()
  const sameLetters = [...profile.byName.keys(), ...HOST_ONLY, ...Object.keys(RETIRED)].find((name) => name.toLowerCase() === lower)
  if (sameLetters !== undefined && Object.hasOwn(RETIRED, sameLetters)) return { kind: 'retired', meant: RETIRED[sameLetters]! }
  if (sameLetters !== undefined) return { kind: 'case', meant: sameLetters }
  const meant = didYouMean(entry.name, [...profile.byName.keys(), ...HOST_ONLY])
  return { kind: 'unknown', ...(meant && { meant }) }
}

function checkGrants(agent: AgentDefinition, profile: Profile): Diagnostic[] {
  if (agent.tools.kind === 'all') return []
  const { entries } = agent.tools
  const verdicts = entries.map((entry) => verdictOf(entry, profile))
  const found = entries.flatMap((entry, i) => grantFinding(agent, entry, verdicts[i]!, profile) ?? [])
  const resolves = verdicts.some((verdict) => verdict.kind === 'tool' || verdict.kind === 'mcp' || verdict.kind === 'host-only')
  if (entries.length === 0 || resolves || agent.memory) return found
  const at = agent.places.get('tools')?.value ?? entries[0]!.range
  const meant = verdicts.flatMap((verdict) => ('meant' in verdict ? (verdict.meant ?? []) : []))
  const lost = say.noToolsLeft(
    agent.file,
    at,
    entries.map((entry) => entry.text),
    [...new Set(meant)],
  )
  return [lost, ...found.filter((item) => item.severity === 'info')]
}

function grantFinding({ file, tools }: AgentDefinition, entry: ToolEntry, verdict: Verdict, profile: Profile): Diagnostic | undefined {
  const { name, range, text } = entry
  if (verdict.kind === 'unknown') return say.unknownTool(file, range, name, verdict.meant)
  if (verdict.kind === 'case') return say.wrongCase(file, range, name, verdict.meant!)
  if (verdict.kind === 'retired') return say.retiredTool(file, range, name, verdict.meant!)
  if (verdict.kind === 'host-only') return notOffered(file, range, name, profile)
  if (verdict.kind === 'mcp') return entry.specifier === undefined ? undefined : say.specifierOfMcp(file, range, text, name)
  if (verdict.kind !== 'tool') return undefined
  if (verdict.tool.traits.subAgents === false) return say.notForSubAgents(file, range, verdict.tool.name)
  return entry.specifier !== undefined && verdict.tool.name !== 'Agent' && !isListedWhole(verdict.tool, tools, profile)
    ? say.specifierInTools(file, range, text, verdict.tool.name)
    : undefined
}

/** The tool also stands in the list without brackets, and then the brackets hold nothing. */
function isListedWhole(tool: Tool, tools: AgentDefinition['tools'], profile: Profile): boolean {
  return tools.kind === 'only' && tools.entries.some((entry) => entry.specifier === undefined && profile.byName.get(entry.name) === tool)
}

/** A real tool that this program does not have. */
function notOffered(file: AgentDefinition['file'], range: ToolEntry['range'], name: string, { name: profile, host }: Profile): Diagnostic {
  if (profile === AGENTC.name) return say.hostOnlyTool(file, range, name)
  return noEffect(file, range, host, name, 'it does not offer this tool', 'Keep it if the agent is written for other programs too.')
}

function checkDenials(agent: AgentDefinition, profile: Profile): Diagnostic[] {
  return agent.disallowedTools.flatMap((entry) => {
    if (entry.text === '*') return [say.deniesAll(agent.file, entry.range)]
    const verdict = verdictOf(entry, profile)
    if (verdict.kind === 'case' || verdict.kind === 'unknown')
      return [say.deniesNothing(agent.file, entry.range, entry.name, verdict.meant)]
    if (verdict.kind === 'retired') return [say.retiredTool(agent.file, entry.range, entry.name, verdict.meant!)]
    if (verdict.kind === 'mcp' && entry.specifier !== undefined)
      return [say.specifierInMcpDenial(agent.file, entry.range, entry.text, entry.name)]
    if (verdict.kind !== 'tool') return []
    if (entry.specifier !== undefined) return [say.specifierInDenial(agent.file, entry.range, entry.text, verdict.tool.name)]
    const grant = grantOf(agent, entry, verdict.tool, profile)
    return grant ? [say.grantedAndDenied(agent.file, entry.range, verdict.tool.name, grant.range)] : []
  })
}

function grantOf({ tools }: AgentDefinition, denial: ToolEntry, tool: Tool, profile: Profile): ToolEntry | undefined {
  if (tools.kind === 'all' || !denies(denial, tool, profile)) return undefined
  return tools.entries.find((entry) => profile.byName.get(entry.name) === tool)
}

function checkMemory(agent: AgentDefinition, profile: Profile): Diagnostic[] {
  const place = agent.places.get('memory')
  if (!agent.memory || !place) return []
  const tools = MEMORY_TOOLS.map((name) => profile.byName.get(name)!)
  const denied = tools.filter((tool) => agent.disallowedTools.some((entry) => denies(entry, tool, profile)))
  const { tools: selector } = agent
  const added =
    selector.kind === 'all'
      ? []
      : tools.filter((tool) => !denied.includes(tool) && !selector.entries.some((entry) => profile.byName.get(entry.name) === tool))
  const found: Diagnostic[] = []
  if (added.length > 0)
    found.push(
      say.memoryGrant(
        agent.file,
        place.key,
        added.map((tool) => tool.name),
      ),
    )
  if (denied.length > 0)
    found.push(
      say.memoryDenied(
        agent.file,
        place.key,
        denied.map((tool) => tool.name),
      ),
    )
  return found
}
