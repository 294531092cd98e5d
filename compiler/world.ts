import type { Diagnostic } from '../schemas/diagnostic.ts'
import { AGENTC, withTools, type Profile } from '../schemas/profile.ts'
import type { ConfigReading } from './config/config.ts'
import { loadConfig } from './config/load.ts'
import { discover, type Discovery } from './discover/discover.ts'
import { discoverSettings } from './discover/settings.ts'
import type { Instructions } from './instructions/instructions.ts'
import { loadInstructions } from './instructions/load.ts'
import type { Kept } from './kept.ts'
import type { CompileOptions } from './options.ts'
import type { KnownServers } from './servers/locked-tools.ts'
import { loadSettings } from './settings/load.ts'
import type { Settings, SettingsReading } from './settings/settings.ts'
import { skillFilesUnderPolicy, skillsUnderPolicy } from './settings/skill-policy.ts'
import { collectSkills } from './skills/collect.ts'
import type { Skills } from './skills/definition.ts'
import type { SourceFile } from './source-file.ts'
import type { CustomTools } from './typescript/custom-tools.ts'

/** Everything that agents are judged by and that is no agent: settings, configuration, tools, skills, servers, instructions. */
export interface World {
  /** The profile that was asked for; `profile` also knows the project's own tools. */
  host: Profile
  profile: Profile
  discovery: Discovery
  settings: Settings
  settingsFiles: readonly SourceFile[]
  config: ConfigReading
  instructions: Instructions
  code: CustomTools['code']
  skills: Skills
  mcp: KnownServers
  /** What is wrong with settings and configuration: rules may be lost with it. */
  aboutSettings: Diagnostic[]
  /** What is wrong with the rest. */
  diagnostics: Diagnostic[]
  /** All its files, by what is in them: as long as they are the same, an agent depends on definitions only. */
  around: readonly string[]
}

/** Finds everything, and reads all but the agents. */
export async function readWorld(options: CompileOptions, kept: Kept): Promise<World> {
  const host = options.profile ?? AGENTC
  const inSettings = discoverSettings(options, kept.disk, kept.sources)
  const { settings: written, files: settingsFiles, diagnostics: read } = await loadSettings(inSettings.files, host, inSettings.folder)
  const config = await loadConfig(inSettings.config)
  const enabledPlugins = new Map([...written.enabledPlugins].map(([name, { value }]) => [name, value]))
  const discovery = discover({ ...options, enabledPlugins }, kept.disk, kept.sources)
  const { settings, diagnostics: aboutPluginHooks } = await pluginHooks(discovery.pluginHooks, written)
  const instructions = await loadInstructions(options, discovery, settings, kept.disk, kept.sources)
  const custom = await customTools(discovery.tools, host)
  const profile = withTools(host, custom.tools)
  const { skills, diagnostics: aboutSkills } = await readSkills(discovery, settings, config, profile, kept)
  const { diagnostics: aboutServers, ...mcp } = await readServers(discovery, settings)
  discovery.inputs.push(...inSettings.inputs, ...instructions.inputs)
  return {
    host,
    profile,
    discovery,
    settings,
    settingsFiles,
    config,
    instructions,
    code: custom.code,
    skills,
    mcp,
    aboutSettings: [...inSettings.diagnostics, ...read, ...config.diagnostics],
    diagnostics: [...aboutSkills, ...aboutPluginHooks, ...custom.diagnostics, ...aboutServers, ...instructions.diagnostics],
    around: filesAround(discovery, [...inSettings.files, ...inSettings.config]),
  }
}

/** The settings with the hooks of plugins; their reader is loaded only where there are some. */
async function pluginHooks(files: readonly SourceFile[], settings: Settings): Promise<SettingsReading> {
  if (files.length === 0) return { settings, files, diagnostics: [] }
  return (await import('./settings/plugin-hooks.ts')).withPluginHooks(files, settings)
}

/** The project's own tools. TypeScript is loaded only where there are some; other hosts have none. */
async function customTools(files: readonly SourceFile[], host: Profile): Promise<CustomTools> {
  if (files.length === 0 || host.name !== AGENTC.name) return { tools: [], code: new Map(), diagnostics: [] }
  return (await import('./typescript/custom-tools.ts')).customTools(files, host)
}

/** Skills and slash commands that are there under the settings. What comes with agentc comes with no other program. */
async function readSkills(
  { skills: files, commands }: Discovery,
  settings: Settings,
  { remoteSkills: remote }: ConfigReading,
  profile: Profile,
  kept: Kept,
): Promise<{ skills: Skills; diagnostics: Diagnostic[] }> {
  const offered = files.filter(({ origin }) => profile.name === AGENTC.name || origin.source !== 'builtin')
  const [ofSkills, ofCommands] = [skillFilesUnderPolicy(offered, settings), skillFilesUnderPolicy(commands, settings)]
  const found = await collectSkills(ofSkills.files, ofCommands.files, profile, kept.skills)
  const skills = skillsUnderPolicy({ ...found, remote }, settings)
  return { skills, diagnostics: [...ofSkills.diagnostics, ...ofCommands.diagnostics, ...skills.diagnostics] }
}

/** What is said about MCP servers outside agents; the reader of JSON is loaded only where there is something to read. */
async function readServers({ servers, lock }: Discovery, settings: Settings): Promise<KnownServers & { diagnostics: Diagnostic[] }> {
  if (servers.length === 0 && !lock) return { servers: new Map(), diagnostics: [] }
  return (await import('./servers/known.ts')).knownServers(servers, lock, settings)
}

function filesAround({ tools, skills, commands, servers, lock, pluginHooks: hooks }: Discovery, settings: readonly SourceFile[]): string[] {
  const files = [...settings, ...tools, ...skills, ...commands, ...servers.map(({ file }) => file), ...(lock ? [lock] : []), ...hooks]
  return files.map(({ kind, origin, hash, text }) => JSON.stringify([kind, origin, hash ?? text]))
}
