import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { AgentDefinition } from '../define/definition.ts'
import * as say from '../findings/agent.ts'
import { nearTo } from '../../schemas/near.ts'
import { agentNames } from '../resolve/powers.ts'
import type { Resolution } from '../resolve/resolved.ts'
import { agentsFolderOf } from '../source-file.ts'

/** What can be said only about all agents together. */
export function checkAgents(definitions: readonly AgentDefinition[], resolution: Resolution, profile: Profile): Diagnostic[] {
  let near: ((name: string) => string | undefined) | undefined
  const meant = (name: string): string | undefined => (near ??= nearTo(resolution.agents.keys()))(name)
  return [
    ...duplicateNames(definitions),
    ...[...resolution.agents.values()].flatMap(({ definition, overrides }) => overriddenBuiltIn(definition, overrides)),
    ...definitions.flatMap((agent) => [...powers(agent, profile), ...spawnTargets(agent, resolution, profile, meant)]),
  ]
}

/** Two files of one name below one agents folder: read order decides, and differs between versions (measured.md "Loading"). */
function duplicateNames(definitions: readonly AgentDefinition[]): Diagnostic[] {
  const first = new Map<string, AgentDefinition[]>()
  const found: Diagnostic[] = []
  for (const agent of definitions) {
    const others = first.get(agent.name.value)
    const before = others?.find(({ file }) => agentsFolderOf(file) === agentsFolderOf(agent.file))
    if (!others) first.set(agent.name.value, [agent])
    else if (!before) others.push(agent)
    else if (before.file !== agent.file) {
      found.push(say.duplicateName(agent.file, agent.name.range, agent.name.value, before.file, before.name.range))
    }
  }
  return found
}

function overriddenBuiltIn(definition: AgentDefinition, overrides: readonly AgentDefinition[]): Diagnostic[] {
  const builtIn = overrides.some((agent) => agent.file.origin.source === 'builtin')
  return builtIn ? [say.overridesBuiltIn(definition.file, definition.name.range, definition.name.value)] : []
}

const WRITES = new Set(['Write', 'Edit', 'NotebookEdit'])

function powers(agent: AgentDefinition, profile: Profile): Diagnostic[] {
  const { file, permissionMode, tools, places } = agent
  if (file.origin.source === 'builtin') return []
  if (permissionMode?.value === 'bypassPermissions') return [say.bypass(file, permissionMode.range)]
  if (permissionMode?.value !== 'plan' || tools.kind === 'all') return []
  const writes = tools.entries.flatMap((entry) => profile.byName.get(entry.name)?.name ?? []).filter((name) => WRITES.has(name))
  return writes.length > 0 ? [say.planWithWrite(file, places.get('tools')!.value, [...new Set(writes)])] : []
}

function spawnTargets(
  agent: AgentDefinition,
  { agents, dropped }: Resolution,
  profile: Profile,
  meant: (name: string) => string | undefined,
): Diagnostic[] {
  const entries = agent.tools.kind === 'all' ? [] : agent.tools.entries
  return entries
    .filter((entry) => entry.specifier !== undefined && profile.byName.get(entry.name)?.name === 'Agent')
    .flatMap((entry) => agentNames(entry).map(({ value, start }) => ({ value, at: entry.range[0] + start })))
    .filter(({ value }) => !agents.has(value) && value !== 'fork')
    .map(({ value, at }) => {
      const lost = dropped.get(value)
      if (lost) return say.droppedAgent(agent.file, [at, at + value.length], value, lost.file)
      return say.unknownAgent(agent.file, [at, at + value.length], value, meant(value), value.includes(':'))
    })
}
