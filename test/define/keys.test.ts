import { expect, test } from 'vitest'
import { readFields } from './read.ts'

test.each([
  ['allowed-tools', 'tools'],
  ['allowedTools', 'tools'],
  ['Tools', 'tools'],
  ['tool', 'tools'],
  ['toosl', 'tools'],
  ['disallowed-tools', 'disallowedTools'],
  ['disallowed_tools', 'disallowedTools'],
  ['disalowedTools', 'disallowedTools'],
  ['DisallowedTools', 'disallowedTools'],
  ['max_turns', 'maxTurns'],
  ['max-turns', 'maxTurns'],
  ['maxTurn', 'maxTurns'],
  ['permission_mode', 'permissionMode'],
  ['permission-mode', 'permissionMode'],
  ['permissionmode', 'permissionMode'],
])('%s was to be %s, which restricts: that is an error', async (key, meant) => {
  const { agent, found, fixes } = await readFields(`${key}: x`)
  expect(agent).toBeDefined()
  expect(found).toEqual([`field/lost-restriction at ${key}`])
  expect(fixes).toEqual([meant])
})

test.each(['models', 'Model', 'colour', 'hook', 'skill', 'mcp_servers', 'mcp-servers', 'initial-prompt', 'efort', 'memroy'])(
  '%s is a misspelling that restricts nothing: that is a warning',
  async (key) => {
    expect((await readFields(`${key}: x`)).found).toEqual([`field/misspelt-key at ${key}`])
  },
)

test.each([
  'version',
  'author',
  'mode',
  'tag',
  'kind',
  'priority',
  'license',
  'title',
  'category',
  'a',
  '1x',
  'x',
  '键',
  'constructor',
  'toString',
  'hasOwnProperty',
])('the key %s is nobody’s business', async (key) => {
  expect((await readFields(`${key}: x`)).found).toEqual([])
})

test.each([
  ['tools: Read\nallowed-tools: Bash', []],
  ['tools: Read\nTools: Bash', ['field/lost-restriction at Tools']],
  ['color: red\ncolour: blue', []],
])('beside the real key only another spelling of the same words is mentioned: %j', async (lines, found) => {
  expect((await readFields(lines)).found).toEqual(found)
})

test('an agent whose frontmatter goes on behind a line of `...` is lost, and not one without its restrictions', async () => {
  expect(await readFields('...\ntools: Read')).toMatchObject({ agent: undefined, found: ['yaml/syntax at ...'] })
  expect(await readFields('tools: Read\n...')).toMatchObject({ agent: { tools: { kind: 'only' } }, found: [] })
})

test.each([
  ['shared: &shared\n  tools: Read\n<<: *shared', ['yaml/merge-key at <<']],
  ['notes: &a { tools: Read }\nmore:\n  - <<: [*a, *a]', ['yaml/merge-key at <<']],
  ['notes: &a { tools: Read }\nmore: *a', []],
  ['"<<": { tools: Read }', []],
])('a merge key takes over nothing, and says so: %j', async (lines, found) => {
  expect(await readFields(lines)).toMatchObject({ agent: { tools: { kind: 'all' } }, found })
})
