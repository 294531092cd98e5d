import type { Code } from '../../schemas/codes.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { AgentDefinition, ToolEntry } from '../define/definition.ts'
import * as say from '../findings/host.ts'

/** Where a host would drop, widen or ignore what is written (measured.md): what its author has to know, and agentc does otherwise. */
export function checkHost(agent: AgentDefinition, profile: Profile): Diagnostic[] {
  if (profile.name === 'agentc' || agent.file.origin.source === 'builtin') return []
  const tools = agent.tools.kind === 'all' ? [] : agent.tools.entries
  return [
    ...dropped(agent, profile),
    ...fields(agent, profile),
    ...tools.flatMap((entry) => grant(agent, entry, profile)),
    ...agent.disallowedTools.flatMap((entry) => denial(agent, entry, profile)),
  ]
}

/** Files that are no agents here, and that the host makes some of. */
export function checkFallbacks(fallbacks: readonly AgentDefinition[], { name: program, host }: Profile): Diagnostic[] {
  return program === 'agentc' ? [] : fallbacks.map(({ file, name }) => say.becomesAgent(file, host, name.value))
}

function dropped({ file, looseHook }: AgentDefinition, { host, looseHooksDropAgent }: Profile): Diagnostic[] {
  if (!looseHook || !looseHooksDropAgent) return []
  return [
    say.dropsAgent(
      file,
      looseHook,
      host,
      'its `hooks` are not in the documented form',
      'Nest the hook: `- matcher: …`, and below it `hooks:` with a list.',
    ),
  ]
}

/** Fields of a file that the program does not know, or does not use for sub-agents. */
const UNUSED: Readonly<Record<string, string>> = {
  requiredMcpServers: 'the agent starts whether the servers are there or not',
  criticalSystemReminder_EXPERIMENTAL: 'the reminder is never sent',
  initialPrompt: 'it counts only when the agent is the main one',
}

function fields({ file, places, effort, hooks }: AgentDefinition, { host }: Profile): Diagnostic[] {
  const found = Object.entries(UNUSED).flatMap(([key, effect]) => {
    const place = places.get(key)
    return place ? [say.ignoresField(file, place.key, host, key, effect)] : []
  })
  const hooksKey = places.get('hooks')?.key
  if (hooksKey && checksHandOver(hooks?.value))
    found.push(say.ignoresField(file, hooksKey, host, 'handover', 'the hook keeps the agent at work, as any other of SubagentStop'))
  if (typeof effort?.value === 'number')
    found.push(say.ignoresField(file, effort.range, host, 'effort', 'a number is accepted and no effort is sent'))
  return found
}

function checksHandOver(hooks: Hooks = {}): boolean {
  const handlers = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.handlers))
  return handlers.some((handler) => 'handover' in handler && handler.handover === true)
}

function grant({ file, tools }: AgentDefinition, entry: ToolEntry, profile: Profile): Diagnostic[] {
  const { host } = profile
  const tool = profile.byName.get(entry.name)
  if (entry.name === 'mcp__*' && !profile.wildcardGrantsMcp) {
    return [
      say.noEffect(
        file,
        entry.range,
        host,
        entry.text,
        'a star for all servers counts only in `disallowedTools`',
        'Name each server: `mcp__server`.',
      ),
    ]
  }
  if (tool && entry.specifier !== undefined) {
    const what = tool.name === 'Agent' ? 'a sub-agent may start every agent' : `every call of ${tool.name} is allowed`
    return [say.widens(file, entry.range, host, entry.text, what, 'Restrict it with `permissions` in settings.json.')]
  }
  const hasBash = tools.kind === 'only' && tools.entries.some((other) => profile.byName.get(other.name)?.name === 'Bash')
  if (tool?.traits.withoutBash && hasBash) {
    return [
      say.noEffect(
        file,
        entry.range,
        host,
        entry.text,
        'beside Bash it is not offered, because this build searches through Bash',
        'Remove Bash to have it, or leave it: other builds offer both.',
      ),
    ]
  }
  return []
}

function denial({ file }: AgentDefinition, entry: ToolEntry, profile: Profile): Diagnostic[] {
  const { host } = profile
  if (entry.text === '*' && !profile.wildcardDenies)
    return [say.noEffect(file, entry.range, host, '*', 'nothing is denied', 'Write `tools: []` for an agent without tools.')]
  const tool = profile.byName.get(entry.name)
  if (!tool || entry.specifier === undefined || !profile.specifierDeniesTool) return []
  return [
    say.narrows(
      file,
      entry.range,
      host,
      entry.text,
      `the whole tool ${tool.name} is gone`,
      'Use `permissions.deny` in settings.json for single calls.',
    ),
  ]
}

/** Findings that compare agentc with Claude Code; with a target, those of that target say it better. */
export const COMPARES_HOSTS: ReadonlySet<Code> = new Set([
  'tool/specifier',
  'tool/denied-specifier',
  'tool/denies-all',
  'hook/flat',
  'hook/event-not-run',
  'file/plugin-document',
  'instructions/path-rule',
  'instructions/above-project',
])
