import { COLORS, type Color } from '../../schemas/values.ts'

/** A colour that depends on the name alone (FNV-1a), so that adding an agent never recolours another (design 4). */
export function colorOf(name: string): Color {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0
  return COLORS[hash % COLORS.length]!
}
