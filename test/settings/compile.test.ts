import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { broken, compile, type Compilation } from '../../compiler/compile.ts'
import type { CompileOptions } from '../../compiler/options.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { agent } from '../support/bin.ts'
import { optionsFor, put, temporary } from '../support/tree.ts'

async function compiled(files: Record<string, string | object>, more: Partial<CompileOptions> = {}): Promise<Compilation> {
  const root = temporary()
  put(root, 'project/.git/HEAD', '')
  for (const [path, file] of Object.entries(files)) put(root, path, typeof file === 'string' ? file : JSON.stringify(file))
  return compile({ ...optionsFor(root), ...more, ...(more.cwd !== undefined && { cwd: join(root, more.cwd) }) })
}

const A = { 'project/.claude/agents/a.md': agent('a') }
const found = ({ diagnostics }: Compilation): string[] => diagnostics.map(({ severity, code }) => `${severity} ${code}`)

describe('settings reach the manifest', () => {
  test('with rules, values and hooks that pass the check of a manifest, and the same bytes each time', async () => {
    const files = {
      ...A,
      'project/.claude/settings.json': {
        permissions: { allow: ['Bash(npm test)'], deny: ['Read(/keys/**)'], defaultMode: 'plan' },
        env: { CI: '1' },
      },
      'home/.claude/settings.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: './x' }] }] }, agent: 'a' },
    }
    const text = manifestText(await compiled(files))
    const manifest = readManifest(text).header
    expect(manifest.permissions.deny[0]).toMatchObject({ tool: 'Read', match: { path: '/keys/**', anchor: 'source' } })
    expect([manifest.settings.defaultMode?.value, manifest.settings.env['CI']?.value, manifest.settings.agent?.value]).toEqual([
      'plan',
      '1',
      'a',
    ])
    expect(manifest.hooks.Stop![0]!.origin!.source).toBe('user')
    expect(manifestText(await compiled(files))).toBe(text)
  })

  test('a tool or server that is denied to everyone is in no view', async () => {
    const settings = { permissions: { deny: ['Bash', 'mcp__db', 'Read(x)'] } }
    const { resolution } = await compiled({ ...A, 'managed/managed-settings.json': settings })
    const { main, sub } = resolution.agents.get('a')!.views
    for (const view of [main, sub]) {
      expect(view.tools).not.toContain('Bash')
      expect(view.tools).toContain('Read')
      expect(view.mcpDeny).toEqual([{ server: 'db', tool: '*' }])
    }
  })

  test('every file is an input, so that a change of it makes the manifest stale', async () => {
    const { discovery } = await compiled({ ...A, 'project/.claude/settings.json': {} })
    expect(discovery.inputs.filter(({ path, kind }) => path.endsWith('settings.json') && kind === 'file')).toHaveLength(1)
  })
})

describe('an error in settings', () => {
  test.each<[string, string | object]>([
    ['no JSON', '{'],
    ['a lost deny rule', { permissions: { deny: ['bash'] } }],
    ['hooks of a wrong type', { hooks: 7 }],
  ])('breaks every agent: %s', async (_what, settings) => {
    const compilation = await compiled({ ...A, 'home/.claude/settings.json': settings }, { layers: ['user', 'project'] })
    expect([...broken(compilation)]).toEqual(['a'])
  })

  test('a warning does not', async () => {
    const compilation = await compiled({ ...A, 'home/.claude/settings.json': { permissions: { allow: ['bash'] } } })
    expect([...broken(compilation)]).toEqual([])
  })
})

describe('names that only letter case or separators keep from being real ones', () => {
  const places = ({ diagnostics }: Compilation): string[] => diagnostics.map(({ code, at }) => `${code} ${at.text.slice(...at.range)}`)

  test('in rules that restrict agents; quite other names may be those of other projects', async () => {
    const permissions = { deny: ['Agent(explore)', 'Agent(A)', 'Agent(a)', 'Agent(elsewhere)'], ask: ['Task(A)'], allow: ['Agent(PLAN)'] }
    expect(places(await compiled({ ...A, 'project/.claude/settings.json': { permissions } }))).toEqual([
      'permission/never-matches "Agent(explore)"',
      'permission/never-matches "Agent(A)"',
      'permission/never-matches "Task(A)"',
    ])
  })

  test('in the list of servers that are switched off', async () => {
    const compilation = await compiled({
      ...A,
      'project/.mcp.json': { mcpServers: { db: { command: 'x' } } },
      'project/.claude/settings.json': { disabledMcpjsonServers: ['DB', 'elsewhere'] },
    })
    expect(places(compilation)).toEqual(['settings/lost-restriction "DB"'])
    expect(compilation.mcp.servers.has('db')).toBe(true)
  })
})

describe('what an organisation switches off', () => {
  const hooks = 'hooks: {Stop: [{hooks: [{type: command, command: ./x}]}]}'

  test('agents of the project and the user, where only plugins may bring them', async () => {
    const compilation = await compiled(
      { ...A, 'managed/managed-settings.json': { strictPluginOnlyCustomization: ['agents'] }, 'managed/.claude/agents/b.md': agent('b') },
      { layers: ['user', 'project', 'policy'] },
    )
    expect([[...compilation.resolution.agents.keys()], found(compilation)]).toEqual([['b'], ['info settings/switched-off']])
  })

  test('agents of the command line', async () => {
    const agentsFlag = '{"f": {"description": "d", "prompt": "p"}}'
    const compilation = await compiled(
      { ...A, 'managed/managed-settings.json': { disableSideloadFlags: true } },
      { agentsFlag, layers: ['project', 'flag', 'policy'] },
    )
    expect([...compilation.resolution.agents.keys()]).toEqual(['a'])
  })

  test('the memory of agents, and the tools that it would grant', async () => {
    const files = { 'project/.claude/agents/a.md': agent('a', 'tools: Grep', 'memory: project') }
    const off = await compiled({ ...files, 'home/.claude/settings.json': { autoMemoryEnabled: false } })
    const { definition, views } = off.resolution.agents.get('a')!
    expect([definition.memory, views.main.tools]).toEqual([undefined, ['Grep']])
    expect(found(off)).toEqual(['info settings/switched-off'])
    const on = await compiled({ ...files, 'home/.claude/settings.json': { autoMemoryEnabled: true } })
    expect(on.resolution.agents.get('a')!.views.main.tools).toEqual(['Grep', 'Write', 'Edit', 'Read'])
  })

  test('hooks of agents, with the settings that switch them off', async () => {
    const compilation = await compiled({
      'project/.claude/agents/a.md': agent('a', hooks),
      'home/.claude/settings.json': { disableAllHooks: true },
    })
    expect(compilation.resolution.agents.get('a')!.definition.hooks).toBeUndefined()
    expect(found(compilation)).toContain('info settings/switched-off')
  })
})

test('a rule about a tool that no agent has is said, unless it is dead already', async () => {
  const compilation = await compiled(
    {
      'project/.claude/agents/a.md': agent('a', 'tools: Read'),
      'project/.claude/settings.json': { permissions: { ask: ['Edit'], allow: ['Write', 'Read'], deny: ['Write'] } },
    },
    { layers: ['project'] },
  )
  expect(found(compilation)).toEqual(['info permission/in-no-view', 'info permission/dead-allow'])
})
