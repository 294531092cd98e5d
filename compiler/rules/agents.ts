import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { AgentDefinition } from '../define/definition.ts'
import * as say from '../findings/agent.ts'
import { nearTo } from '../../schemas/near.ts'
import type { Resolution } from '../resolve/resolved.ts'
import type { AboutAgent } from './each.ts'

/** What can be said only about all agents together. In: what is known of each by itself. */
export function checkAgents(abouts: readonly AboutAgent[], resolution: Resolution): Diagnostic[] {
  let near: ((name: string) => string | undefined) | undefined
  const meant = (name: string): string | undefined => (near ??= nearTo(resolution.agents.keys()))(name)
  const found = duplicateNames(abouts)
  for (const { definition, overrides } of resolution.agents.values())
    if (overrides.length > 0) found.push(...overriddenBuiltIn(definition, overrides))
  for (const about of abouts) if (about.targets.length > 0) found.push(...lostTargets(about, resolution, meant))
  return found
}

/** Two files of one name below one agents folder: read order decides, and differs between versions (measured.md "Loading"). */
function duplicateNames(abouts: readonly AboutAgent[]): Diagnostic[] {
  const first = new Map<string, AboutAgent>()
  const others: AboutAgent[] = []
  for (const about of abouts) {
    const { value } = about.agent.name
    if (first.has(value)) others.push(about)
    else first.set(value, about)
  }
  const seen = new Map(others.map(({ agent }) => [agent.name.value, [first.get(agent.name.value)!]]))
  return others.flatMap((about) => duplicateName(about, seen.get(about.agent.name.value)!))
}

/** In: an agent, and the first of its name in each folder so far. */
function duplicateName(about: AboutAgent, seen: AboutAgent[]): Diagnostic[] {
  const { file, name } = about.agent
  const before = seen.find(({ folder }) => folder === about.folder)?.agent
  if (!before) seen.push(about)
  return !before || before.file === file ? [] : [say.duplicateName(file, name.range, name.value, before.file, before.name.range)]
}

function overriddenBuiltIn(definition: AgentDefinition, overrides: readonly AgentDefinition[]): Diagnostic[] {
  const builtIn = overrides.some((agent) => agent.file.origin.source === 'builtin')
  return builtIn ? [say.overridesBuiltIn(definition.file, definition.name.range, definition.name.value)] : []
}

/** Names in a list that lead to no agent. `meant`: the agent that a name probably means. */
function lostTargets(
  { agent: { file }, targets }: AboutAgent,
  { agents, dropped }: Resolution,
  meant: (name: string) => string | undefined,
): Diagnostic[] {
  return targets
    .filter(({ name }) => !agents.has(name) && name !== 'fork')
    .map(({ name, start }) => {
      const lost = dropped.get(name)
      if (lost) return say.droppedAgent(file, [start, start + name.length], name, lost.file)
      return say.unknownAgent(file, [start, start + name.length], name, meant(name), name.includes(':'))
    })
}
