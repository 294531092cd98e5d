import { existsSync, readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunOptions, Start } from '../../../runner/index.ts'
import { locate, openWorkspace } from '../../../runner/workspace.ts'
import type { Rule } from '../../../schemas/shapes/permission.ts'
import { type AgentParts, type HeaderParts, startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, noticesOf, runToEnd, toolResults } from '../stage.ts'
import { rulesOf } from './stage.ts'

const FILES = {
  'project/src/a.ts': 'needle\n',
  'project/secrets/k.pem': 'TOKEN\n',
  'outside/o.txt': 'needle\n',
  'outside/.hidden/o.txt': 'needle\n',
  'home/notes.txt': 'needle\n',
  'home/.ssh/id': 'TOKEN\n',
}

interface Ground {
  agent?: AgentParts
  header?: HeaderParts
  start?: Partial<Start>
  options?: Partial<RunOptions>
}

/** Calls of tools in a project, with files beside it. `$ROOT` is the folder that holds both. */
async function called(calls: [name: string, input: Record<string, unknown>][], { agent, header, start, options }: Ground = {}) {
  const root = await folder(FILES)
  await symlink('../outside', join(root, 'project/link'))
  const filled = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('$ROOT', root)) as T
  const tools = calls.map(([name, input]) => ({ name, input: filled(input) }))
  const { url } = await fakeApi({ turns: [...tools.map((tool) => ({ tools: [tool] })), { text: 'done' }] })
  const worker = { tools: ['EnterPlanMode', 'Edit', 'Glob', 'Grep', 'Read', 'Write'], ...agent }
  const ready = { ...startOf(worker, 'go', filled(header ?? {})), ...start }
  const ran = await runToEnd(ready, { cwd: join(root, 'project'), home: join(root, 'home'), url, ...options })
  return {
    root,
    notices: noticesOf(ran.events),
    result: ran.result,
    results: toolResults(ran.events).map(({ text, isError }) => `${isError ? '!' : ''}${text.replaceAll(root, '$ROOT')}`),
  }
}

const allow = (...rules: string[]): HeaderParts => ({ permissions: { allow: rulesOf('allow', rules), ask: [], deny: [] } })
const read = (file_path: string): [string, Record<string, unknown>] => ['Read', { file_path }]

test('a rule that names the outside opens it to every tool, and nothing beside it', async () => {
  const named = { tool: 'Read', match: { path: '$ROOT/outside', anchor: 'root' } } as Rule
  const written = { tool: 'Edit', match: { path: '$ROOT/outside/new.txt', anchor: 'root' } } as Rule
  const { root, results } = await called(
    [
      read('$ROOT/outside/o.txt'),
      ['Grep', { pattern: 'needle', path: '$ROOT/outside' }],
      ['Glob', { pattern: '*.txt', path: '$ROOT/outside' }],
      read('$ROOT/home/notes.txt'),
      ['Write', { file_path: '$ROOT/outside/new.txt', content: 'x\n' }],
      ['Write', { file_path: '$ROOT/outside/other.txt', content: 'x\n' }],
    ],
    { header: { permissions: { allow: [named, written], ask: [], deny: [] } } },
  )
  expect(results.slice(0, 3)).toEqual([
    '1\tneedle',
    '$ROOT/outside/.hidden/o.txt\n$ROOT/outside/o.txt',
    '$ROOT/outside/.hidden/o.txt\n$ROOT/outside/o.txt',
  ])
  expect(results[3]).toMatch(/^!Permission denied: it lies outside the project/)
  expect(results[4]).toBe('Made $ROOT/outside/new.txt (1 line).')
  expect(results[5]).toMatch(/^!Permission denied/)
  expect([existsSync(join(root, 'outside/new.txt')), existsSync(join(root, 'outside/other.txt'))]).toEqual([true, false])
})

test('a rule for all of a tool stays within the project, and so does a link out of it', async () => {
  const { results } = await called([read('$ROOT/outside/o.txt'), read('link/o.txt'), ['Write', { file_path: 'link/x.txt', content: '' }]], {
    header: allow('Read', 'Edit', 'Write'),
  })
  for (const result of results) expect(result).toMatch(/^!Permission denied/)
})

test('what a deny rule hides stays hidden, however its path is written', async () => {
  const deny = rulesOf('deny', ['Read(secrets/**)'])
  const header: HeaderParts = { permissions: { allow: [], ask: [], deny } }
  const paths = [
    'secrets/k.pem',
    '~/../secrets/k.pem',
    '~/../project/secrets/k.pem',
    '/proc/self/cwd/secrets/k.pem',
    '$ROOT/home/../project/secrets/k.pem',
  ]
  const { results } = await called(paths.map(read), { header, start: { permissionMode: 'bypassPermissions' } })
  expect(results.filter((result) => result.includes('TOKEN'))).toEqual([])
})

test('a tilde is home for the rules and for the tools', async () => {
  const { results } = await called([read('~/notes.txt'), read('~/.ssh/id')], { header: allow('Read(~/notes.txt)') })
  expect(results[0]).toBe('1\tneedle')
  expect(results[1]).toMatch(/^!Permission denied/)
})

test('the yes of a person or a hook opens that very file, and shows what a search there finds', async () => {
  const asked: string[] = []
  const options: Partial<RunOptions> = {
    ask: ({ tool }, _, _signal, more) => (asked.push(`${tool} ${JSON.stringify(more?.would?.match)}`), Promise.resolve({ allow: true })),
  }
  const calls: [string, Record<string, unknown>][] = [
    read('$ROOT/outside/o.txt'),
    ['Grep', { pattern: 'needle', path: '$ROOT/outside' }],
    ['Write', { file_path: '$ROOT/home/new.txt', content: 'x\n' }],
  ]
  const { root, results } = await called(calls, { options, header: allow() })
  expect(results).toEqual(['1\tneedle', '$ROOT/outside/.hidden/o.txt\n$ROOT/outside/o.txt', 'Made $ROOT/home/new.txt (1 line).'])
  expect(asked).toHaveLength(3)
  expect(readFileSync(join(root, 'home/new.txt'), 'utf8')).toBe('x\n')
})

test('a further folder of the settings is worked in like the project; one that is not there is said', async () => {
  const origin = { source: 'user', path: 'settings.json', line: 1, column: 1 } as const
  const settings = {
    bypassDisabled: false,
    env: {},
    additionalDirectories: [
      { value: '../outside', origin },
      { value: '../nowhere', origin },
    ],
  }
  const { root, results, notices } = await called(
    [
      read('link/o.txt'),
      ['Write', { file_path: '$ROOT/outside/n.txt', content: 'x\n' }],
      ['Write', { file_path: '$ROOT/home/n.txt', content: 'x\n' }],
    ],
    { header: { ...allow(), settings }, start: { permissionMode: 'acceptEdits' } },
  )
  expect(results.slice(0, 2)).toEqual(['1\tneedle', 'Made $ROOT/outside/n.txt (1 line).'])
  expect(results[2]).toMatch(/^!Permission denied/)
  expect(existsSync(join(root, 'outside/n.txt'))).toBe(true)
  expect(notices).toContain('the further folder ../nowhere is no folder here')
})

test('in plan mode that a person has chosen the outside is read, but what is hidden; an agent gains nothing by entering it, nor by its file', async () => {
  const calls = [read('$ROOT/outside/o.txt'), read('$ROOT/outside/.hidden/o.txt'), read('~/.ssh/id'), read('/proc/self/environ')]
  const chosen = await called(calls, { start: { permissionMode: 'plan' } })
  expect(chosen.results[0]).toBe('1\tneedle')
  for (const result of chosen.results.slice(1)) expect(result).toMatch(/^!Permission denied: it lies outside the project/)
  const entered = await called([['EnterPlanMode', {}], calls[0]!])
  expect(entered.results[1]).toMatch(/^!Permission denied/)
  const written = await called([calls[0]!], { agent: { permissionMode: 'plan' } })
  expect(written.results[0]).toMatch(/^!Permission denied/)
})

test('a path that leads elsewhere by the time it is opened is refused', async () => {
  const root = await folder(FILES)
  const workspace = { ...(await openWorkspace(join(root, 'project'))), beyond: [join(root, 'outside/o.txt')] }
  expect((await locate(workspace, join(root, 'outside/o.txt'))).kind).toBe('there')
  await symlink('../home/notes.txt', join(root, 'outside/swapped.txt'))
  expect((await locate({ ...workspace, beyond: [join(root, 'outside/swapped.txt')] }, join(root, 'outside/swapped.txt'))).kind).toBe(
    'outside',
  )
  expect((await locate(workspace, join(root, 'outside/o.txt2'))).kind).toBe('outside')
})
