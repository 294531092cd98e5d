import { canonicalJson } from '../../schemas/canonical.ts'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import type { Origin } from '../../schemas/source.ts'
import { ROLES, type PermissionMode } from '../../schemas/values.ts'
import { locationOf } from '../report/location.ts'
import { finding, listed, valueChange, type ChangeKind, type Finding } from './change.ts'
import { hookChanges, lockChanges, serverUseChanges } from './code.ts'
import { lineCounts } from './lines.ts'
import { denyChanges, limitChanges } from './rules.ts'
import { hasTool, toolsOf, viewChanges } from './tools.ts'

/** All differences between two definitions of an agent. A difference of no effect (its file's other bytes) is one finding of its own. */
export function agentFindings(old: ManifestAgent, now: ManifestAgent): Finding[] {
  if (old.hash === now.hash) return []
  const found = [
    ...originChanges(old, now),
    ...viewChanges(old.toolViews, now.toolViews),
    ...limitChanges(old, now),
    ...denyChanges(old, now),
    ...spawnChanges(old, now),
    ...hookChanges(old.hooks, now.hooks),
    ...serverUseChanges(old.servers, now.servers),
    ...lockChanges(old.mcpTools, now.mcpTools),
    ...listChanges('skills', old.skills, now.skills),
    ...listChanges('requiredServers', old.requiredServers ?? [], now.requiredServers ?? []),
    ...FIELDS.flatMap((field) => fieldChange(field, old, now)),
    ...TEXTS.flatMap((kind) => textChange(kind, old[kind] ?? '', now[kind] ?? '')),
  ]
  return found.length > 0 ? found : [finding('source', 'changed', false)]
}

/** What a new agent brings along, in the words of one line. */
export function powersOf(agent: ManifestAgent): { items: string[]; after: string } {
  const { permissionMode, memory, isolation, hooks, servers } = agent
  const parts = [
    permissionMode,
    memory && `memory ${memory}`,
    isolation && `isolation ${isolation}`,
    hooks && Object.keys(hooks).length > 0 && 'hooks',
    servers.length > 0 && 'MCP servers',
  ]
  const items = [...new Set(ROLES.flatMap((role) => toolsOf(agent.toolViews[role])))]
  return { items, after: [locationOf(agent.origin as Origin), ...parts.filter(Boolean)].join(', ') }
}

function originChanges(old: ManifestAgent, now: ManifestAgent): Finding[] {
  const place = ({ origin: { hash: _hash, ...origin } }: ManifestAgent): Origin => origin as Origin
  const [before, after] = [place(old), place(now)]
  const layers = (agent: ManifestAgent): string[] => agent.overrides.map((origin) => locationOf(origin as Origin))
  if (canonicalJson(before) === canonicalJson(after)) return listChanges('overrides', layers(old), layers(now))
  const loose = before.source === 'policy' && after.source !== 'policy'
  const outside = after.link === '<outside>' && before.link !== '<outside>'
  return [finding('origin', 'changed', loose || outside, { before: originText(before), after: originText(after) })]
}

function originText(origin: Origin): string {
  return origin.link === undefined ? locationOf(origin) : `${locationOf(origin)} → ${origin.link}`
}

function spawnChanges({ spawns: old }: ManifestAgent, now: ManifestAgent): Finding[] {
  const { spawns } = now
  const canSpawn = hasTool(now, (tool) => tool === 'Agent')
  if (old === 'all')
    return spawns === 'all' ? [] : [finding('spawns', 'removed', false, { items: ['every other'], after: spawns.join(', ') || 'none' })]
  if (spawns === 'all') return [finding('spawns', 'added', canSpawn, { items: ['every agent'] })]
  const came = listed(
    'spawns',
    'added',
    canSpawn,
    spawns.filter((name) => !old.includes(name)),
  )
  return [
    ...came,
    ...listed(
      'spawns',
      'removed',
      false,
      old.filter((name) => !spawns.includes(name)),
    ),
  ]
}

function listChanges(kind: ChangeKind, old: readonly string[], now: readonly string[]): Finding[] {
  return [
    ...listed(
      kind,
      'added',
      false,
      now.filter((name) => !old.includes(name)),
    ),
    ...listed(
      kind,
      'removed',
      false,
      old.filter((name) => !now.includes(name)),
    ),
    ...(sameMembers(old, now) && old.join('\n') !== now.join('\n') ? [finding(kind, 'changed', false, { items: [...now] })] : []),
  ]
}

function sameMembers(old: readonly string[], now: readonly string[]): boolean {
  return old.length === now.length && now.every((name) => old.includes(name))
}

interface Field {
  kind: ChangeKind & keyof ManifestAgent
  gain: (old: ManifestAgent, now: ManifestAgent) => boolean
  shown?: (agent: ManifestAgent) => string | undefined
}

/** From the tightest to the loosest; no mode at all is the session's, which starts as `default`. */
const MODES: readonly PermissionMode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'auto', 'bypassPermissions']

export function isLooserMode(old: PermissionMode | undefined, now: PermissionMode | undefined): boolean {
  const rank = (mode: PermissionMode = 'default'): number => MODES.indexOf(mode)
  return rank(now) > rank(old)
}

const PLACES = ['remote', 'worktree', undefined] as const

const never = (): boolean => false

const FIELDS: readonly Field[] = [
  { kind: 'permissionMode', gain: (old, now) => isLooserMode(old.permissionMode, now.permissionMode) },
  { kind: 'isolation', gain: (old, now) => PLACES.indexOf(now.isolation) > PLACES.indexOf(old.isolation) },
  { kind: 'memory', gain: (_old, now) => now.memory !== undefined },
  { kind: 'maxTurns', gain: (old, now) => (now.maxTurns ?? Infinity) > (old.maxTurns ?? Infinity) },
  { kind: 'background', gain: never },
  { kind: 'model', gain: never, shown: ({ model, contextWindow }) => (contextWindow ? `${model}[${contextWindow}]` : model) },
  { kind: 'effort', gain: never },
  { kind: 'color', gain: never },
  { kind: 'omitClaudeMd', gain: never },
  { kind: 'guidance', gain: never },
  { kind: 'cacheTtl', gain: never },
  { kind: 'autoCompactWindow', gain: never },
]

function fieldChange({ kind, gain, shown }: Field, old: ManifestAgent, now: ManifestAgent): Finding[] {
  const show = shown ?? ((agent) => (agent[kind] === undefined ? undefined : String(agent[kind])))
  return valueChange(kind, gain(old, now), show(old), show(now))
}

const TEXTS = ['prompt', 'description', 'initialPrompt', 'reminder'] as const

export function textChange(kind: ChangeKind, old: string, now: string): Finding[] {
  return old === now ? [] : [finding(kind, 'changed', false, { lines: lineCounts(old, now) })]
}
