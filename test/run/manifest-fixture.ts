import { agentHash, readManifest, writeManifest } from '../../schemas/manifest.ts'
import { MODELS } from '../../schemas/models.ts'
import type { ManifestAgent, ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { TOOLS } from '../../schemas/tools.ts'
import type { Start } from '../../runner/index.ts'

const HASH = `sha256:${'0'.repeat(64)}`

/** Allowed unless a test says something else, so that tests about runs need no rules. */
const WRITERS = ['Bash', 'Edit', 'NotebookEdit', 'Skill', 'WebFetch', 'WebSearch', 'Write']

/** The settings of the person: they need no trust. */
const PERSON = { source: 'user', path: 'settings.json', line: 1, column: 1 } as const

export type AgentParts = Partial<Omit<ManifestAgent, 'hash' | 'toolViews'>> & { tools?: string[] }
export type HeaderParts = Partial<Omit<ManifestHeader, 'hash'>>

/** The text of a manifest as the compiler writes it, with real descriptions and schemas of tools. */
export function manifestText(agents: Readonly<Record<string, AgentParts>>, parts: HeaderParts = {}): string {
  const header: Omit<ManifestHeader, 'hash'> = {
    agentc: 1,
    profile: 'agentc',
    models: { ...MODELS },
    limits: { spawnDepth: 1, parallelReads: 10, resultChars: 100_000 },
    features: {},
    tools: Object.fromEntries(TOOLS.map((tool) => [tool.name, describe(tool)])),
    skills: {},
    commands: {},
    settings: { bypassDisabled: false, additionalDirectories: [], env: {} },
    memory: {},
    mcpServers: {},
    permissions: { allow: WRITERS.map((tool) => ({ tool, origin: PERSON })), ask: [], deny: [] },
    hooks: {},
    ...parts,
  }
  return writeManifest(header, new Map(Object.entries(agents).map(([name, agent]) => [name, agentOf(name, agent)])))
}

/** What a run of one agent starts with, read back from the text. */
export function startOf(agent: AgentParts, prompt: string, parts: HeaderParts = {}): Start {
  const open = readManifest(manifestText({ worker: agent }, parts))
  return { header: open.header, name: 'worker', agent: open.agents.get('worker')!, prompt }
}

/** A rule about paths, written in the project's settings. */
export function pathRule(tool: string, path: string, line = 3): Rule {
  return { tool, match: { path, anchor: 'cwd' }, origin: { source: 'project', path: '.claude/settings.json', line, column: 5 } }
}

function describe(tool: (typeof TOOLS)[number]): ManifestHeader['tools'][string] {
  return {
    description: tool.description,
    input_schema: tool.inputSchema,
    traits: { readOnly: tool.traits.readOnly },
    ...(tool.aliases.length > 0 ? { aliases: [...tool.aliases] } : {}),
  }
}

function agentOf(name: string, { tools = ['Glob', 'Grep', 'Read'], ...parts }: AgentParts): ManifestAgent {
  const view = { tools, mcp: 'all' as const, mcpDeny: [] }
  const agent: Omit<ManifestAgent, 'hash'> = {
    description: `Works on ${name}`,
    prompt: `You are ${name}. Be brief.`,
    model: 'claude-haiku-5-5',
    color: 'blue',
    toolViews: { main: view, sub: view, leaf: view, background: view },
    limits: [],
    deny: [],
    spawns: 'all',
    servers: [],
    skills: [],
    origin: { source: 'project', path: `.claude/agents/${name}.md`, hash: HASH },
    overrides: [],
    provenance: {},
    ...parts,
  }
  return { hash: agentHash(agent), ...agent }
}
