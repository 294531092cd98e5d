import type { Diagnostic } from '../schemas/diagnostic.ts'
import { writeManifest } from '../schemas/manifest.ts'
import { AGENTC, type Profile } from '../schemas/profile.ts'
import type { ManifestAgent } from '../schemas/shapes/manifest.ts'
import { define, type Definitions } from './define/define.ts'
import { discover, type Discovery } from './discover/discover.ts'
import type { DiscoverOptions } from './discover/options.ts'
import { agentEntry } from './emit/agent-entry.ts'
import { manifestHeader } from './emit/header.ts'
import { parse } from './parse/parse.ts'
import { offered } from './resolve/built-in.ts'
import { resolve } from './resolve/resolve.ts'
import type { Resolution } from './resolve/resolved.ts'
import { checkAgents } from './rules/agents.ts'
import { checkTools } from './rules/tools.ts'

export interface CompileOptions extends DiscoverOptions {
  profile?: Profile
  features?: ReadonlySet<string>
  spawnDepth?: number
}

/** Everything that is known after a compilation; nothing has been written. */
export interface Compilation {
  discovery: Discovery
  definitions: Definitions
  resolution: Resolution
  profile: Profile
  spawnDepth: number
  /** Sorted by file and place. */
  diagnostics: Diagnostic[]
}

/** The conductor: it orders the stages, and each is data in, data out. */
export async function compile(options: CompileOptions): Promise<Compilation> {
  const profile = options.profile ?? AGENTC
  const spawnDepth = options.spawnDepth ?? 1
  const discovery = discover(options)
  const documents = await parse(discovery.files)
  const definitions = define(documents)
  const agents = offered(definitions.agents, options.features ?? new Set())
  const resolution = resolve(agents, definitions.dropped, { profile, spawnDepth, settingsDeny: new Set() })
  const diagnostics = [
    ...discovery.diagnostics,
    ...definitions.diagnostics,
    ...agents.flatMap((agent) => checkTools(agent, profile)),
    ...checkAgents(agents, resolution, profile),
  ]
  return { discovery, definitions, resolution, profile, spawnDepth, diagnostics: diagnostics.sort(byPlace) }
}

/** Names of agents whose winning file has an error: they block the manifest, and `--keep-going` leaves them out. */
export function broken({ resolution, diagnostics }: Compilation): Set<string> {
  const files = new Set(diagnostics.filter((item) => item.severity === 'error').map((item) => keyOf(item)))
  const names = [...resolution.agents].filter(([, { definition }]) => files.has(keyOf({ at: { origin: definition.file.origin } })))
  return new Set([...names.map(([name]) => name), ...resolution.dropped.keys()])
}

/** The manifest's text, without the agents named in `without`. */
export function manifestText({ resolution, profile, spawnDepth }: Compilation, without: ReadonlySet<string> = new Set()): string {
  const entries = new Map<string, ManifestAgent>()
  for (const [name, agent] of resolution.agents) if (!without.has(name)) entries.set(name, agentEntry(agent))
  return writeManifest(manifestHeader(profile, spawnDepth), entries)
}

function keyOf({ at }: { at: Pick<Diagnostic['at'], 'origin'> }): string {
  return [at.origin.source, at.origin.plugin, at.origin.path].join('\0')
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [left, right] = [keyOf(a), keyOf(b)]
  if (left !== right) return left < right ? -1 : 1
  if (a.at.range[0] !== b.at.range[0]) return a.at.range[0] - b.at.range[0]
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0
}
