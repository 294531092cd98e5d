import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { AgentDefinition } from '../define/definition.ts'
import * as say from '../findings/agent.ts'

const WRITES = new Set(['Write', 'Edit', 'NotebookEdit'])

/** A mode that asks nobody, and a plan mode beside tools that write. */
export function checkPowers(agent: AgentDefinition, profile: Profile): Diagnostic[] {
  const { file, permissionMode, tools, places } = agent
  if (file.origin.source === 'builtin') return []
  if (permissionMode?.value === 'bypassPermissions') return [say.bypass(file, permissionMode.range)]
  if (permissionMode?.value !== 'plan' || tools.kind === 'all') return []
  const writes = tools.entries.flatMap((entry) => profile.byName.get(entry.name)?.name ?? []).filter((name) => WRITES.has(name))
  return writes.length > 0 ? [say.planWithWrite(file, places.get('tools')!.value, [...new Set(writes)])] : []
}
