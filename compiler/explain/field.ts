import { AGENT_KEYS } from '../define/keys.ts'
import type { ExplainedField, Explanation } from './agent.ts'

/** A field by its name: one that is explained, or one that agents may have and this one has not. */
export function fieldNamed(field: string, { name, chain, fields }: Explanation): ExplainedField | undefined {
  const found = fields.find((item) => item.field === field)
  if (found || !(AGENT_KEYS as readonly string[]).includes(field)) return found
  const { path } = chain[0]!
  return field === 'name' ? { field, value: name, from: path } : { field, value: null, from: `nothing that counts in ${path} sets it` }
}

/** What can be asked for. */
export function fieldNames({ fields }: Explanation): string[] {
  return [...new Set([...fields.map(({ field }) => field), ...AGENT_KEYS])]
}
