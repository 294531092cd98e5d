import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memorySections } from '../../../compiler/memory/section.ts'
import { whatToDo } from '../../../runner/memory/snapshot.ts'
import { agentc } from '../../support/bin.ts'
import { put } from '../../support/tree.ts'
import { agentcRun } from '../kept.ts'
import { type AgentParts, manifestText, startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, noticesOf, runToEnd } from '../stage.ts'

const NOTES = '.claude/agent-memory/worker'
const SNAPSHOT = '.claude/agent-memory-snapshots/worker'
const PARTS = {
  memory: memorySections(['user', 'project']),
  permissions: { allow: [], ask: [], deny: [] },
  features: { 'memory-snapshots': true },
}
const SETTINGS = { bypassDisabled: false, additionalDirectories: [], env: {} }
const PERSON = { source: 'user', path: 'settings.json', line: 1, column: 1 }
const AGENT: AgentParts = { memory: 'user', tools: ['Read', 'Write', 'Edit'] }

test.each([
  [undefined, undefined, undefined, 'nothing'],
  ['a', 'a', undefined, 'nothing'],
  ['a', undefined, undefined, 'carry'],
  ['a', undefined, 'b', 'carry'],
  [undefined, 'a', undefined, 'take'],
  ['b', 'a', 'a', 'carry'],
  ['a', 'b', 'a', 'take'],
  ['a', 'b', 'c', 'conflict'],
  ['a', 'b', undefined, 'conflict'],
] as const)('notes %s, snapshot %s, both once %s: %s', (notes, snapshot, synced, what) => {
  expect(whatToDo({ notes, snapshot, synced })).toBe(what)
})

/** Runs the agent in a project of a person; it writes these notes. */
async function work(
  cwd: string,
  home: string,
  notes: Record<string, string> = {},
  more: { agent?: AgentParts; parts?: object; options?: object } = {},
) {
  const tools = Object.entries(notes).map(([name, content]) => ({ name: 'Write', input: { file_path: `~/${NOTES}/${name}`, content } }))
  const { url, requests } = await fakeApi({ turns: [...tools.map((tool) => ({ tools: [tool] })), { text: 'done' }] })
  const start = startOf({ ...AGENT, ...more.agent }, 'go', { ...PARTS, ...more.parts })
  const ran = await runToEnd(start, { cwd, home, url, ...more.options })
  return { ...ran, said: noticesOf(ran.events, 'memory-snapshot'), system: JSON.stringify((await requests())[0]!.system) }
}

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')

describe('with the feature memory-snapshots', () => {
  test('the notes of a person are carried into the project when the agent ends, and to another person from there', async () => {
    const [cwd, home, other] = [await folder(), await folder(), await folder()]
    const first = await work(cwd, home, { 'MEMORY.md': '- one\n', 'deep/er.md': 'more\n' })
    expect(first.said).toEqual([`the notes of worker were carried into the project: ${SNAPSHOT}`])
    expect([read(cwd, `${SNAPSHOT}/MEMORY.md`), read(cwd, `${SNAPSHOT}/deep/er.md`)]).toEqual(['- one\n', 'more\n'])
    const second = await work(cwd, other)
    expect(second.said).toEqual([`the notes of worker were taken from the project: ${SNAPSHOT}`])
    expect(second.system).toContain('- one')
    expect(read(other, `${NOTES}/deep/er.md`)).toBe('more\n')
    expect((await work(cwd, other)).said).toEqual([])
  })

  test('what has not changed gives way to what has, in both directions, files that are gone included', async () => {
    const [cwd, home] = [await folder(), await folder()]
    await work(cwd, home, { 'MEMORY.md': '- one\n', 'old.md': 'x' })
    put(home, `${NOTES}/MEMORY.md`, '- two\n')
    rmSync(join(home, NOTES, 'old.md'))
    expect((await work(cwd, home)).said).toEqual([`the notes of worker were carried into the project: ${SNAPSHOT}`])
    expect([read(cwd, `${SNAPSHOT}/MEMORY.md`), readdirSync(join(cwd, SNAPSHOT))]).toEqual(['- two\n', ['MEMORY.md']])
    put(cwd, `${SNAPSHOT}/MEMORY.md`, '- three, pulled\n')
    const pulled = await work(cwd, home)
    expect([pulled.said, read(home, `${NOTES}/MEMORY.md`)]).toEqual([
      [`the notes of worker were taken from the project: ${SNAPSHOT}`],
      '- three, pulled\n',
    ])
    expect(pulled.system).toContain('- three, pulled')
  })

  test('where both have changed neither is touched, and that is said; when one is removed the other takes its place', async () => {
    const [cwd, home] = [await folder(), await folder()]
    put(home, `${NOTES}/MEMORY.md`, '- mine\n')
    put(cwd, `${SNAPSHOT}/MEMORY.md`, '- theirs\n')
    const both = await work(cwd, home, { 'new.md': 'newer\n' })
    expect(both.said).toHaveLength(2)
    expect(both.said[0]).toMatch(/have both changed, so both are left as they are; remove one of the two/)
    expect(both.system).toContain('- mine')
    expect([read(home, `${NOTES}/MEMORY.md`), read(cwd, `${SNAPSHOT}/MEMORY.md`)]).toEqual(['- mine\n', '- theirs\n'])
    rmSync(join(cwd, SNAPSHOT), { recursive: true })
    await work(cwd, home)
    expect(read(cwd, `${SNAPSHOT}/MEMORY.md`)).toBe('- mine\n')
  })

  test('a snapshot that changes while the agent works is not overwritten, nor are its notes', async () => {
    const [cwd, home] = [await folder(), await folder()]
    await work(cwd, home, { 'MEMORY.md': '- one\n' })
    const agent = { ...AGENT, tools: ['Read', 'Write', 'Edit', 'Bash'] }
    const permissions = { allow: [{ tool: 'Bash' }], ask: [], deny: [] }
    const { url } = await fakeApi({
      turns: [
        { tools: [{ name: 'Write', input: { file_path: `~/${NOTES}/two.md`, content: 'two\n' } }] },
        { tools: [{ name: 'Bash', input: { command: `echo theirs > ${SNAPSHOT}/MEMORY.md` } }] },
        { text: 'done' },
      ],
    })
    const start = startOf({ ...agent, permissionMode: 'bypassPermissions' }, 'go', { ...PARTS, permissions })
    // In the sandbox no command can write below `.claude`.
    const { events } = await runToEnd({ ...start, sandbox: 'off' }, { cwd, home, url })
    expect(noticesOf(events, 'memory-snapshot')).toEqual([expect.stringContaining('have both changed')])
    expect([read(cwd, `${SNAPSHOT}/MEMORY.md`), existsSync(join(cwd, SNAPSHOT, 'two.md'))]).toEqual(['theirs\n', false])
    expect(read(home, `${NOTES}/two.md`)).toBe('two\n')
  })

  test('a link or anything else that is no file is neither followed nor carried', async () => {
    const [cwd, home, elsewhere] = [await folder(), await folder(), await folder({ 'MEMORY.md': 'SECRET' })]
    put(cwd, `${SNAPSHOT}/x.md`, 'x')
    symlinkSync(join(elsewhere, 'MEMORY.md'), join(cwd, SNAPSHOT, 'MEMORY.md'))
    expect((await work(cwd, home)).said[0]).toBe(
      `the notes of worker and their snapshot ${SNAPSHOT} are left as they are: MEMORY.md is no regular file`,
    )
    expect(existsSync(join(home, NOTES))).toBe(false)
    rmSync(join(cwd, SNAPSHOT), { recursive: true })
    symlinkSync(elsewhere, join(cwd, SNAPSHOT))
    expect((await work(cwd, home, { 'MEMORY.md': '- mine\n' })).said).toContain(
      'the notes of worker are not carried into the project: worker is a link',
    )
    expect(readdirSync(elsewhere)).toEqual(['MEMORY.md'])
  })

  test.each<[string, { agent?: AgentParts; parts?: object }]>([
    ['without the feature', { parts: { features: {} } }],
    ['in another scope', { agent: { memory: 'project' } }],
    ['in plan mode', { agent: { permissionMode: 'plan' } }],
    ['in plan mode by the settings', { parts: { settings: { ...SETTINGS, defaultMode: { value: 'plan', origin: PERSON } } } }],
  ])('nothing is carried or taken %s', async (_, more) => {
    const [cwd, home] = [await folder(), await folder()]
    put(cwd, '.claude/agent-memory-snapshots/other/x.md', 'x')
    put(home, `${NOTES}/MEMORY.md`, '- mine\n')
    expect((await work(cwd, home, {}, more)).said).toEqual([])
    expect(existsSync(join(cwd, SNAPSHOT))).toBe(false)
  })

  test('a replay says what was done and does none of it', async () => {
    const [cwd, home] = [await folder(), await folder()]
    put(cwd, `${SNAPSHOT}/MEMORY.md`, '- theirs\n')
    const lines: string[] = []
    const live = await work(cwd, home, {}, { options: { record: (line: string) => void lines.push(line) } })
    const [elsewhere, nobody] = [await folder(), await folder()]
    const start = startOf(AGENT, 'go', PARTS)
    const replayed = await runToEnd(start, { cwd: elsewhere, home: nobody, replay: lines.join('') })
    expect([noticesOf(replayed.events, 'memory-snapshot'), replayed.rest, replayed.result]).toEqual([live.said, 0, live.result])
    expect([existsSync(join(nobody, '.claude')), existsSync(join(elsewhere, '.claude'))]).toEqual([false, false])
  })

  test('a project that is not trusted has none: its snapshot would reach all other projects', async () => {
    const manifest = manifestText({ worker: AGENT }, PARTS)
    for (const trust of [[], ['--trust']]) {
      const [cwd, home] = [await folder(), await folder()]
      put(cwd, `${SNAPSHOT}/MEMORY.md`, '- theirs\n')
      const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
      const { code, stderr } = await agentcRun(['worker', 'go', ...trust], { cwd, url, manifest, env: { HOME: home } })
      expect(code).toBe(0)
      expect(stderr.includes('notes (2)')).toBe(trust.length === 0)
      expect(JSON.stringify((await requests())[0]!.system).includes('- theirs')).toBe(trust.length > 0)
    }
  })
})

test('the feature is switched on where a manifest is built, and reaches a run of the real program', async () => {
  const root = await folder({ 'home/x': '', 'managed/x': '' })
  const cwd = join(root, 'project')
  put(cwd, '.claude/agents/worker.md', '---\nname: worker\ndescription: d\nmemory: user\n---\n\nYou work.\n')
  put(root, `home/${NOTES}/MEMORY.md`, '- mine\n')
  const { url } = await fakeApi({ turns: [{ text: 'ok' }] })
  const env = {
    HOME: join(root, 'home'),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'test-key-0123456789',
    AGENTC_FEATURES: 'memory-snapshots',
  }
  const ran = await agentc(['run', 'worker', 'go', '--trust', '--managed-dir', join(root, 'managed')], { cwd, env })
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('the notes of worker were carried into the project')])
  expect(read(cwd, `${SNAPSHOT}/MEMORY.md`)).toBe('- mine\n')
})
