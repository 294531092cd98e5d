import type { Diagnostic } from '../schemas/diagnostic.ts'
import type { Definitions } from './define/define.ts'
import type { AgentDefinition } from './define/definition.ts'
import type { Discovery } from './discover/discover.ts'
import { scriptAt, type ScriptState } from './discover/scripts.ts'
import type { Kept, KeptWithin } from './kept.ts'
import { remember } from './memo.ts'
import type { CompileOptions } from './options.ts'
import type { ParsedDocument } from './parse/parse.ts'
import type { Resolution } from './resolve/resolved.ts'
import { checkAgents } from './rules/agents.ts'
import { aboutAgent } from './rules/each.ts'
import { checkGraph } from './rules/graph.ts'
import { checkHookScripts, type HookCommand } from './rules/hook-scripts.ts'
import { checkFallbacks } from './rules/host.ts'
import { checkAgentRules, checkRules } from './rules/permissions.ts'
import { checkDocument, checkFile } from './rules/security.ts'
import { checkSkills } from './rules/skills.ts'
import { bringsCode, writableCode } from './rules/writable-code.ts'
import { withoutValues } from './secret/named.ts'
import type { SourceFile } from './source-file.ts'
import type { World } from './world.ts'

/** What the stages have come to, for the rules. */
export interface Stages {
  world: World
  documents: readonly ParsedDocument[]
  definitions: Definitions
  /** The definitions that are offered, whether they win or not. */
  agents: readonly AgentDefinition[]
  resolution: Resolution
}

/** All rules: what is to be said of the agents and of the files, in any order. Looks for the scripts of hooks, which become inputs. */
export function check(stages: Stages, options: CompileOptions, kept: Kept, within?: KeptWithin): Diagnostic[] {
  return [...checkAll(stages, within), ...hookScripts(stages, options), ...checkContents(stages, kept)]
}

/** Each agent by itself, then all of them together. */
function checkAll({ world, definitions, agents, resolution }: Stages, within: KeptWithin | undefined): Diagnostic[] {
  const { profile, settings, skills, mcp } = world
  const abouts = agents.map((agent) => remember(within?.about, agent, (one) => aboutAgent(one, { profile, servers: mcp, skills })))
  return [
    ...definitions.diagnostics,
    ...foundIn(abouts, ({ found }) => found),
    ...checkAgents(abouts, resolution),
    ...checkFallbacks(definitions.fallbacks, profile),
    ...checkRules(settings, resolution, profile),
    ...checkAgentRules(settings, resolution),
    ...checkSkills(resolution, skills),
    ...checkGraph(abouts, resolution, profile),
  ]
}

/** What files hide, whatever they are, and what agents bring along and could change. */
function checkContents({ world, documents, resolution }: Stages, kept: Kept): Diagnostic[] {
  const { discovery, settingsFiles, instructions } = world
  const { tools, skills, commands, pluginHooks, servers } = discovery
  const files = [...settingsFiles, ...tools, ...skills, ...commands, ...pluginHooks, ...filesToShow(servers), ...instructions.files]
  const codeOf = writableCode(documents)
  return [
    ...foundIn(documents, (document) => remember(kept.aboutDocuments, document, checkDocument)),
    ...foundIn(files, (file) => remember(kept.aboutFiles, file, checkFile)),
    ...foundIn(resolution.agents.values(), (agent) => (bringsCode(agent) ? remember(kept.aboutCode, agent, codeOf) : [])),
  ]
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

/** Files with servers as they may be shown; `.claude.json` is nobody's business but the person's. */
function filesToShow(files: Discovery['servers']): SourceFile[] {
  const shared = files.filter(({ scope }) => scope === 'project' || scope === 'plugin')
  return [...new Set(shared.map(({ file }) => file))].map((file) => ({ ...file, text: withoutValues(file.text) }))
}

/** Scripts of hooks are looked for on the disk, so each becomes an input. */
function hookScripts({ agents, world: { settings, discovery } }: Stages, { cwd, home }: CompileOptions): Diagnostic[] {
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
