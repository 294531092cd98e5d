import { agentHash } from '../../schemas/manifest.ts'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import type { PlacedOrigin } from '../../schemas/shapes/permission.ts'
import { sha256 } from '../../schemas/canonical.ts'
import type { AgentDefinition } from '../define/definition.ts'
import { positionOf } from '../position.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import type { SourceFile } from '../source-file.ts'

/** The manifest's entry of an agent, hash included. Members that say nothing are left out. */
export function agentEntry(agent: ResolvedAgent): ManifestAgent {
  const { definition, overrides } = agent
  const entry = {
    description: definition.description.value,
    prompt: agent.prompt,
    ...optional(definition),
    color: agent.color,
    toolViews: agent.views,
    limits: agent.limits,
    deny: agent.deny,
    spawns: agent.spawns,
    servers: definition.mcpServers?.value.map(({ value }) => value) ?? [],
    skills: definition.skills?.value.map(({ value }) => value) ?? [],
    origin: hashed(definition.file),
    overrides: overrides.map(({ file }) => hashed(file)),
    provenance: provenance(definition),
  }
  return { hash: agentHash(entry), ...entry }
}

function optional(definition: AgentDefinition) {
  const { model, hooks, criticalSystemReminder_EXPERIMENTAL: reminder } = definition
  return {
    model: model?.value.id ?? 'inherit',
    ...(model?.value.contextWindow && { contextWindow: model.value.contextWindow }),
    ...value(definition, 'effort'),
    ...value(definition, 'maxTurns'),
    ...value(definition, 'permissionMode'),
    ...value(definition, 'background'),
    ...value(definition, 'initialPrompt'),
    ...value(definition, 'isolation'),
    ...value(definition, 'memory'),
    ...value(definition, 'omitClaudeMd'),
    ...value(definition, 'requiredMcpServers', 'requiredServers'),
    ...value(definition, 'cacheTtl'),
    ...value(definition, 'autoCompactWindow'),
    ...(hooks && { hooks: hooks.value }),
    ...(reminder && { reminder: reminder.value }),
  }
}

type Plain =
  | 'effort'
  | 'maxTurns'
  | 'permissionMode'
  | 'background'
  | 'initialPrompt'
  | 'isolation'
  | 'memory'
  | 'omitClaudeMd'
  | 'requiredMcpServers'
  | 'cacheTtl'
  | 'autoCompactWindow'

function value<K extends Plain, M extends string = K>(
  definition: AgentDefinition,
  key: K,
  member?: M,
): { [P in M]?: NonNullable<AgentDefinition[K]>['value'] } {
  const field = definition[key]
  return (field === undefined ? {} : { [member ?? key]: field.value }) as { [P in M]?: NonNullable<AgentDefinition[K]>['value'] }
}

function hashed(file: SourceFile): ManifestAgent['origin'] {
  return { ...file.origin, hash: file.hash ?? sha256(file.text) }
}

/** Field to the place its value was written at. A field that was not written, or whose value does not count, is not here. */
function provenance(definition: AgentDefinition): Record<string, PlacedOrigin> {
  const { file, places } = definition
  const { source, path, plugin } = file.origin
  const origin = { source, path, ...(plugin === undefined ? {} : { plugin }) }
  const counting = [...places].filter(
    ([key]) => definition[(key === 'experimental' ? 'cacheTtl' : key) as keyof AgentDefinition] !== undefined,
  )
  return Object.fromEntries(counting.map(([key, place]) => [key, { ...origin, ...positionOf(file.text, place.value[0]) }]))
}
