import { ManifestFault, readManifest, type OpenManifest } from '../../schemas/manifest.ts'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import type { Origin } from '../../schemas/source.ts'
import { locationOf } from '../report/location.ts'
import { printable } from '../report/style.ts'
import { agentFindings, powersOf } from './agent.ts'
import { finding, type Change, type Finding } from './change.ts'
import { headerFindings } from './header.ts'
import { changeLine, sentence } from './text.ts'

/**
 * Everything that changed between two manifests: gains of power first (`change.ts` says what is one), then by agent in the order of code
 * units, the header before all agents. Equal manifests give nothing; unequal ones always something.
 */
export function compareManifests(old: OpenManifest, now: OpenManifest): Change[] {
  const names = [...new Set([...old.names, ...now.names])].sort()
  const changes = [
    ...headerFindings(old.header, now.header).map((item) => ({ ...item, message: sentence(item) })),
    ...names.flatMap((name) => agentChanges(name, old.agents.get(name), now.agents.get(name))),
  ]
  return [...changes.filter(({ gain }) => gain), ...changes.filter(({ gain }) => !gain)]
}

function agentChanges(name: string, old: ManifestAgent | undefined, now: ManifestAgent | undefined): Change[] {
  const found = !now
    ? [finding('agent', 'removed', false)]
    : old
      ? agentFindings(old, now)
      : [finding('agent', 'added', true, powersOf(now))]
  return found.map((item) => ({ ...item, agent: name, message: sentence(item), ...(now && placeOf(item, now)) }))
}

/** The frontmatter's key that a kind of change is written under, where it is not named like the kind. */
const KEYS: Partial<Record<Change['kind'], readonly string[]>> = {
  tools: ['tools', 'disallowedTools', 'memory'],
  planTools: ['permissionMode'],
  limits: ['tools'],
  deny: ['disallowedTools'],
  spawns: ['tools'],
  servers: ['mcpServers'],
  requiredServers: ['requiredMcpServers'],
  reminder: ['criticalSystemReminder_EXPERIMENTAL'],
}

/** Where the new value stands; files of other layers are not in the repository, so only the project's get a line. */
function placeOf({ kind }: Finding, { origin, provenance }: ManifestAgent): { file?: string; line?: number } {
  if (origin.source !== 'project') return {}
  const key = (KEYS[kind] ?? [kind]).find((name) => Object.hasOwn(provenance, name))
  return { file: locationOf(origin as Origin), line: key === undefined ? 1 : provenance[key]!.line }
}

/** What changed between the texts of two manifests, a line each, as `build --check` says it. */
export function differences(before: string, after: string): string[] {
  const old = open(before)
  return old ? compareManifests(old, readManifest(after)).map((item) => printable(changeLine(item))) : ['the old manifest cannot be read']
}

function open(text: string): OpenManifest | undefined {
  try {
    return readManifest(text)
  } catch (error) {
    if (error instanceof ManifestFault) return undefined
    throw error
  }
}
