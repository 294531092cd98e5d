import type { Asked, Rights } from '../permission/asked.ts'
import type { Env } from './probe.ts'
import type { Sandbox, Started } from './sandbox.ts'

/**
 * How the command of one call is started. What is denied to agents above is denied to it too. What it is known to write has been allowed by a rule or a person, and is open for it, unless the
 * mode allows everything.
 */
export function startOf(sandbox: Sandbox, { shell }: Asked, { workspace, deny, above = [], mode }: Rights): (env: Env) => Promise<Started> {
  const writes = shell?.files.filter(({ how, guessed }) => how === 'write' && !guessed) ?? []
  const allowed = mode === 'bypassPermissions' ? [] : writes.map(({ real }) => real)
  return (env) => sandbox.start({ workspace, deny: [...deny, ...above], allowed }, env)
}
