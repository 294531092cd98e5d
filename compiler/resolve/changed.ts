import type { AgentDefinition, DroppedAgent } from '../define/definition.ts'
import { sameOrigin } from '../source-file.ts'
import { resolveOne, type Before, type ResolveOptions, type SharedViews } from './one.ts'
import type { Resolution } from './resolved.ts'

/**
 * The usual change while people write: the same files give agents of the same names, so every name leads where it led, and only agents with
 * another definition are resolved. Out: nothing, if more is different.
 */
export function resolveChanged(
  before: Before,
  definitions: readonly AgentDefinition[],
  dropped: readonly DroppedAgent[],
  options: ResolveOptions,
): Resolution | undefined {
  if (before.dropped.length !== dropped.length || dropped.some((agent, index) => !sameDropped(agent, before.dropped[index]!)))
    return undefined
  const changed = changedNames(before.definitions, definitions)
  if (!changed) return undefined
  const agents = new Map(before.resolution.agents)
  const views: SharedViews = new Map()
  for (const name of changed) {
    if (!agents.has(name)) continue
    const chain = definitions.filter((definition) => definition.name.value === name).reverse()
    const agent = resolveOne(chain, options, views, before.names)
    agents.set(name, agent)
    options.known?.set(chain[0]!, agent)
  }
  return { agents, dropped: before.resolution.dropped }
}

/** A host's own list is made anew each time, of the same files. */
function sameDropped(a: DroppedAgent, b: DroppedAgent): boolean {
  return a === b || (a.file === b.file && a.name === b.name && a.code === b.code)
}

/** Out: nothing, if the definitions are not of the same files and names, in the same order. */
function changedNames(before: readonly AgentDefinition[], now: readonly AgentDefinition[]): Set<string> | undefined {
  if (before.length !== now.length) return undefined
  const changed = new Set<string>()
  for (let i = 0; i < now.length; i++) {
    const [old, definition] = [before[i]!, now[i]!]
    if (old === definition) continue
    if (old.name.value !== definition.name.value || !sameOrigin(old.file.origin, definition.file.origin)) return undefined
    changed.add(definition.name.value)
  }
  return changed
}
