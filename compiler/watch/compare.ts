import { canonicalJson } from '../../schemas/canonical.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { OpenManifest } from '../../schemas/manifest.ts'
import type { ManifestAgent, ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { Compilation } from '../compile.ts'
import { headerOf } from '../emit/manifest-of.ts'
import type { Change } from '../diff/change.ts'
import { compareManifests } from '../diff/diff.ts'
import { agentText } from '../emit/agent-entry.ts'
import { excerptOf } from '../report/excerpt.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'

/** What one change made different. */
export interface Difference {
  /** In the resolved agents, gains of power first. */
  changes: Change[]
  /** Findings that were not there before, and those that are no longer. */
  fresh: Diagnostic[]
  gone: Diagnostic[]
}

/** Compares two compilations of the same options; it looks only at agents that were resolved anew. */
export function compare(old: Compilation, now: Compilation): Difference {
  const names = changedNames(old.resolution.agents, now.resolution.agents)
  const [before, after] = [openManifest(old, names), openManifest(now, names)]
  return { changes: compareManifests(before, after), ...findings(old.diagnostics, now.diagnostics) }
}

type Agents = ReadonlyMap<string, ResolvedAgent>

function changedNames(old: Agents, now: Agents): Set<string> {
  const names = new Set<string>()
  for (const [name, agent] of now) if (old.get(name) !== agent) names.add(name)
  for (const name of old.keys()) if (!now.has(name)) names.add(name)
  return names
}

/** As much of a manifest as is compared; its hashes tell equal entries apart from others, and are not those of a file. */
function openManifest(compilation: Compilation, names: ReadonlySet<string>): OpenManifest {
  const agents = new Map<string, ManifestAgent>()
  for (const name of names) {
    const agent = compilation.resolution.agents.get(name)
    if (!agent) continue
    const text = agentText(agent)
    agents.set(name, { ...(JSON.parse(text) as Omit<ManifestAgent, 'hash'>), hash: text })
  }
  const header = headerOf(compilation)
  return { header: { ...header, hash: canonicalJson(header) } as ManifestHeader, names: [...agents.keys()], agents }
}

/**
 * Two findings are the same if they say the same about the same words of the same file, wherever these stand now. Most are the very same
 * values, because what was not worked out anew was not found anew.
 */
function findings(old: readonly Diagnostic[], now: readonly Diagnostic[]): Pick<Difference, 'fresh' | 'gone'> {
  const [before, after] = [new Set(old), new Set(now)]
  const left = counted(old.filter((item) => !after.has(item)))
  const fresh = now.filter((item) => !before.has(item) && !taken(left, item))
  const gone = [...left.values()].flat()
  return { fresh, gone: gone.map(excerptOf) }
}

function counted(items: readonly Diagnostic[]): Map<string, Diagnostic[]> {
  const all = new Map<string, Diagnostic[]>()
  for (const item of items) {
    const same = all.get(keyOf(item))
    if (same) same.push(item)
    else all.set(keyOf(item), [item])
  }
  return all
}

function taken(left: Map<string, Diagnostic[]>, item: Diagnostic): boolean {
  const same = left.get(keyOf(item))
  if (!same) return false
  same.pop()
  if (same.length === 0) left.delete(keyOf(item))
  return true
}

function keyOf({ code, severity, message, at: { origin, text, range } }: Diagnostic): string {
  return [code, severity, message, origin.source, origin.plugin, origin.path, text.slice(...range)].join('\0')
}
