import { canonicalJson, sha256 } from '../../schemas/canonical.ts'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import type { AgentDefinition } from '../define/definition.ts'
import { positionOf } from '../position.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import { withReferences } from '../secret/mask.ts'
import { wantsGuidance } from './guidance.ts'
import type { EntryText } from './lines.ts'
import type { SourceFile } from '../source-file.ts'

/**
 * The manifest's entry of an agent in its RFC 8785 form, without its hash. Members are written here in the order of their names, so that
 * the platform's own JSON is that form already: a canonicaliser takes five times as long over thousands of agents. A test holds both equal.
 */
export function agentText(agent: ResolvedAgent): string {
  const [members, last] = entryText(agent)
  return `${members.slice(0, -1)},${last}`
}

/** The same in two texts, for who writes them one after the other. */
export function entryText(agent: ResolvedAgent): EntryText {
  return [JSON.stringify(entry(agent)), `"toolViews":${viewsText(agent.views)}}`]
}

type Member<K extends keyof ManifestAgent> = ManifestAgent[K] | undefined

/** Everything but `toolViews`, which comes last by its name. Members that say nothing are `undefined`, which JSON leaves out. */
function entry({ definition, overrides, prompt, color, limits, deny, spawns, skills, mcpTools }: ResolvedAgent) {
  const { model, hooks, mcpServers } = definition
  return {
    autoCompactWindow: definition.autoCompactWindow?.value as Member<'autoCompactWindow'>,
    background: definition.background?.value,
    cacheTtl: definition.cacheTtl?.value,
    color,
    contextWindow: model?.value.contextWindow,
    deny: deny.map(sorted),
    description: definition.description.value,
    effort: definition.effort?.value,
    guidance: (wantsGuidance({ definition }) || undefined) as Member<'guidance'>,
    hooks: hooks && withReferences(sorted(hooks.value)),
    initialPrompt: definition.initialPrompt?.value,
    isolation: definition.isolation?.value,
    limits: limits.map(sorted),
    maxTurns: definition.maxTurns?.value,
    mcpTools: mcpTools && sorted(mcpTools),
    memory: definition.memory?.value,
    model: model?.value.id ?? 'inherit',
    omitClaudeMd: definition.omitClaudeMd?.value,
    origin: hashed(definition.file),
    overrides: overrides.map(({ file }) => hashed(file)),
    permissionMode: definition.permissionMode?.value,
    prompt,
    provenance: provenance(definition),
    reminder: definition.criticalSystemReminder_EXPERIMENTAL?.value,
    requiredServers: definition.requiredMcpServers?.value,
    servers: mcpServers?.value.map(({ value }) => withReferences(sorted(value))) ?? [],
    skills,
    spawns,
  }
}

/** Small parts that come from elsewhere, with their members in order. */
function sorted<T>(value: T): T {
  return JSON.parse(canonicalJson(value)) as T
}

const views = new WeakMap<ResolvedAgent['views'], string>()

/** Agents with equal lists share their views, and so the text of them. */
function viewsText(of: ResolvedAgent['views']): string {
  const known = views.get(of)
  if (known !== undefined) return known
  const text = canonicalJson(of)
  views.set(of, text)
  return text
}

function hashed({ origin, hash, text }: SourceFile): ManifestAgent['origin'] {
  const { checkout, link, path, plugin, source } = origin
  return { checkout, hash: hash ?? sha256(text), link, path, plugin, source } as ManifestAgent['origin']
}

/** Field to the place its value was written at, by name. A field that was not written, or whose value does not count, is not here. */
function provenance(definition: AgentDefinition): ManifestAgent['provenance'] {
  const { file, places } = definition
  const { path, plugin, source } = file.origin
  const result: Record<string, unknown> = {}
  for (const key of [...places.keys()].sort()) {
    if (definition[(key === 'experimental' ? 'cacheTtl' : key) as keyof AgentDefinition] === undefined) continue
    const { line, column } = positionOf(file.text, places.get(key)!.value[0])
    result[key] = { column, line, path, plugin, source }
  }
  return result as ManifestAgent['provenance']
}
