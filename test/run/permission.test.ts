import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Asked, decide, type Rights, written } from '../../runner/permission/decide.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { read } from './calls.ts'
import { type AgentParts, type HeaderParts, pathRule, startOf } from './manifest-fixture.ts'
import { fakeApi, folder, runToEnd, toolResults } from './stage.ts'

const FILES = { 'src/a.ts': 'needle', 'secret/key.txt': 'needle', 'src/.env': 'needle' }

async function results(tools: { name: string; input: unknown }[], agent: AgentParts, header: HeaderParts = {}, cwd?: string) {
  const { url } = await fakeApi({ turns: [{ tools }, { text: 'done' }] })
  const ran = await runToEnd(startOf(agent, 'go', header), { cwd: cwd ?? (await folder(FILES)), url })
  return { results: toolResults(ran.events), denials: ran.result.permission_denials }
}

const HIDDEN = '[Files that permission rules hide from this agent are never shown]'
const deny = (...rules: Rule[]): HeaderParts => ({ permissions: { allow: [], ask: [], deny: rules } })

test('a denied call says which rule denies it and where that is written, and the result lists it', async () => {
  const ran = await results([read('secret/key.txt'), read('src/a.ts')], {}, deny(pathRule('Read', 'secret/**')))
  expect(ran.results).toEqual([
    { text: 'Permission denied: denied by the rule Read(secret/**) (.claude/settings.json:3).', isError: true },
    { text: '1\tneedle', isError: false },
  ])
  expect(ran.denials).toEqual([
    {
      tool_name: 'Read',
      tool_use_id: expect.any(String) as string,
      tool_input: { file_path: 'secret/key.txt' },
      reason: expect.stringContaining('denied by') as string,
    },
  ])
})

test('a rule for Read hides the same files from Grep and Glob, which say that something is hidden', async () => {
  const calls = [
    { name: 'Grep', input: { pattern: 'needle' } },
    { name: 'Glob', input: { pattern: '**/*' } },
    { name: 'Grep', input: { pattern: 'needle', path: 'secret/key.txt' } },
  ]
  const ran = await results(calls, {}, deny(pathRule('Read', 'secret/**'), pathRule('Read', '.env')))
  expect(ran.results.map((item) => item.text)).toEqual([
    `src/a.ts\n${HIDDEN}`,
    `src/a.ts\n${HIDDEN}`,
    `No match for needle in secret/key.txt.\n${HIDDEN}`,
  ])
})

test('a search tells the same whether or not a hidden file matches', async () => {
  const call = (pattern: string) => ({ name: 'Grep', input: { pattern, output_mode: 'count' } })
  const cwd = await folder({ 'secret/key.txt': 'right guess', 'a.txt': '' })
  const ran = await results([call('right guess'), call('wrong guess')], {}, deny(pathRule('Read', 'secret/**')), cwd)
  expect(ran.results[0]!.text.replace('right', 'wrong')).toBe(ran.results[1]!.text)
})

test('a link to a denied file is denied', async () => {
  const cwd = await folder(FILES)
  await symlink('../secret/key.txt', join(cwd, 'src/fine.txt'))
  const ran = await results([read('src/fine.txt')], {}, deny(pathRule('Read', 'secret/**')), cwd)
  expect(ran.results[0]!.isError).toBe(true)
})

test('a deny rule of the agent itself holds too', async () => {
  const ran = await results([read('src/a.ts')], { deny: [pathRule('Read', '*.ts', 7)] })
  expect(ran.results[0]!.text).toContain('Read(*.ts) (.claude/settings.json:7)')
})

test('a limit is a cap: one of them must match, by the path and by where it leads', async () => {
  const cwd = await folder(FILES)
  await symlink('../secret/key.txt', join(cwd, 'src/out.txt'))
  const limits = [pathRule('Read', 'src/**'), pathRule('Read', 'docs/**', 4)]
  const calls = [read('src/a.ts'), read('secret/key.txt'), read('src/out.txt'), { name: 'Glob', input: { pattern: '*' } }]
  const ran = await results(calls, { limits }, {}, cwd)
  const refused =
    'Permission denied: the agent may use Read only within Read(src/**) (.claude/settings.json:3), Read(docs/**) (.claude/settings.json:4).'
  expect(ran.results[0]!.isError).toBe(false)
  expect(ran.results[1]).toEqual({ text: refused, isError: true })
  expect(ran.results[2]).toEqual({ text: refused, isError: true })
  expect(ran.results[3]!.text.split('\n').slice(0, 2)).toEqual(['src/.env', 'src/a.ts'])
  expect(ran.denials).toHaveLength(2)
})

test('a rule that wants a person asked denies, because nobody can be asked', async () => {
  const ran = await results([read('src/a.ts')], {}, { permissions: { allow: [], deny: [], ask: [pathRule('Read', 'src/*')] } })
  expect(ran.results[0]!.text).toContain('wants a person to be asked, and nobody can be asked here')
})

const WORKSPACE = { root: '/repo', cwd: '/repo/pkg', told: '/repo/pkg' }
const file = (path: string) => ({ path, real: path })
const asked = (path: string): Asked => ({ tool: 'Read', input: { file_path: path, limit: 5 }, files: [file(path)], search: false })
const rights = (parts: Partial<Rights>): Rights => ({ limits: [], deny: [], ask: [], workspace: WORKSPACE, ...parts })
const from = (source: 'project' | 'policy' | 'flag', path: string) => ({ source, path, line: 1, column: 1 })

const ANCHORS: [name: string, rule: Rule, path: string, allow: boolean][] = [
  ['cwd', { tool: 'Read', match: { path: 'a/*', anchor: 'cwd' } }, '/repo/pkg/a/x', false],
  ['cwd, elsewhere', { tool: 'Read', match: { path: 'a/*', anchor: 'cwd' } }, '/repo/a/x', true],
  ['root', { tool: 'Read', match: { path: 'repo/**', anchor: 'root' } }, '/repo/x', false],
  ['root, one folder of it', { tool: 'Read', match: { path: '/repo', anchor: 'root' } }, '/repo/x', false],
  ['root, a folder of another depth', { tool: 'Read', match: { path: '/pkg', anchor: 'root' } }, '/repo/pkg/x', true],
  ['home, not known', { tool: 'Read', match: { path: 'x', anchor: 'home' } }, '/repo/x', false],
  [
    'source of a nested project folder',
    { tool: 'Read', match: { path: 'x', anchor: 'source' }, origin: from('project', 'pkg/.claude/agents/a.md') },
    '/repo/pkg/deep/x',
    false,
  ],
  [
    'source of the root of the project',
    { tool: 'Read', match: { path: 'x/y', anchor: 'source' }, origin: from('project', '.claude/settings.json') },
    '/repo/x/y/z',
    false,
  ],
  [
    'source of another project folder',
    { tool: 'Read', match: { path: 'x', anchor: 'source' }, origin: from('project', 'lib/.claude/agents/a.md') },
    '/repo/pkg/x',
    true,
  ],
  ['source of a flag', { tool: 'Read', match: { path: 'x', anchor: 'source' }, origin: from('flag', '--agents') }, '/repo/pkg/x', false],
  [
    'source, not known',
    { tool: 'Read', match: { path: 'y', anchor: 'source' }, origin: from('policy', 'settings.json') },
    '/repo/pkg/x',
    false,
  ],
  ['a negation, which cannot be decided', { tool: 'Read', match: { path: '!x', anchor: 'cwd' } }, '/repo/pkg/y', false],
  ['a folder only', { tool: 'Read', match: { path: 'x/', anchor: 'cwd' } }, '/repo/pkg/x', true],
  ['a folder only, for a file in it', { tool: 'Read', match: { path: 'x/', anchor: 'cwd' } }, '/repo/pkg/deep/x/y/z', false],
  ['a kind that cannot be decided', { tool: 'Read', match: { exact: 'x' } }, '/repo/pkg/y', false],
  ['a parameter', { tool: 'Read', match: { param: 'limit', value: '5' } }, '/repo/pkg/y', false],
  ['a parameter of another value', { tool: 'Read', match: { param: 'limit', value: '6*' } }, '/repo/pkg/y', true],
  ['a parameter that is left out', { tool: 'Read', match: { param: 'offset', value: '*' } }, '/repo/pkg/y', true],
  ['the whole tool', { tool: 'Read' }, '/repo/pkg/y', false],
  ['every tool', { tool: '*' }, '/repo/pkg/y', false],
  ['another tool', { tool: 'Edit', match: { path: '**', anchor: 'cwd' } }, '/repo/pkg/y', true],
]

for (const [name, rule, path, allow] of ANCHORS) {
  test(`a deny rule with ${name} ${allow ? 'lets the call pass' : 'refuses the call'}`, () => {
    expect(decide(asked(path), rights({ deny: [rule] })).allow).toBe(allow)
  })
}

test('a limit that cannot be decided refuses the call', () => {
  const decision = decide(asked('/repo/pkg/x'), rights({ limits: [{ tool: 'Read', match: { wildcard: 'x*' } }] }))
  expect(decision.allow).toBe(false)
})

test('a rule is written as people write it', () => {
  expect(written({ tool: 'Read', match: { path: 'etc/**', anchor: 'root' } })).toMatch(/^Read\(\/\/etc\/\*\*\) /)
  expect(written({ tool: 'Read', match: { path: 'x', anchor: 'home' } })).toMatch(/^Read\(~\/x\) /)
  expect(written({ tool: 'Bash', match: { prefix: ['git', 'status'] } })).toMatch(/^Bash\(git status:\*\) /)
  expect(written({ tool: 'Agent', match: { param: 'model', value: 'opus' } })).toMatch(/^Agent\(model:opus\) /)
  expect(written({ tool: 'Bash' })).toBe('Bash (written in no file)')
})
