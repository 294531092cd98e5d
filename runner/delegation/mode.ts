import type { PermissionMode } from '../../schemas/values.ts'

/**
 * The modes that a child may run in below each mode of its parent (design 7: never looser, stricter if it wants). Modes that neither of two
 * contains the other of stand in no row of each other: `auto` may one day allow what `acceptEdits` asks about, and the other way round.
 */
export const NOT_LOOSER: Readonly<Record<PermissionMode, readonly PermissionMode[]>> = {
  plan: ['plan'],
  dontAsk: ['dontAsk', 'plan'],
  default: ['default', 'dontAsk', 'plan'],
  auto: ['auto', 'default', 'dontAsk', 'plan'],
  acceptEdits: ['acceptEdits', 'default', 'dontAsk', 'plan'],
  bypassPermissions: ['bypassPermissions', 'acceptEdits', 'auto', 'default', 'dontAsk', 'plan'],
}

/**
 * The mode of a child: the parent's, made stricter by what the definition wants and then by what the call wants. What would be looser,
 * or is no mode at all, changes nothing.
 */
export function childMode(parent: PermissionMode, ...wanted: readonly (string | undefined)[]): PermissionMode {
  return wanted.reduce<PermissionMode>((mode, want) => NOT_LOOSER[mode].find((other) => other === want) ?? mode, parent)
}
