import type { Diagnostic } from '../schemas/diagnostic.ts'
import { AGENTC, type Profile } from '../schemas/profile.ts'
import { check } from './check.ts'
import type { ConfigReading } from './config/config.ts'
import { define, type Definitions } from './define/define.ts'
import type { AgentDefinition } from './define/definition.ts'
import type { Discovery } from './discover/discover.ts'
import { findPrograms } from './discover/programs.ts'
import { fileKey, inOrder } from './findings/order.ts'
import type { Instructions } from './instructions/instructions.ts'
import type { Kept, KeptWithin } from './kept.ts'
import type { CompileOptions } from './options.ts'
import { parse, type ParsedDocument } from './parse/parse.ts'
import { settingsDeny, settingsMcpDeny } from './permission/deny.ts'
import { droppedByHost, offered, withoutFallbacks } from './resolve/offered.ts'
import { resolve } from './resolve/resolve.ts'
import type { Resolution } from './resolve/resolved.ts'
import { COMPARES_HOSTS } from './rules/host.ts'
import { programsNamed } from './rules/plugin-programs.ts'
import type { KnownServers } from './servers/locked-tools.ts'
import { underPolicy } from './settings/policy.ts'
import type { Settings } from './settings/settings.ts'
import type { Skills } from './skills/definition.ts'
import type { SourceFile } from './source-file.ts'
import { readWorld, type World } from './world.ts'

/** Everything that is known after a compilation; nothing has been written. */
export interface Compilation {
  discovery: Discovery
  definitions: Definitions
  resolution: Resolution
  settings: Settings
  /** What `agentc.config.json` says of the limits of runs. */
  limits: ConfigReading['limits']
  /** What it asks of the walls around commands. */
  sandbox?: ConfigReading['sandbox']
  /** Errors in settings: rules may be lost with them, so they stand in the way of every agent. */
  settingsErrors: Diagnostic[]
  skills: Skills
  profile: Profile
  /** The code of the project's own tools, by its hash. */
  code: ReadonlyMap<string, string>
  /** The servers that are set up outside agents, and what their tools are locked to. */
  mcp: KnownServers
  /** CLAUDE.md and what belongs to it. */
  instructions: Instructions
  /** Features that are on, sorted. */
  features: readonly string[]
  /** Sorted by file and place. */
  diagnostics: Diagnostic[]
}

/** The conductor: it orders the stages, and each is data in, data out. What `kept` holds of earlier compilations only saves work. */
export async function compile(options: CompileOptions, kept: Kept = {}): Promise<Compilation> {
  const world = await readWorld(options, kept)
  const { discovery, settings, aboutSettings } = world
  const documents = await parse(discovery.files, kept.documents)
  const definitions = define(documents, kept.definitions)
  const { agents, diagnostics: underSwitches } = underPolicy(offered(definitions.agents, options), settings)
  const within = kept.bound?.within(world.around)
  const resolution = resolveIn(world, documents, definitions, agents, within)
  const found = check({ world, documents, definitions, agents, resolution }, options, kept, within)
  notePrograms(world, kept)
  const all = [...aboutSettings, ...discovery.diagnostics, ...underSwitches, ...world.diagnostics, ...found]
  return {
    ...ofWorld(world),
    definitions,
    resolution,
    features: [...(options.features ?? [])].sort(),
    settingsErrors: aboutSettings.filter(isError),
    diagnostics: inOrder(all.filter(({ code }) => world.host.name === AGENTC.name || !COMPARES_HOSTS.has(code))),
  }
}

/** In: the definitions that are offered, besides those of files that only the host makes agents of. */
function resolveIn(
  { profile, settings: { permissions }, skills, mcp: { lock } }: World,
  documents: readonly ParsedDocument[],
  definitions: Definitions,
  agents: readonly AgentDefinition[],
  within: KeptWithin | undefined,
): Resolution {
  const loaded = profile.pluginFilesAreAgents ? [...definitions.fallbacks, ...agents] : agents
  const dropped = [...withoutFallbacks(definitions, profile), ...droppedByHost(agents, profile)]
  return resolve(loaded, dropped, {
    profile,
    settingsDeny: settingsDeny(permissions.deny, profile),
    settingsMcpDeny: settingsMcpDeny(permissions.deny),
    // Only a file that gave no agent is compared by it.
    get rank() {
      return new Map(documents.map(({ file }, index) => [file, index]))
    },
    skills,
    lock,
    known: within?.resolved,
    last: within?.last,
  })
}

/** Programs in the folders of plugins are looked for once it is known what names them; they become inputs. */
function notePrograms({ discovery, settings, skills, mcp }: World, { disk, sources, programs: known }: Kept): void {
  if (discovery.plugins.length === 0) return
  const { programs, inputs } = findPrograms(programsNamed(settings.hooks, skills, mcp.servers), discovery.plugins, {
    disk,
    known,
    began: sources?.began,
  })
  discovery.programs.push(...programs)
  discovery.inputs.push(...inputs)
}

/** What later stages and commands ask of the world. */
function ofWorld({ discovery, settings, config: { limits, sandbox }, skills, mcp, instructions, profile, code }: World) {
  return { discovery, settings, limits, ...(sandbox && { sandbox }), skills, mcp, instructions, profile, code }
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

/**
 * Names of agents whose winning file has an error: they block the manifest, and `--keep-going` leaves them out. An error in settings
 * breaks them all, because none of them may run without a rule that was to hold for it.
 */
export function broken({ resolution, diagnostics, settingsErrors }: Compilation): Set<string> {
  if (settingsErrors.length > 0) return new Set([...resolution.agents.keys(), ...resolution.dropped.keys()])
  const files = new Set(diagnostics.filter(isError).map((item) => fileKey(item)))
  if (files.size === 0) return new Set(resolution.dropped.keys())
  const names = [...resolution.agents].filter(([, { definition }]) => files.has(fileKey({ at: { origin: definition.file.origin } })))
  return new Set([...names.map(([name]) => name), ...resolution.dropped.keys()])
}

/** What was found in one file. */
export function findingsIn({ origin }: SourceFile, { diagnostics }: Compilation): Diagnostic[] {
  const key = fileKey({ at: { origin } })
  return diagnostics.filter((item) => fileKey(item) === key)
}
