import { mkdirSync, mkdtempSync, realpathSync, rmSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { compile, type Compilation } from '../../compiler/compile.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import type { SourceFile } from '../../compiler/source-file.ts'
import { readManifest } from '../../schemas/manifest.ts'
import type { Manifest, ManifestAgent, View } from '../../schemas/shapes/manifest.ts'
import { optionsFor, put } from './tree.ts'

/** Issue 4: removing any single source file changes only what provenance says came from it. */

const NAMES = ['a', 'b', 'c']
const some = <T>(all: readonly T[]): fc.Arbitrary<T[]> => fc.subarray([...all])
const maybe = (lines: string[]): fc.Arbitrary<string> => fc.constantFrom('', ...lines)

const agent = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      maybe(['tools: Read, Grep, mcp__db__query\n', 'tools: Agent(a, b), Bash(git *)\n', 'tools: [Write, Agent(c)]\n', 'tools: "*"\n']),
      maybe(['disallowedTools: Edit, Bash(rm *)\n', 'disallowedTools: mcp__web\n']),
      maybe(['skills: [notes, gone]\n', 'skills: notes\n']),
      maybe(['mcpServers: [db]\n', 'mcpServers:\n  - own: { command: own }\n']),
      maybe(['memory: user\n', 'memory: project\n']),
      maybe(['hooks:\n  Stop:\n    - hooks: [{ command: own-hook }]\n']),
      maybe(['model: haiku\n', 'permissionMode: plan\n', 'color: red\n']),
      fc.constantFrom('One way.', 'Another way.'),
    )
    .map(([...parts]) => `---\nname: ${name}\ndescription: Does ${name}.\n${parts.slice(0, -1).join('')}---\n\n${parts.at(-1)}\n`)

const RULES = ['Bash', 'Read', 'Grep', 'Bash(git push *)', 'Read(secret/**)', 'mcp__db', 'Agent(b)', 'Skill(notes)', 'WebFetch(domain:x.y)']
const settings: fc.Arbitrary<string> = fc
  .record(
    {
      permissions: fc.record(
        {
          allow: some(RULES),
          ask: some(RULES),
          deny: some(RULES),
          defaultMode: fc.constantFrom('plan', 'dontAsk'),
          additionalDirectories: some(['../x', '../y']),
        },
        { requiredKeys: [] },
      ),
      hooks: fc.constantFrom(
        { Stop: [{ hooks: [{ type: 'command', command: 'one' }] }] },
        {
          PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'two' }] }],
          Stop: [{ hooks: [{ type: 'command', command: 'three' }] }],
        },
      ),
      env: fc.dictionary(fc.constantFrom('X', 'Y', 'A_TOKEN'), fc.constantFrom('1', '2')),
      agent: fc.constantFrom('a', 'b'),
      disabledMcpjsonServers: fc.constant([]),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value))

const servers: fc.Arbitrary<string> = fc
  .dictionary(fc.constantFrom('db', 'web'), fc.constantFrom({ command: 'one' }, { type: 'http', url: 'https://x' }))
  .map((mcpServers) => JSON.stringify({ mcpServers }))
const hooksFile = fc.constantFrom('{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"four"}]}]}}')
const skill = fc.constantFrom('Keep notes.', 'Take notes.').map((text) => `---\nname: notes\ndescription: Notes.\n---\n\n${text}\n`)
const command = fc.constantFrom('Go on.\n', 'Come back.\n')

const PLACES: Record<string, fc.Arbitrary<string>> = {
  ...Object.fromEntries(
    ['project/.claude', 'project/sub/.claude', 'home/.claude', 'managed/.claude', 'kit'].flatMap((folder) =>
      NAMES.map((name) => [`${folder}/agents/${name}.md`, agent(name)]),
    ),
  ),
  ...Object.fromEntries(
    [
      'project/.claude/settings.json',
      'project/.claude/settings.local.json',
      'project/sub/.claude/settings.json',
      'home/.claude/settings.json',
      'managed/managed-settings.json',
      'managed/managed-settings.d/more.json',
    ].map((path) => [path, settings]),
  ),
  ...Object.fromEntries(
    ['project/.mcp.json', 'project/sub/.mcp.json', 'home/.claude.json', 'kit/.mcp.json'].map((path) => [path, servers]),
  ),
  ...Object.fromEntries(['project/.claude', 'home/.claude', 'kit'].map((folder) => [`${folder}/skills/notes/SKILL.md`, skill])),
  'project/.claude/commands/go.md': command,
  'home/.claude/commands/go.md': command,
  'kit/hooks/hooks.json': hooksFile,
}

/** Files of all layers that compile without an error, and which of them is to go. */
export const treeAndFile: fc.Arbitrary<[files: Record<string, string>, gone: string]> = fc
  .subarray(Object.keys(PLACES), { minLength: 1, maxLength: 14 })
  .chain((paths) => fc.tuple(fc.record(Object.fromEntries(paths.map((path) => [path, PLACES[path]!]))), fc.constantFrom(...paths)))

/** Compiles the tree, removes the file, compiles again, and compares what did not come from the file. */
export async function changesOnlyWhatCameFromIt([files, gone]: [Record<string, string>, string]): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'agentc-removal-')))
  try {
    await compareIn(root, files, gone)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function compareIn(root: string, files: Record<string, string>, gone: string): Promise<void> {
  mkdirSync(join(root, 'project/sub'), { recursive: true })
  put(root, 'project/.git/HEAD', '')
  put(root, 'kit/.claude-plugin/plugin.json', '{"name":"kit"}')
  for (const [path, text] of Object.entries(files)) put(root, path, text)
  const options = { ...optionsFor(root), cwd: join(root, 'project/sub'), pluginDirs: [join(root, 'kit')] }
  const before = await compile(options)
  unlinkSync(join(root, gone))
  const after = await compile(options)
  const came = cameFrom(gone, before)
  expect(without(manifest(after), came)).toEqual(without(manifest(before), came))
}

function manifest(compilation: Compilation): Manifest {
  const text = manifestText(compilation)
  readManifest(text)
  return JSON.parse(text) as Manifest
}

interface From {
  is: (origin: { source: string; path: string; plugin?: string | undefined } | undefined) => boolean
  agents: Set<string>
  skills: Set<string>
  commands: Set<string>
  servers: Set<string>
  /** Tools that its deny rules take from everyone. */
  denied: Set<string>
  env: Set<string>
  memory: boolean
}

/** What provenance says of a file: everything that bears its origin, and what it has a say in as one of those that were replaced. */
function cameFrom(gone: string, { resolution, skills, mcp, settings }: Compilation): From {
  const [layer, ...rest] = gone.split('/')
  const path = rest.join('/')
  const shown = layer === 'home' ? path.replace(/^\.claude\.json$/, '../.claude.json').replace(/^\.claude\//, '') : path
  const source = { project: 'project', home: 'user', managed: 'policy', kit: 'plugin' }[layer!]!
  const is: From['is'] = (origin) => origin?.source === source && origin.path === shown
  const names = <T>(all: ReadonlyMap<string, T>, chain: (one: T) => { file: SourceFile }[]): Set<string> =>
    new Set([...all].filter(([, one]) => chain(one).some(({ file }) => is(file.origin))).map(([name]) => name))
  const agents = names(resolution.agents, ({ definition, overrides }) => [definition, ...overrides])
  return {
    is,
    agents,
    skills: names(skills.skills, ({ definition, overrides }) => [definition, ...overrides]),
    commands: names(skills.commands, ({ definition, overrides }) => [definition, ...overrides]),
    servers: names(mcp.servers, (server) => [server, ...server.overruled]),
    denied: new Set(settings.permissions.deny.flatMap(({ tool, match, origin }) => (!match && is(origin) ? [tool] : []))),
    env: new Set([...settings.written].filter(([, values]) => values.some(({ file }) => is(file.origin))).map(([key]) => key)),
    memory: [...agents].some((name) => {
      const { definition, overrides } = resolution.agents.get(name)!
      return [definition, ...overrides].some((one) => one.memory)
    }),
  }
}

type Bare = Record<string, unknown>

/** The manifest without the parts that came from the file. Hashes go, because they are over everything. */
function without(
  { agents, permissions, hooks, settings, mcpServers, skills, commands, memory, plugins = {}, ...rest }: Manifest,
  from: From,
): Bare {
  const others = <T>(all: Record<string, T>, gone: Set<string>): [string, T][] => Object.entries(all).filter(([name]) => !gone.has(name))
  const notIts = <T extends { origin?: Parameters<From['is']>[0] }>(all: T[]): T[] => all.filter(({ origin }) => !from.is(origin))
  const { defaultMode, agent: main, env, additionalDirectories } = settings
  return {
    ...rest,
    hash: '',
    agents: others(agents, from.agents).map(([name, one]) => [name, agentWithout(one, from)]),
    permissions: Object.values(permissions).map((rules) => notIts(rules)),
    hooks: Object.fromEntries(
      Object.entries(hooks)
        .map(([event, groups]) => [event, notIts(groups)] as const)
        .filter(([, groups]) => groups.length > 0),
    ),
    settings: [
      from.env.has('permissions.defaultMode') ? 'gone' : defaultMode,
      from.env.has('agent') ? 'gone' : main,
      notIts(additionalDirectories),
      Object.fromEntries(Object.entries(env).filter(([name]) => !from.env.has(`env.${name}`))),
    ],
    mcpServers: others(mcpServers, from.servers),
    skills: others(skills, from.skills),
    commands: others(commands, from.commands),
    plugins: pluginsWithout(plugins, from),
    memory: from.memory ? 'gone' : memory,
  }
}

/** A plugin stands in a manifest with those of its files that its hooks may run; without any it does not. */
function pluginsWithout(plugins: NonNullable<Manifest['plugins']>, { is }: From): [string, unknown][] {
  return Object.entries(plugins).flatMap(([plugin, { files, ...one }]): [string, unknown][] => {
    const left = Object.entries(files).filter(([path]) => !is({ source: 'plugin', plugin, path }))
    return left.length > 0 ? [[plugin, { ...one, files: left }]] : []
  })
}

function agentWithout({ toolViews, spawns, skills, prompt, ...agent }: ManifestAgent, { agents, skills: gone, denied }: From): Bare {
  const view = ({ tools, mcp, mcpDeny, plan }: View): unknown => [
    tools.filter((tool) => !denied.has(tool)),
    mcp,
    mcpDeny === 'all' ? mcpDeny : mcpDeny.filter(({ server, tool }) => !(tool === '*' && denied.has(`mcp__${server}__*`))),
    plan,
  ]
  return {
    ...agent,
    hash: '',
    toolViews: Object.values(toolViews).map(view),
    spawns: spawns === 'all' ? spawns : spawns.filter((name) => !agents.has(name)),
    // A plugin's agent that names `notes` means the plugin's own first, and then that of others.
    skills: skills.filter((name) => ![...gone].some((other) => last(other) === last(name))),
    // The advice on searching in a built-in agent's prompt follows from the tools it has.
    prompt: agent.origin.source === 'builtin' && denied.size > 0 ? 'gone' : prompt,
  }
}

function last(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}
