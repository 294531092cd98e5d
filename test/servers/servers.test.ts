// Real files in all layers; long because each way to set a server up is a test.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile, type Compilation } from '../../compiler/compile.ts'
import type { CompileOptions } from '../../compiler/options.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { explainAgent } from '../../compiler/explain/agent.ts'
import { prettyFinding } from '../../compiler/report/pretty.ts'
import { positionOf } from '../../compiler/position.ts'
import { styler } from '../../compiler/report/style.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { optionsFor, put, temporary } from '../support/tree.ts'

const json = (mcpServers: unknown) => JSON.stringify({ mcpServers }, null, 2)
const run = (command: string, more: object = {}) => ({ command, ...more })

async function compiled(files: Record<string, string>, more: (root: string) => Partial<CompileOptions> = () => ({})): Promise<Compilation> {
  const root = temporary()
  put(root, 'project/.git/HEAD', '')
  for (const [path, text] of Object.entries(files)) put(root, path, text.replaceAll('<root>', root))
  return compile(optionsFor(root, more(root)))
}

const commands = ({ mcp }: Compilation) =>
  Object.fromEntries([...mcp.servers].map(([name, { config }]) => [name, config.type === 'stdio' ? config.command : config.url]))
const found = ({ diagnostics }: Compilation) =>
  diagnostics.map(({ severity, code, at }) => {
    const { line, column } = positionOf(at.text, at.range[0])
    return `${severity} ${code} ${at.origin.path}:${line}:${column}`
  })

describe('where servers are set up', () => {
  const everywhere = {
    'home/.claude.json': JSON.stringify({
      numStartups: 7,
      projects: { '<root>/project': { mcpServers: { a: run('local') } }, '/elsewhere': { mcpServers: { z: run('other project') } } },
      mcpServers: { a: run('user'), b: run('user'), c: run('user') },
    }),
    'project/.mcp.json': json({ a: run('project'), b: run('project') }),
    'plugins/kit/.mcp.json': json({ a: run('plugin'), c: run('plugin') }),
  }
  const withPlugin = (root: string) => ({ pluginDirs: [join(root, 'plugins/kit')] })

  it('local beats project beats user, whole entries; a plugin’s servers have names of their own', async () => {
    const compilation = await compiled(everywhere, withPlugin)
    expect(commands(compilation)).toEqual({ a: 'local', b: 'project', c: 'user', 'plugin:kit:a': 'plugin', 'plugin:kit:c': 'plugin' })
    expect(compilation.diagnostics).toEqual([])
    const { overruled } = compilation.mcp.servers.get('a')!
    expect(overruled.map(({ scope }) => scope)).toEqual(['project', 'user'])
  })

  it('of the project’s folders the nearest wins', async () => {
    const files = { 'project/.mcp.json': json({ a: run('root'), b: run('root') }), 'project/x/.mcp.json': json({ a: run('near') }) }
    const compilation = await compiled(files, (root) => ({ cwd: join(root, 'project/x') }))
    expect(commands(compilation)).toEqual({ a: 'near', b: 'root' })
  })

  it('a policy that sets up servers is the only source of any, and says so at the others', async () => {
    const compilation = await compiled({ ...everywhere, 'managed/managed-mcp.json': json({ a: run('policy') }) }, withPlugin)
    expect(commands(compilation)).toEqual({ a: 'policy' })
    expect(new Set(compilation.diagnostics.map(({ code }) => code))).toEqual(new Set(['server/policy-only']))
  })

  it('layers that are left out bring no servers', async () => {
    const compilation = await compiled(everywhere, (root) => ({ ...withPlugin(root), layers: ['builtin', 'project'] }))
    expect(commands(compilation)).toEqual({ a: 'project', b: 'project' })
  })

  it('a moved configuration folder has its own .claude.json', async () => {
    const files = { 'home/.claude.json': json({ a: run('home') }), 'config/.claude.json': json({ a: run('moved') }) }
    expect(commands(await compiled(files, (root) => ({ configDir: join(root, 'config') })))).toEqual({ a: 'moved' })
  })

  it('the manifest holds each with its place, and no path of this machine', async () => {
    const compilation = await compiled(everywhere, withPlugin)
    const text = manifestText(compilation)
    const { mcpServers } = readManifest(text).header
    expect(mcpServers['b']).toEqual({
      config: { type: 'stdio', command: 'project' },
      origin: { source: 'project', path: '.mcp.json', line: 6, column: 5 },
    })
    expect(mcpServers['a']?.origin.path).toBe('../.claude.json')
    expect(text).not.toContain(compilation.discovery.projectRoot)
  })

  it('explain says where each comes from and what it replaced', async () => {
    const compilation = await compiled(
      { ...everywhere, 'project/.claude/agents/x.md': '---\nname: x\ndescription: D\n---\nB\n' },
      withPlugin,
    )
    const { servers } = explainAgent('x', compilation.resolution.agents.get('x')!, compilation)
    expect(servers[0]).toEqual({
      name: 'a',
      from: expect.stringMatching(/^~\/\.claude\.json:1:/),
      overruled: ['.mcp.json:3:5', expect.stringMatching(/^~\/\.claude\.json:1:/)],
    })
    expect(servers.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'plugin:kit:a', 'plugin:kit:c'])
  })

  it('a file that is not read is said in words for servers, and with its own limit', async () => {
    const large = await compiled({ 'project/.mcp.json': ' '.repeat(1024 * 1024 + 1), 'home/.claude.json/x': '' })
    expect(large.diagnostics.map(({ message }) => message).sort()).toEqual([
      '.claude.json cannot be read (it is a folder), so the MCP servers in it are missing.',
      '.mcp.json is larger than 1 MiB, so it is not read and the MCP servers in it are missing.',
    ])
  })

  it('a file that a plugin’s manifest names although it is the usual one is read once', async () => {
    const files = {
      'plugins/kit/.mcp.json': json({ odd: { command: 3 } }),
      'plugins/kit/.claude-plugin/plugin.json': JSON.stringify({ name: 'kit', mcpServers: './.mcp.json' }),
    }
    const { discovery, diagnostics } = await compiled(files, withPlugin)
    expect(discovery.servers.filter(({ scope }) => scope === 'plugin')).toHaveLength(1)
    expect(diagnostics.filter(({ at }) => at.origin.path === '.mcp.json')).toHaveLength(1)
  })

  it('a plugin’s servers stand in .mcp.json with or without `mcpServers`, in files its manifest names, or in the manifest', async () => {
    const files = {
      'plugins/kit/.mcp.json': JSON.stringify({ bare: run('bare') }),
      'plugins/kit/.claude-plugin/plugin.json': JSON.stringify({ name: 'kit', mcpServers: ['./more.json', '../out.json'] }),
      'plugins/kit/more.json': json({ named: run('${CLAUDE_PLUGIN_ROOT}/serve') }),
      'plugins/out.json': json({ out: run('out') }),
      'plugins/two/.claude-plugin/plugin.json': JSON.stringify({ name: 'two', mcpServers: { inline: run('inline') } }),
    }
    const compilation = await compiled(files, (root) => ({ pluginDirs: [join(root, 'plugins/kit'), join(root, 'plugins/two')] }))
    expect(commands(compilation)).toEqual({
      'plugin:kit:bare': 'bare',
      'plugin:kit:named': '${CLAUDE_PLUGIN_ROOT}/serve',
      'plugin:two:inline': 'inline',
    })
    expect(found(compilation)).toEqual(['warning plugin/invalid-path .claude-plugin/plugin.json:1:1'])
  })
})

describe('the settings of a server', () => {
  const one = async (config: unknown) => {
    const compilation = await compiled({ 'project/.mcp.json': JSON.stringify({ mcpServers: { db: config } }) })
    return { config: compilation.mcp.servers.get('db')?.config, codes: compilation.diagnostics.map(({ code }) => code) }
  }

  it.each([
    [
      { command: 'x', args: ['a'], env: { A: '${A:-b}' }, timeout: 5000 },
      { type: 'stdio', command: 'x', args: ['a'], env: { A: '${A:-b}' }, timeout: 5000 },
    ],
    [
      { type: 'streamable-http', url: 'u', headers: { H: '${T}' } },
      { type: 'http', url: 'u', headers: { H: '${T}' } },
    ],
    [
      { type: 'sse', url: 'u' },
      { type: 'sse', url: 'u' },
    ],
    [
      { type: 'ws', url: 'u' },
      { type: 'ws', url: 'u' },
    ],
    [
      { command: 'x', env: { PORT: 8080, ON: true } },
      { type: 'stdio', command: 'x', env: { PORT: '8080', ON: 'true' } },
    ],
  ])('%j is read, and references stay as they are', async (config, expected) => {
    expect(await one(config)).toEqual({ config: expected, codes: [] })
  })

  it.each([
    [{ url: 'u' }, 'server/url-without-type', true],
    [{ type: 'stdio', url: 'u' }, 'server/incomplete', false],
    [{ type: 'http', command: 'x' }, 'server/incomplete', false],
    [{ type: 'htttp', url: 'u' }, 'server/unknown-type', false],
    [{ type: 7, url: 'u' }, 'server/unknown-type', false],
    [{}, 'server/incomplete', false],
    ['x', 'server/invalid', false],
    [{ command: 'x', timeout: 30 }, 'server/ignored-part', true],
    [{ command: 'x', args: 'a b' }, 'server/ignored-part', true],
    [{ command: 'x', env: { A: null } }, 'server/ignored-part', true],
    [{ command: 'x', env: ['A=b'] }, 'server/ignored-part', true],
  ])('%j gives %s', async (config, code, kept) => {
    const { config: read, codes } = await one(config)
    expect([codes, read !== undefined]).toEqual([[code], kept])
  })

  it.each(['{', '[]', '{"mcpServers": []}', '{"servers": {}}', '{"mcpServers": {},}', '// x\n{"mcpServers": {}}', '['.repeat(100_000)])(
    'a .mcp.json that is %j is an error, and the agents are read all the same',
    async (text) => {
      const compilation = await compiled({
        'project/.mcp.json': text,
        'project/.claude/agents/x.md': '---\nname: x\ndescription: D\n---\nB\n',
      })
      expect(compilation.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['server/invalid-file', 'error']])
      expect(compilation.resolution.agents.has('x')).toBe(true)
    },
  )

  it('of a server that is set up twice in one file the last counts, and it is said', async () => {
    const compilation = await compiled({ 'project/.mcp.json': '{"mcpServers": {"a": {"command": "1"}, "a": {"command": "2"}}}' })
    expect([commands(compilation), found(compilation)]).toEqual([{ a: '2' }, ['error yaml/duplicate-key .mcp.json:1:40']])
  })

  it('__proto__ is a name like others', async () => {
    const compilation = await compiled({
      'project/.mcp.json': '{"mcpServers": {"__proto__": {"command": "x"}, "constructor": {"command": "y"}}}',
    })
    expect([...compilation.mcp.servers.keys()]).toEqual(['__proto__', 'constructor'])
    expect(Object.keys(readManifest(manifestText(compilation)).header.mcpServers)).toEqual(['__proto__', 'constructor'])
  })
})

describe('secrets', () => {
  const SECRET = 'correct-horse-battery-staple'
  const plain = styler(false)

  it('nothing of .claude.json is shown but its servers, and of these no value of env and headers', async () => {
    const text = JSON.stringify({
      oauthAccount: { token: SECRET },
      mcpServers: {
        a: { args: [], env: { TOKEN: SECRET, KEPT: '${NAME}' } },
        b: { type: 'nope', url: 'u', headers: { Authorization: SECRET } },
      },
      history: [SECRET],
    })
    const { diagnostics } = await compiled({ 'home/.claude.json': text })
    const shown = diagnostics.map((item) => prettyFinding(item, plain)).join('')
    expect(diagnostics.map(({ code }) => code)).toEqual(['server/incomplete', 'server/unknown-type'])
    expect(diagnostics.every(({ at }) => at.text.length === text.length && !at.text.includes(SECRET) && !at.text.includes('history'))).toBe(
      true,
    )
    expect(shown).toContain('"a"')
    expect(diagnostics[0]!.at.text).toContain('"KEPT":"${NAME}"')
  })

  it('a .mcp.json that is broken shows its keys and none of its values', async () => {
    const { diagnostics } = await compiled({ 'project/.mcp.json': `{"mcpServers": {"a": {"env": {"TOKEN": "${SECRET}"}},}}` })
    expect(diagnostics.map((item) => prettyFinding(item, plain)).join('')).not.toContain(SECRET)
    expect(diagnostics[0]!.at.text).toContain('"TOKEN"')
  })

  it('a broken .claude.json shows nothing at all', async () => {
    const { diagnostics } = await compiled({ 'home/.claude.json': `{"mcpServers": {"a": {"env": {"TOKEN": "${SECRET}"}},}}` })
    expect(diagnostics).toMatchObject([{ code: 'server/invalid-file', at: { text: '' } }])
  })

  it('a .claude.json of many megabytes without servers is no fault', async () => {
    const text = JSON.stringify({
      history: Array.from({ length: 40_000 }, (_, i) => `${i} ${'x'.repeat(60)}`),
      mcpServers: {},
      projects: { '/x': { mcpServers: {} } },
    })
    expect(text.length).toBeGreaterThan(2_000_000)
    expect((await compiled({ 'home/.claude.json': text })).diagnostics).toEqual([])
  })
})

describe('references to servers', () => {
  const agent = (...lines: string[]) => `---\nname: x\ndescription: D\n${lines.join('\n')}\n---\nB\n`
  const about = async (frontmatter: string[], files: Record<string, string> = {}) =>
    found(await compiled({ 'project/.claude/agents/x.md': agent(...frontmatter), ...files })).map((text) =>
      text.replace('.claude/agents/x.md', ''),
    )

  it('a server that nothing sets up is an info at the first place that names it', async () => {
    expect(
      await about([
        'tools: Read, mcp__db__a, mcp__db__b',
        'disallowedTools: mcp__other',
        'mcpServers: [db, third]',
        'requiredMcpServers: [fourth]',
      ]),
    ).toEqual([
      'info reference/unknown-server :4:14',
      'info reference/unknown-server :5:18',
      'info reference/unknown-server :6:18',
      'info reference/unknown-server :7:21',
    ])
  })

  it('what is set up, in a file or by the agent itself, is known, also by its name inside tools’ names', async () => {
    const files = { 'project/.mcp.json': json({ 'my server': run('x'), a__b: run('y') }) }
    expect(
      await about(
        ['tools: mcp__my_server__q, mcp__own__q, mcp__a__b__q, mcp__a__b, mcp__*', 'mcpServers:', '  - my server', '  - own: {command: x}'],
        files,
      ),
    ).toEqual([])
  })

  it('with a lock a pattern that matches no tool is a warning, in tools and in disallowedTools', async () => {
    const lock = '{"agentc": 1, "servers": {"db": []}}'
    expect(
      await about(['tools: Read, mcp__db__q', 'disallowedTools: mcp__DB', 'mcpServers: [later]'], { 'project/agentc.mcp.lock.json': lock }),
    ).toEqual(['warning tool/no-server-tool :4:14', 'warning tool/no-server-tool :5:18', 'info reference/unknown-server :6:14'])
  })
})

describe('the lock file', () => {
  it.each([
    ['{', 2],
    ['{}', 1],
    ['{"agentc": 2, "servers": {}}', 2],
    ['{"agentc": 1, "servers": {"db": [{"name": "q"}]}}', 34],
    [`{"agentc": 1, "servers": {"db": [{"name": "q", "description": "d", "input_schema": {}, "hash": "sha256:0"}]}}`, 43],
  ])('%s is an error at column %i', async (text, column) => {
    const compilation = await compiled({ 'project/agentc.mcp.lock.json': text })
    expect(found(compilation)).toEqual([expect.stringMatching(new RegExp(`^error server/invalid-lock agentc.mcp.lock.json:1:${column}$`))])
  })

  it('one that was named has to be there', async () => {
    expect(found(await compiled({}, (root) => ({ mcpLock: join(root, 'none.json') })))).toEqual([
      'error server/invalid-lock <outside>/none.json:1:1',
    ])
  })
})
