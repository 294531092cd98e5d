import { MODEL_ID, MODELS } from '../../schemas/models.ts'
import * as say from '../findings/field.ts'
import type { ModelChoice } from './definition.ts'
import { refuse, type FieldReader } from './reading.ts'

/** The aliases a file may use; `default` of the table is no alias (claude-code-agents.md 6.1). */
export const MODEL_ALIASES = Object.keys(MODELS).filter((alias) => alias !== 'default')

/** A model's full id, for a name that may be an alias in any letter case. */
export function pinned(name: string): string {
  const alias = name.trim().toLowerCase()
  return MODEL_ALIASES.includes(alias) ? MODELS[alias]! : name.trim()
}

/**
 * Reads `model` and pins an alias to a full id. Aliases and `inherit` count in any letter case, `[1m]` asks for the long context;
 * an unknown name is kept and sent as it is, a number or nothing counts as absent (measured.md "Models and effort").
 */
export const model: FieldReader<ModelChoice> = (node, keyRange, reading) => {
  const written = node.kind === 'scalar' && typeof node.value === 'string' ? node.value.trim() : ''
  if (written === '') return refuse('model', node, keyRange, reading, 'the name of a model')
  const long = /\[1m\]$/i.test(written)
  const name = long ? written.slice(0, -4) : written
  const alias = name.toLowerCase()
  const known = alias === 'inherit' || MODEL_ALIASES.includes(alias)
  if (known && alias !== name) reading.found.push(say.letterCase(reading.file, node.range, 'model', alias + (long ? '[1m]' : '')))
  if (!known && !MODEL_ID.test(name)) reading.found.push(say.unknownModel(reading.file, node.range, written, MODEL_ALIASES))
  const id = alias === 'inherit' ? 'inherit' : known ? MODELS[alias]! : name
  return { value: { id, ...(long && { contextWindow: '1m' as const }) }, range: node.range }
}
