import type { Rule } from '../../schemas/shapes/permission.ts'
import type { Asked, Rights } from '../permission/asked.ts'
import type { Env } from './probe.ts'
import type { Sandbox, Started } from './sandbox.ts'

/** The sandbox of an agent that another one has started: what is denied to those above is denied to its commands too. */
export function sandboxBelow(sandbox: Sandbox, above: readonly Rule[]): Sandbox {
  return { open: sandbox.open, start: (place, env) => sandbox.start({ ...place, deny: [...place.deny, ...above] }, env) }
}

/**
 * How the command of one call is started. What it is known to write has been allowed by a rule or a person, and is open for it, unless the
 * mode allows everything.
 */
export function startOf(sandbox: Sandbox, { shell }: Asked, { workspace, deny, mode }: Rights): (env: Env) => Promise<Started> {
  const writes = shell?.files.filter(({ how, guessed }) => how === 'write' && !guessed) ?? []
  const allowed = mode === 'bypassPermissions' ? [] : writes.map(({ real }) => real)
  return (env) => sandbox.start({ workspace, deny, allowed }, env)
}
