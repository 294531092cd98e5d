import type { Located } from '../../schemas/source.ts'
import {
  COLORS,
  EFFORTS,
  ISOLATIONS,
  MEMORY_SCOPES,
  PERMISSION_MODES,
  type Color,
  type Effort,
  type PermissionMode,
} from '../../schemas/values.ts'
import * as say from '../findings/field.ts'
import { entryOf } from '../parse/node.ts'
import type { OptionalFields } from './definition.ts'
import { hooks } from './hooks.ts'
import { model } from './model.ts'
import { nameList } from './names.ts'
import { boolean, integerOf, isEmpty, oneOf, pointAt, positiveInteger, refuse, shown, text, type FieldReader } from './reading.ts'
import { servers } from './servers.ts'

const effort: FieldReader<Effort> = (node, keyRange, reading) => {
  const number = node.kind === 'scalar' ? integerOf(node) : undefined
  if (number !== undefined) return { value: number, range: node.range }
  const level = node.kind === 'scalar' ? EFFORTS.find((known) => known === String(node.value).toLowerCase()) : undefined
  if (level) return { value: level, range: node.range }
  return refuse('effort', node, keyRange, reading, `one of ${EFFORTS.join(', ')} or a whole number`, EFFORTS)
}

const permissionMode: FieldReader<PermissionMode> = (node, keyRange, reading) => {
  if (node.kind === 'scalar' && node.value === 'manual') return { value: 'default', range: node.range }
  return oneOf('permissionMode', PERMISSION_MODES)(node, keyRange, reading)
}

/** A colour is display only: a wrong one is an info, and the agent gets one by its name (design 4). */
const color: FieldReader<Color> = (node, keyRange, reading) => {
  const value = node.kind === 'scalar' ? COLORS.find((known) => known === node.value) : undefined
  if (value) return { value, range: node.range }
  const at = isEmpty(node) ? keyRange : pointAt(node, keyRange, reading.file)
  reading.found.push(say.color(reading.file, at, isEmpty(node) ? 'is empty and' : `\`${shown(node, reading.file)}\``, COLORS))
  return undefined
}

const experimental: FieldReader<'5m' | '1h'> = (node, keyRange, reading) => {
  if (node.kind !== 'map') return refuse('experimental', node, keyRange, reading, 'a map with `cacheTtl`')
  const entry = entryOf(node, 'cacheTtl')
  return entry && oneOf('cacheTtl', ['5m', '1h'] as const)(entry.value, entry.keyRange, reading)
}

const requiredServers: FieldReader<string[]> = (node, keyRange, reading) => {
  const names = nameList('requiredMcpServers')(node, keyRange, reading)
  return names && { value: names.value.map((name) => name.value), range: names.range }
}

type Readers = { [K in keyof OptionalFields]-?: FieldReader<NonNullable<OptionalFields[K]> extends Located<infer T> ? T : never> }

/** One reader for each optional field: the key it is written under is its name, but for `experimental.cacheTtl`. */
export const FIELD_READERS: Readers = {
  model,
  effort,
  maxTurns: positiveInteger('maxTurns'),
  permissionMode,
  background: boolean('background'),
  initialPrompt: text('initialPrompt'),
  isolation: oneOf('isolation', ISOLATIONS),
  memory: oneOf('memory', MEMORY_SCOPES),
  color,
  skills: nameList('skills'),
  mcpServers: servers,
  hooks,
  omitClaudeMd: boolean('omitClaudeMd'),
  requiredMcpServers: requiredServers,
  criticalSystemReminder_EXPERIMENTAL: text('criticalSystemReminder_EXPERIMENTAL'),
  cacheTtl: experimental,
  autoCompactWindow: positiveInteger('autoCompactWindow'),
}

/** The field that is read from a key of the frontmatter. */
export function fieldOf(key: string): keyof OptionalFields | undefined {
  if (key === 'experimental') return 'cacheTtl'
  return key !== 'cacheTtl' && Object.hasOwn(FIELD_READERS, key) ? (key as keyof OptionalFields) : undefined
}
