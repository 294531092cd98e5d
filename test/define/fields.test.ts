import { describe, expect, test } from 'vitest'
import { readFields } from './read.ts'

/** Places are not compared here: what is located is reduced to its value. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  if ('value' in value && 'range' in value) return bare(value.value)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, bare(part)]))
}

type Row = [line: string, value: unknown, ...found: string[]]

const ACCEPTED: Row[] = [
  ['model: haiku', { id: 'claude-haiku-5-5' }],
  ['model: inherit', { id: 'inherit' }],
  ['model: claude-sonnet-4-20250514', { id: 'claude-sonnet-4-20250514' }],
  ['model: us.anthropic.claude-sonnet-5-5-v1:0', { id: 'us.anthropic.claude-sonnet-5-5-v1:0' }],
  ['model: opus[1m]', { id: 'claude-opus-5-5', contextWindow: '1m' }],
  ['model: opusplan', { id: 'claude-sonnet-5-5' }],
  ['model: Sonnet', { id: 'claude-sonnet-5-5' }, 'field/letter-case at Sonnet'],
  ['model: INHERIT', { id: 'inherit' }, 'field/letter-case at INHERIT'],
  ['model: "Opus[1M]"', { id: 'claude-opus-5-5', contextWindow: '1m' }, 'field/letter-case at "Opus[1M]"'],
  ['model: default', { id: 'default' }, 'field/unknown-model at default'],
  ['model: gpt-5', { id: 'gpt-5' }, 'field/unknown-model at gpt-5'],
  ['model: "sonnet, opus"', { id: 'sonnet, opus' }, 'field/unknown-model at "sonnet, opus"'],
  ['effort: high', 'high'],
  ['effort: HIGH', 'high'],
  ['effort: 3', 3],
  ['effort: "3"', 3],
  ['effort: -2', -2],
  ['maxTurns: 10', 10],
  ['maxTurns: "10"', 10],
  ['permissionMode: acceptEdits', 'acceptEdits'],
  ['permissionMode: dontAsk', 'dontAsk'],
  ['permissionMode: manual', 'default'],
  ['background: true', true],
  ['background: "false"', false],
  ['initialPrompt: /start now', '/start now'],
  ['isolation: worktree', 'worktree'],
  ['isolation: remote', 'remote'],
  ['memory: user', 'user'],
  ['memory: local', 'local'],
  ['color: cyan', 'cyan'],
  ['skills: [a, "b c"]', ['a', 'b c']],
  ['skills: a, plugin:b', ['a', 'plugin:b']],
  ['skills:\n  - a\n  - b', ['a', 'b']],
  ['skills: []', []],
  ['mcpServers: [db]', [{ ref: 'db' }]],
  ['mcpServers: db', [{ ref: 'db' }]],
  ['mcpServers:\n  - db:', [{ ref: 'db' }]],
  ['mcpServers:\n  - own: { command: x, args: [-a, 1] }', [{ name: 'own', config: { type: 'stdio', command: 'x', args: ['-a', '1'] } }]],
  ['mcpServers:\n  - own: { type: http, url: "${URL}" }', [{ name: 'own', config: { type: 'http', url: '${URL}' } }]],
  ['mcpServers:\n  own: { command: x }', [{ name: 'own', config: { type: 'stdio', command: 'x' } }], 'server/map at mcpServers'],
  [
    'mcpServers:\n  - own: { command: x, env: { DB_PASSWORD: hunter2, PORT: 80, PW_REF: "${PW}", API_TOKEN: "${API_TOKEN}" } }',
    [
      {
        name: 'own',
        config: {
          type: 'stdio',
          command: 'x',
          env: { DB_PASSWORD: '${DB_PASSWORD}', PORT: '80', PW_REF: '${PW}', API_TOKEN: '${API_TOKEN}' },
        },
      },
    ],
    'security/named-secret at DB_PASSWORD',
  ],
  [
    'mcpServers:\n  - own: { type: http, url: u, headers: { X-Api-Key: "k1", Authorization: "Bearer ${T}", Cookie: "${C:-s=1}" } }',
    [
      {
        name: 'own',
        config: { type: 'http', url: 'u', headers: { 'X-Api-Key': '${X_API_KEY}', Authorization: 'Bearer ${T}', Cookie: '${Cookie}' } },
      },
    ],
    'security/named-secret at X-Api-Key',
    'security/named-secret at Cookie',
  ],
  ['omitClaudeMd: true', true],
  ['requiredMcpServers: [db, web]', ['db', 'web']],
  ['criticalSystemReminder_EXPERIMENTAL: Stay calm', 'Stay calm'],
  ['experimental: { cacheTtl: 1h }', '1h'],
  ['autoCompactWindow: 100000', 100_000],
]

const fieldOf = (line: string): string => (line.startsWith('experimental') ? 'cacheTtl' : /^\w+/.exec(line)![0])

test.each(ACCEPTED)('%j is accepted', async (line, value, ...found) => {
  const read = await readFields(line)
  expect(bare(read.agent![fieldOf(line) as 'model'])).toEqual(value)
  expect(read.found).toEqual(found)
})

const REFUSED: [line: string, found: string][] = [
  ['model:', 'field/empty-value at model'],
  ['model: ""', 'field/empty-value at model'],
  ['model: 3', 'field/invalid-value at 3'],
  ['model: [sonnet]', 'field/invalid-value at [sonnet]'],
  ['effort: ultra', 'field/invalid-value at ultra'],
  ['effort: 1.5', 'field/invalid-value at 1.5'],
  ['effort: true', 'field/invalid-value at true'],
  ['effort:\n  - high', 'field/invalid-value at effort'],
  ['maxTurns: 0', 'field/invalid-value at 0'],
  ['maxTurns: -1', 'field/invalid-value at -1'],
  ['maxTurns: 2.5', 'field/invalid-value at 2.5'],
  ['maxTurns: ten', 'field/invalid-value at ten'],
  ['maxTurns: true', 'field/invalid-value at true'],
  ['permissionMode: ask', 'field/invalid-value at ask'],
  ['permissionMode: Plan', 'field/invalid-value at Plan'],
  ['permissionMode: bubble', 'field/invalid-value at bubble'],
  ['background: yes', 'field/invalid-value at yes'],
  ['background: maybe', 'field/invalid-value at maybe'],
  ['background: 1', 'field/invalid-value at 1'],
  ['initialPrompt: 3', 'field/invalid-value at 3'],
  ['initialPrompt: " "', 'field/invalid-value at " "'],
  ['isolation: container', 'field/invalid-value at container'],
  ['isolation: true', 'field/invalid-value at true'],
  ['memory: true', 'field/invalid-value at true'],
  ['memory: team', 'field/invalid-value at team'],
  ['memory:', 'field/empty-value at memory'],
  ['color: teal', 'field/color at teal'],
  ['color: "#ff5733"', 'field/color at "#ff5733"'],
  ['color: Red', 'field/color at Red'],
  ['color:', 'field/color at color'],
  ['skills: 3', 'field/invalid-value at 3'],
  ['skills: { a: b }', 'field/invalid-value at { a: b }'],
  ['skills:', 'field/empty-value at skills'],
  ['mcpServers: 3', 'field/invalid-value at 3'],
  ['mcpServers:', 'field/empty-value at mcpServers'],
  ['omitClaudeMd: on', 'field/invalid-value at on'],
  ['requiredMcpServers: 3', 'field/invalid-value at 3'],
  ['criticalSystemReminder_EXPERIMENTAL: 3', 'field/invalid-value at 3'],
  ['experimental: 1h', 'field/invalid-value at 1h'],
  ['experimental: { cacheTtl: 2h }', 'field/invalid-value at 2h'],
  ['autoCompactWindow: large', 'field/invalid-value at large'],
  ['hooks: []', 'hook/type at []'],
  ['hooks: on', 'hook/type at on'],
  ['hooks:\n  - a', 'hook/type at hooks'],
]

test.each(REFUSED)('%j leaves the field out and keeps the agent', async (line, found) => {
  const read = await readFields(line)
  expect(read.agent).toBeDefined()
  expect(read.agent![fieldOf(line) as 'model']).toBeUndefined()
  expect(read.found).toEqual([found])
})

describe('parts of lists that are wrong are left out alone', () => {
  test.each<Row>([
    ['skills: [a, 3, b]', ['a', 'b'], 'field/invalid-value at 3'],
    ['mcpServers: [db, 3]', [{ ref: 'db' }], 'server/invalid at 3'],
    ['mcpServers: [db, { own: 8080 }]', [{ ref: 'db' }], 'server/invalid at 8080'],
    ['mcpServers:\n  - db\n  - own:\n      args: [x]', [{ ref: 'db' }], 'server/incomplete at own'],
    ['mcpServers:\n  - own: { type: http, command: x }\n  - db', [{ ref: 'db' }], 'server/incomplete at own'],
  ])('%j', async (line, value, ...found) => {
    const read = await readFields(line)
    expect(bare(read.agent![fieldOf(line) as 'model'])).toEqual(value)
    expect(read.found).toEqual(found)
  })
})

test('every field at once is read, each at its own place', async () => {
  const lines = ACCEPTED.filter(([, , ...found]) => found.length === 0).map(([line]) => line)
  const once = lines.filter((line, i) => lines.findIndex((other) => fieldOf(other) === fieldOf(line)) === i)
  const { agent, found } = await readFields(once.join('\n'))
  expect(found).toEqual([])
  for (const line of once) expect(agent![fieldOf(line) as 'model']).toBeDefined()
  expect(agent!.file.text.slice(...agent!.maxTurns!.range)).toBe('10')
  expect(agent!.file.text.slice(...agent!.skills!.value[1]!.range)).toBe('b c')
})

test('of a key that is written twice the last one counts', async () => {
  const { agent, found } = await readFields('model: haiku\nmodel: opus')
  expect(agent!.model!.value.id).toBe('claude-opus-5-5')
  expect(found).toEqual(['yaml/duplicate-key at model'])
})

test.each(['permissionMode: plan', 'hooks: {}', 'mcpServers: [db]', 'initialPrompt: Go'])(
  'an agent of a plugin does not get its %s',
  async (line) => {
    const read = await readFields(line, { source: 'plugin', path: 'agents/example.md', plugin: 'kit' })
    expect(read.agent!.name.value).toBe('kit:example')
    expect(read.agent![fieldOf(line) as 'model']).toBeUndefined()
    expect(read.found).toEqual([`field/ignored-in-plugin at ${fieldOf(line)}`])
  },
)

test.each([
  ['- own: { command: x }\n  - own: { command: y }', ['server/same-prefix at own']],
  ['- own\n  - own: { command: y }', ['server/same-prefix at own']],
  ['- my own: { command: x }\n  - my_own', ['server/same-prefix at my_own']],
  ['- own\n  - own', []],
  ['- own: { command: x }\n  - other: { command: x }', []],
])('two servers whose tools have the same names are reported, and none is left out: %j', async (items, found) => {
  const read = await readFields(`mcpServers:\n  ${items}`)
  expect(read.agent?.mcpServers?.value).toHaveLength(2)
  expect(read.found).toEqual(found)
})
