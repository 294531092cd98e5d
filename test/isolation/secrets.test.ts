import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ListEntry } from '../../schemas/shapes/output.ts'
import { command as inProcess } from '../support/in-process.ts'
import { SECRETS } from '../support/secrets.ts'
import { put, temporary } from '../support/tree.ts'

/** Issue 4: secrets of every kind in every kind of file, and none of them in anything that agentc writes. */

const ALL = Object.values(SECRETS).join(' ')
/** No provider's form: only the name of its variable says that it is one. */
const NAMED = 'correct-horse-battery'

const root = temporary()
const cwd = join(root, 'project')
const env = { DB_PASSWORD: NAMED, SERVICE_API_TOKEN: NAMED, CLIENT_SECRET: NAMED, SIGNING_KEY: NAMED, OTHER: ALL }
const json = (value: unknown): string => JSON.stringify(value, null, 2)
const command = (text: string) => ({ Stop: [{ matcher: 'x', hooks: [{ type: 'command', command: text }] }] })
const indented = (value: Record<string, string>, by: string): string =>
  Object.entries(value)
    .map(([name, text]) => `${by}${name}: ${text}\n`)
    .join('')

const agentFile = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Uses ${ALL}\ninitialPrompt: ${ALL}\ncolor: ${SECRETS.github}\nmodel: ${SECRETS.npm}\ntools: Read, ${SECRETS.gitlab}, Bash(curl ${SECRETS.stripe})\n${more}` +
  `mcpServers:\n  - own:\n      command: own ${SECRETS.slack}\n      args: [--key, ${SECRETS.google}]\n      env:\n${indented(env, '        ')}  - web:\n      type: http\n      url: https://x/?key=${SECRETS.anthropic}\n      headers:\n        Authorization: Bearer ${NAMED}\n        X-Api-Key: ${NAMED}\n` +
  `hooks:\n  Stop:\n    - hooks:\n        - command: curl -H ${SECRETS.openai}\n        - type: prompt\n          prompt: ${ALL}\n---\n\nUse ${ALL}.\n`
const skillFile = (name: string): string =>
  `---\nname: ${name}\ndescription: ${ALL}\nargument-hint: ${ALL}\nallowed-tools: Bash(x ${SECRETS.aws})\n---\n\n${ALL}\n`
const settings = {
  env,
  hooks: command(`run ${ALL}`),
  agent: SECRETS.jwt,
  permissions: {
    allow: [`Bash(x ${SECRETS.github})`],
    deny: [`WebFetch(domain:${SECRETS.npm})`, `Nope(${SECRETS.slack}`],
    defaultMode: SECRETS.aws,
  },
}
const servers = {
  mcpServers: {
    s: { command: 'x', args: [ALL], env, timeout: SECRETS.google },
    h: { type: 'http', url: `https://h/${SECRETS.aws}`, headers: { Authorization: NAMED } },
  },
}

const FILES: Record<string, string> = {
  'project/.git/HEAD': '',
  'project/.claude/agents/healthy.md': agentFile('healthy'),
  'project/.claude/agents/warned.md': agentFile('warned', `keywords: ${ALL}\nmemory: ${SECRETS.stripe}\neffort: ${SECRETS.huggingface}\n`),
  'project/.claude/agents/broken.md': `---\nname: broken\ndescription: "half" ${ALL}\nenv: ${NAMED.slice(0, 0)}\n---\n${ALL}\n`,
  'project/.claude/agents/document.md': `You are told ${ALL}.\n`,
  [`project/.claude/agents/named.md`]: `---\nname: ${SECRETS.gitlab}\ndescription: x\n---\nText.\n`,
  'project/.claude/settings.json': json(settings),
  'project/.claude/settings.local.json': json({ env, permission: { deny: [SECRETS.jwt] } }),
  'project/.claude/skills/s/SKILL.md': skillFile('s'),
  'project/.claude/commands/c.md': skillFile('c'),
  'project/.claude/tools/t.ts': `/** Uses ${ALL} */\nconst KEY = '${ALL}'\nexport default async function t(input: { /** ${ALL} */ a: string }) { return KEY + input.a }\n`,
  'project/.mcp.json': json(servers),
  'project/agentc.mcp.lock.json': json({ agentc: 1, servers: { s: [{ name: 'q', description: ALL, inputSchema: {}, hash: ALL }] } }),
  'home/.claude/settings.json': json({ env: { ...env, EXTRA_TOKEN: NAMED } }),
  'home/.claude/agents/healthy.md': agentFile('healthy'),
  'home/.claude.json': json({ ...servers, oauthAccount: ALL, projects: { [cwd]: servers } }),
  'managed/managed-settings.json': json({ env: { MANAGED_SECRET: NAMED } }),
  'managed/managed-settings.d/x.json': `{ "env": { "A_TOKEN": "${NAMED}", } `,
  'kit/.claude-plugin/plugin.json': json({
    name: 'kit',
    hooks: command(ALL),
    mcpServers: servers.mcpServers,
    agents: [`./${SECRETS.npm}`],
    description: ALL,
  }),
  'kit/hooks/hooks.json': json({ hooks: { ...command(ALL), [SECRETS.github]: [] } }),
  'kit/skills/k/SKILL.md': skillFile('k'),
  'shop/.claude-plugin/marketplace.json': json({ name: 'shop', plugins: [{ name: 'x', source: `./${SECRETS.npm}` }] }),
  'flag.json': json({ flagged: { description: ALL, prompt: ALL, mcpServers: [{ own: { command: 'x', env } }], color: SECRETS.aws } }),
}

const FLAGS = [
  '--managed-dir',
  '../managed',
  '--plugin-dir',
  '../kit',
  '--plugin-dir',
  '../shop',
  '--agents',
  '../flag.json',
  '--settings',
  json({ env, hooks: command(ALL) }),
]
const run = (name: Parameters<typeof inProcess>[0], ...argv: string[]) => inProcess(name, [...argv, ...FLAGS], cwd)

/** What is in a text, by its name; the empty list is what everything here is about. */
function leaks(text: string): string[] {
  return [...Object.entries(SECRETS), ['named', NAMED] as const].filter(([, secret]) => text.includes(secret)).map(([name]) => name)
}

/** All files below a folder, with their texts. */
function written(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')])
}

beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) put(root, path, text)
})

describe('planted secrets', () => {
  test('are there to be found', () => {
    expect(leaks(Object.values(FILES).join('\n'))).toHaveLength(Object.keys(SECRETS).length + 1)
  })

  test.each(['pretty', 'json', 'github', 'sarif'])('are in no finding in the format %s', async (format) => {
    const { out, err, code } = await run('build', '--format', format, '--color', 'always')
    expect(code).toBe(1)
    expect(out.length).toBeGreaterThan(1000)
    expect(leaks(out + err)).toEqual([])
  })

  test('are in no manifest, record of inputs, or code beside the manifest', async () => {
    const settingsErrors = ['.claude/settings.json', '.claude/settings.local.json']
    for (const path of settingsErrors) put(cwd, path, json({ env, hooks: command(ALL), agent: SECRETS.jwt }))
    put(root, 'managed/managed-settings.d/x.json', json({ env: { A_TOKEN: NAMED } }))
    await run('build', '--keep-going')
    const files = written(join(cwd, '.agentc'))
    const texts = new Map(files)
    expect([...texts.keys()]).toEqual(expect.arrayContaining(['manifest.json', 'inputs.json']))
    expect(texts.get('manifest.json')).toContain('"warned"')
    expect(texts.get('manifest.json')).toContain('${DB_PASSWORD}')
    for (const [name, text] of files) expect(leaks(text), name).toEqual([])
    await run('types', '--out', 'out/agents.d.ts')
    expect(leaks(readFileSync(join(cwd, 'out/agents.d.ts'), 'utf8'))).toEqual([])
  })

  test('are in nothing that list, explain, diff and --check say', async () => {
    const list = await run('list', '--format', 'json')
    const names = (JSON.parse(list.out) as ListEntry[]).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['healthy', 'warned', 'flagged']))
    const old = join(root, 'old.json')
    put(root, 'old.json', readFileSync(join(cwd, '.agentc/manifest.json')))
    put(
      cwd,
      '.claude/agents/healthy.md',
      agentFile('healthy').replaceAll('Read, ', '').replace('command: own ', `command: other ${SECRETS.jwt} `),
    )
    const all = await Promise.all([
      run('list'),
      ...names.flatMap((name) => [run('explain', name), run('explain', name, '--format', 'json')]),
      run('explain', 'healthy', 'mcpServers'),
      run('explain', 'nobody'),
      ...['pretty', 'json', 'github', 'markdown'].map((format) => run('diff', old, '--format', format)),
      run('build', '--check', '--keep-going'),
    ])
    for (const { out, err } of [list, ...all]) expect(leaks(out + err)).toEqual([])
    expect(all.map(({ out }) => out).join('')).toContain('AGENTC_REDACTED')
  }, 120_000)
})
