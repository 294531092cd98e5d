import type { Code } from '../schemas/codes.ts'
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
import { droppedByHost, offered, withoutFallbacks } from './resolve/offered.ts'
import { resolve } from './resolve/resolve.ts'
import type { Resolution } from './resolve/resolved.ts'
import { checkAgents } from './rules/agents.ts'
import { checkHost } from './rules/host.ts'
import { checkTools } from './rules/tools.ts'
import type { SourceFile } from './source-file.ts'

export interface CompileOptions extends DiscoverOptions {
  profile?: Profile
  features?: ReadonlySet<string>
}

/** Everything that is known after a compilation; nothing has been written. */
export interface Compilation {
  discovery: Discovery
  definitions: Definitions
  resolution: Resolution
  profile: Profile
  /** Sorted by file and place. */
  diagnostics: Diagnostic[]
}

/** The conductor: it orders the stages, and each is data in, data out. */
export async function compile(options: CompileOptions): Promise<Compilation> {
  const profile = options.profile ?? AGENTC
  const discovery = discover(options)
  const documents = await parse(discovery.files)
  const definitions = define(documents)
  const agents = offered(definitions.agents, options.features ?? new Set())
  const loaded = profile.pluginFilesAreAgents ? [...definitions.fallbacks, ...agents] : agents
  const dropped = [...withoutFallbacks(definitions, profile), ...droppedByHost(agents, profile)]
  const rank = new Map(discovery.files.map((file, index) => [file, index]))
  const resolution = resolve(loaded, dropped, { profile, settingsDeny: new Set(), rank })
  const diagnostics = [
    ...discovery.diagnostics,
    ...definitions.diagnostics,
    ...agents.flatMap((agent) => checkTools(agent, profile)),
    ...checkAgents(agents, resolution, profile),
    ...checkHost(agents, definitions.fallbacks, profile),
  ].filter(({ code }) => profile === AGENTC || !ABOUT_HOSTS.has(code))
  return { discovery, definitions, resolution, profile, diagnostics: diagnostics.sort(byPlace) }
}

/** Findings that compare agentc with Claude Code; with a target, those of that target say it better. */
const ABOUT_HOSTS: ReadonlySet<Code> = new Set(['tool/specifier', 'tool/denied-specifier', 'tool/denies-all', 'hook/flat'])

/** Names of agents whose winning file has an error: they block the manifest, and `--keep-going` leaves them out. */
export function broken({ resolution, diagnostics }: Compilation): Set<string> {
  const files = new Set(diagnostics.filter((item) => item.severity === 'error').map((item) => keyOf(item)))
  const names = [...resolution.agents].filter(([, { definition }]) => files.has(keyOf({ at: { origin: definition.file.origin } })))
  return new Set([...names.map(([name]) => name), ...resolution.dropped.keys()])
}

/** What was found in one file. */
export function findingsIn({ origin }: SourceFile, { diagnostics }: Compilation): Diagnostic[] {
  const key = keyOf({ at: { origin } })
  return diagnostics.filter((item) => keyOf(item) === key)
}

/** The manifest's text, without the agents named in `without`. */
export function manifestText({ resolution, profile }: Compilation, without: ReadonlySet<string> = new Set()): string {
  const entries = new Map<string, ManifestAgent>()
  for (const [name, agent] of resolution.agents) if (!without.has(name)) entries.set(name, agentEntry(agent))
  return writeManifest(manifestHeader(profile), entries)
}

function keyOf({ at }: { at: Pick<Diagnostic['at'], 'origin'> }): string {
  const { source, plugin, checkout, path } = at.origin
  return [source, plugin, checkout, path].join('\0')
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [left, right] = [keyOf(a), keyOf(b)]
  if (left !== right) return left < right ? -1 : 1
  if (a.at.range[0] !== b.at.range[0]) return a.at.range[0] - b.at.range[0]
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0
}
