import type { Diagnostic } from '../schemas/diagnostic.ts'
import { AGENTC, withTools, type Profile } from '../schemas/profile.ts'
import { define, type Definitions } from './define/define.ts'
import type { AgentDefinition } from './define/definition.ts'
import { loadConfig } from './config/load.ts'
import type { ConfigReading } from './config/config.ts'
import { discover, type Discovery } from './discover/discover.ts'
import { fileKey, inOrder } from './findings/order.ts'
import type { FileSystem } from './discover/file-system.ts'
import type { KnownSources } from './discover/known-sources.ts'
import type { DiscoverOptions } from './discover/options.ts'
import { findPrograms } from './discover/programs.ts'
import { scriptAt, type ScriptState } from './discover/scripts.ts'
import { discoverSettings } from './discover/settings.ts'
import { programsNamed } from './rules/plugin-programs.ts'
import type { Instructions } from './instructions/instructions.ts'
import { loadInstructions } from './instructions/load.ts'
import { remember, type Bound, type Memo } from './memo.ts'
import { parse, type ParsedDocument } from './parse/parse.ts'
import { settingsDeny, settingsMcpDeny } from './permission/deny.ts'
import { droppedByHost, offered, withoutFallbacks } from './resolve/offered.ts'
import { resolve } from './resolve/resolve.ts'
import type { LastResolution } from './resolve/one.ts'
import type { Resolution, ResolvedAgent } from './resolve/resolved.ts'
import { checkAgents } from './rules/agents.ts'
import { aboutAgent, type AboutAgent } from './rules/each.ts'
import { checkGraph } from './rules/graph.ts'
import { checkHookScripts, type HookCommand } from './rules/hook-scripts.ts'
import { checkFallbacks, COMPARES_HOSTS } from './rules/host.ts'
import { checkRules } from './rules/permissions.ts'
import { checkDocument, checkFile } from './rules/security.ts'
import { bringsCode, writableCode } from './rules/writable-code.ts'
import { checkSkills } from './rules/skills.ts'
import { withoutValues } from './secret/named.ts'
import { loadSettings } from './settings/load.ts'
import { underPolicy } from './settings/policy.ts'
import type { Settings, SettingsReading } from './settings/settings.ts'
import { skillFilesUnderPolicy, skillsUnderPolicy } from './settings/skill-policy.ts'
import { collectSkills } from './skills/collect.ts'
import type { Skills } from './skills/definition.ts'
import type { SourceFile } from './source-file.ts'
import type { KnownServers } from './servers/locked-tools.ts'
import type { CustomTools } from './typescript/custom-tools.ts'

export interface CompileOptions extends DiscoverOptions {
  profile?: Profile
  features?: ReadonlySet<string>
  /** Built-in agents that are left out (mission M5). */
  hiddenBuiltins?: readonly string[]
  /** `false`: no agent has a memory. */
  memory?: false
}

/** What one compilation leaves to the next. */
export interface Kept {
  disk?: FileSystem
  sources?: KnownSources
  documents?: Memo<SourceFile, ParsedDocument>
  definitions?: Memo<ParsedDocument, Definitions>
  /** What depends on definitions, and on files that are none of agents. */
  bound?: Bound<KeptWithin>
  /** What is found in a file by itself, and about an agent as it was resolved. */
  aboutDocuments?: Memo<ParsedDocument, readonly Diagnostic[]>
  aboutCode?: Memo<ResolvedAgent, readonly Diagnostic[]>
}

export interface KeptWithin {
  resolved: Memo<AgentDefinition, ResolvedAgent>
  last: LastResolution
  about: Memo<AgentDefinition, AboutAgent>
}

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
  const host = options.profile ?? AGENTC
  const inSettings = discoverSettings(options, kept.disk, kept.sources)
  const { settings: written, files: settingsFiles, diagnostics: read } = await loadSettings(inSettings.files, host, inSettings.folder)
  const config = await loadConfig(inSettings.config)
  const aboutSettings = [...inSettings.diagnostics, ...read, ...config.diagnostics]
  const enabledPlugins = new Map([...written.enabledPlugins].map(([name, { value }]) => [name, value]))
  const discovery = discover({ ...options, enabledPlugins }, kept.disk, kept.sources)
  const { settings, diagnostics: aboutPluginHooks } = await pluginHooks(discovery.pluginHooks, written)
  const instructions = await loadInstructions(options, discovery, settings, kept.disk, kept.sources)
  const custom = await customTools(discovery.tools, host)
  const profile = withTools(host, custom.tools)
  const documents = await parse(discovery.files, kept.documents)
  const definitions = define(documents, kept.definitions)
  const { agents, diagnostics: underSwitches } = underPolicy(offered(definitions.agents, options), settings)
  const loaded = profile.pluginFilesAreAgents ? [...definitions.fallbacks, ...agents] : agents
  const dropped = [...withoutFallbacks(definitions, profile), ...droppedByHost(agents, profile)]
  // What comes with agentc comes with no other program.
  const offeredSkills = discovery.skills.filter(({ origin }) => host.name === AGENTC.name || origin.source !== 'builtin')
  const [skillFiles, commandFiles] = [offeredSkills, discovery.commands].map((files) => skillFilesUnderPolicy(files, settings))
  const found = await collectSkills(skillFiles!.files, commandFiles!.files, profile)
  const skills = skillsUnderPolicy({ ...found, remote: config.remoteSkills }, settings)
  const { diagnostics: aboutServers, ...mcp } = await readServers(discovery, settings)
  const rank = new Map(documents.map(({ file }, index) => [file, index]))
  const within = kept.bound?.within(filesAround(discovery, [...inSettings.files, ...inSettings.config]))
  const world = { profile, servers: mcp, skills }
  const abouts = agents.map((agent) => remember(within?.about, agent, (one) => aboutAgent(one, world)))
  const resolution = resolve(loaded, dropped, {
    profile,
    ...deniedBy(settings, profile),
    rank,
    skills,
    lock: mcp.lock,
    known: within?.resolved,
    last: within?.last,
  })
  const codeOf = writableCode(documents)
  const diagnostics = [
    ...aboutSettings,
    ...discovery.diagnostics,
    ...definitions.diagnostics,
    ...foundIn(abouts, ({ found }) => found),
    ...checkAgents(abouts, resolution),
    ...checkFallbacks(definitions.fallbacks, profile),
    ...checkRules(settings, resolution, profile),
    ...underSwitches,
    ...skillFiles!.diagnostics,
    ...commandFiles!.diagnostics,
    ...aboutPluginHooks,
    ...custom.diagnostics,
    ...aboutServers,
    ...instructions.diagnostics,
    ...skills.diagnostics,
    ...checkSkills(resolution, skills),
    ...checkGraph(abouts, resolution, profile),
    ...hookScripts(agents, settings, options, discovery),
    ...foundIn(documents, (document) => remember(kept.aboutDocuments, document, checkDocument)),
    ...foundIn(
      [
        ...settingsFiles,
        ...discovery.tools,
        ...discovery.skills,
        ...discovery.commands,
        ...discovery.pluginHooks,
        ...filesToShow(discovery.servers),
        ...instructions.files,
      ],
      checkFile,
    ),
    ...foundIn(resolution.agents.values(), (agent) => (bringsCode(agent) ? remember(kept.aboutCode, agent, codeOf) : [])),
  ].filter(({ code }) => host.name === AGENTC.name || !COMPARES_HOSTS.has(code))
  const ran = discovery.plugins.length === 0 ? [] : programsNamed(settings.hooks, skills, mcp.servers)
  const { programs, inputs } = findPrograms(ran, discovery.plugins)
  discovery.programs.push(...programs)
  discovery.inputs.push(...inSettings.inputs, ...instructions.inputs, ...inputs)
  const said = { settingsErrors: aboutSettings.filter(isError), diagnostics: inOrder(diagnostics) }
  const features = [...(options.features ?? [])].sort()
  return {
    discovery,
    definitions,
    resolution,
    settings,
    limits: config.limits,
    ...(config.sandbox && { sandbox: config.sandbox }),
    skills,
    mcp,
    instructions,
    profile,
    features,
    code: custom.code,
    ...said,
  }
}

/** The settings with the hooks of plugins; their reader is loaded only where there are some. */
async function pluginHooks(files: readonly SourceFile[], settings: Settings): Promise<SettingsReading> {
  if (files.length === 0) return { settings, files, diagnostics: [] }
  return (await import('./settings/plugin-hooks.ts')).withPluginHooks(files, settings)
}

/** All files but those of agents: as long as they are the same, an agent depends on definitions only. */
function filesAround({ tools, skills, commands, servers, lock, pluginHooks: hooks }: Discovery, settings: readonly SourceFile[]): string[] {
  const files = [...settings, ...tools, ...skills, ...commands, ...servers.map(({ file }) => file), ...(lock ? [lock] : []), ...hooks]
  return files.map(({ kind, origin, hash, text }) => JSON.stringify([kind, origin, hash ?? text]))
}

/** What deny rules of the settings take from every agent. */
function deniedBy({ permissions }: Settings, profile: Profile) {
  return { settingsDeny: settingsDeny(permissions.deny, profile), settingsMcpDeny: settingsMcpDeny(permissions.deny) }
}

/** What a look at each by itself finds; most have nothing. */
function foundIn<T>(values: Iterable<T>, look: (value: T) => readonly Diagnostic[]): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const value of values) {
    const one = look(value)
    if (one.length > 0) found.push(...one)
  }
  return found
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

/** Scripts of hooks are looked for on the disk, so each becomes an input. */
function hookScripts(
  agents: readonly AgentDefinition[],
  settings: Settings,
  { cwd, home }: CompileOptions,
  discovery: Discovery,
): Diagnostic[] {
  const own: HookCommand[] = []
  for (const { file, hookCommands } of agents) if (hookCommands) own.push(...hookCommands.map((command) => ({ ...command, file })))
  const plugins = new Map(discovery.plugins.map(({ name, folder }) => [name, folder]))
  const seen = new Map<string, ScriptState>()
  return checkHookScripts([...settings.hookCommands, ...own], { cwd, home, project: discovery.projectRoot, plugins }, (path) => {
    const before = seen.get(path)
    if (before) return before
    const { state, input } = scriptAt(path)
    discovery.inputs.push(input)
    seen.set(path, state)
    return state
  })
}

/** The project's own tools. TypeScript is loaded only where there are some; other hosts have none. */
async function customTools(files: readonly SourceFile[], host: Profile): Promise<CustomTools> {
  if (files.length === 0 || host.name !== AGENTC.name) return { tools: [], code: new Map(), diagnostics: [] }
  return (await import('./typescript/custom-tools.ts')).customTools(files, host)
}

/** Files with servers as they may be shown; `.claude.json` is nobody's business but the person's. */
function filesToShow(files: Discovery['servers']): SourceFile[] {
  const shared = files.filter(({ scope }) => scope === 'project' || scope === 'plugin')
  return [...new Set(shared.map(({ file }) => file))].map((file) => ({ ...file, text: withoutValues(file.text) }))
}

/** What is said about MCP servers outside agents; the reader of JSON is loaded only where there is something to read. */
async function readServers({ servers, lock }: Discovery, settings: Settings): Promise<KnownServers & { diagnostics: Diagnostic[] }> {
  if (servers.length === 0 && !lock) return { servers: new Map(), diagnostics: [] }
  return (await import('./servers/known.ts')).knownServers(servers, lock, settings)
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
