import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memorySections } from '../../../compiler/memory/section.ts'
import type { ModelRequest } from '../../../runner/message.ts'
import { openWorkspace } from '../../../runner/workspace.ts'
import { withMemory } from '../../../runner/memory/place.ts'
import type { Origin } from '../../../schemas/source.ts'
import { type AgentParts, type HeaderParts, startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, noticesOf, runToEnd, toolResults } from '../stage.ts'

const memory = memorySections(['user', 'project', 'local'])
const OWN = '.claude/agent-memory/worker'

/** No rule allows anything: what is written here is written unasked. */
const NOTHING_ALLOWED: NonNullable<HeaderParts['permissions']> = { allow: [], ask: [], deny: [] }

function keeper(agent: AgentParts = {}, parts: HeaderParts = {}) {
  return startOf({ memory: 'project', tools: ['Read', 'Write', 'Edit'], ...agent }, 'go', {
    memory,
    permissions: NOTHING_ALLOWED,
    ...parts,
  })
}

const write = (file_path: string, content = '- a note\n') => ({ name: 'Write', input: { file_path, content } })

function systemOf(request: ModelRequest | undefined): string {
  return (request?.system ?? []).map(({ text }) => text).join('')
}

async function turnsOf(tools: object[], cwd: string, start = keeper(), more: object = {}) {
  const { url, requests } = await fakeApi({ turns: [...tools.map((tool) => ({ tools: [tool] })), { text: 'done' }] })
  const ran = await runToEnd(start, { cwd, url, ...more })
  return { ...ran, results: toolResults(ran.events), requests: await requests() }
}

describe('the notes of an agent', () => {
  test('stand at the end of its prompt, behind a cache mark of their own, with where they are', async () => {
    const cwd = await folder({ [`${OWN}/MEMORY.md`]: '- the build needs make {{folder}}\n' })
    const { requests } = await turnsOf([], cwd)
    const { system } = requests[0]!
    expect(system!.map(({ cache_control }) => cache_control)).toEqual([{ type: 'ephemeral' }, { type: 'ephemeral' }])
    expect(system![0]!.text).toBe('You are worker. Be brief.')
    expect(system![1]!.text).toMatch(/^\n\n# Your memory\n/)
    expect(system![1]!.text).toContain(`\`${OWN}\``)
    expect(system![1]!.text).toMatch(/- the build needs make \{\{folder\}\}$/)
  })

  test('that are not there yet are said to be none, and nothing is made on the disk', async () => {
    const cwd = await folder({ 'a.txt': '' })
    const { requests } = await turnsOf([], cwd)
    expect(systemOf(requests[0])).toMatch(/There is no MEMORY\.md yet: you have no notes\.$/)
    expect(existsSync(join(cwd, '.claude'))).toBe(false)
  })

  test('are the same in every request of a run, whatever is written meanwhile; the next run has the new ones', async () => {
    const cwd = await folder()
    const first = await turnsOf([write(`${OWN}/MEMORY.md`)], cwd)
    expect(first.results[0]).toMatchObject({ isError: false })
    expect(new Set(first.requests.map(systemOf)).size).toBe(1)
    const second = await turnsOf([], cwd)
    expect(systemOf(second.requests[0])).toMatch(/- a note$/)
  })

  test.each<[string, string, string | undefined, RegExp]>([
    ['200 lines', 'x\n'.repeat(200), undefined, /(?:x\n){199}x$/],
    ['201 lines', 'x\n'.repeat(201), 'has 402 bytes, and only its first 200 lines are shown', /\n(?:x\n){200}\n\[MEMORY\.md has 402 bytes/],
    ['25,000 bytes', 'y'.repeat(25_000), undefined, /y{25000}$/],
    ['a long line', 'é'.repeat(20_000), 'has 40000 bytes, and only its first 1 lines are shown', /\né{12500}\n\n\[MEMORY\.md has 40000/],
    ['a line across the limit', `${'z'.repeat(24_000)}\n${'w'.repeat(2000)}\n`, 'only its first 1 lines', /\nz{24000}\n\n\[/],
    ['no text', 'a\0b', 'not shown to the agent: it is not text', /MEMORY\.md is not shown: it is not text\.$/],
    ['nothing', '', undefined, /MEMORY\.md is empty: you have no notes\.$/],
  ])('of %s are shown within the limits, and what is cut is said in the prompt and to people', async (_, text, notice, shown) => {
    const cwd = await folder({ [`${OWN}/MEMORY.md`]: text })
    const { requests, events } = await turnsOf([], cwd)
    expect(systemOf(requests[0])).toMatch(shown)
    const said = noticesOf(events, 'memory')
    expect(said).toEqual(notice === undefined ? [] : [expect.stringContaining(notice)])
  })

  test('may be changed without being read first, because the agent has them before it', async () => {
    const cwd = await folder({ [`${OWN}/MEMORY.md`]: '- old\n' })
    const { results } = await turnsOf(
      [{ name: 'Edit', input: { file_path: `${OWN}/MEMORY.md`, old_string: '- old', new_string: '- new' } }],
      cwd,
    )
    expect(results[0]).toMatchObject({ isError: false })
    expect(readFileSync(join(cwd, OWN, 'MEMORY.md'), 'utf8')).toBe('- new\n')
  })

  test('that get too long are written, and the agent is told to shorten them', async () => {
    const cwd = await folder()
    const { results } = await turnsOf([write(`${OWN}/MEMORY.md`, 'x\n'.repeat(201)), write(`${OWN}/more.md`, 'x\n'.repeat(201))], cwd)
    expect(results[0]).toMatchObject({ isError: true, text: expect.stringContaining('It was written, but it is too long') })
    expect(results[1]).toMatchObject({ isError: false })
    expect(readFileSync(join(cwd, OWN, 'MEMORY.md'), 'utf8')).toHaveLength(402)
  })
})

describe('the folder of an agent', () => {
  const origin = (path: string, source: Origin['source'] = 'project') => ({ source, path, hash: `sha256:${'0'.repeat(64)}` })

  test('is that of the root whose `.claude` brought the agent, in the scope of its memory', async () => {
    const root = await folder({ '.git/HEAD': '', 'packages/web/a.txt': '' })
    const home = await folder()
    const workspace = await openWorkspace(join(root, 'packages/web'), home)
    const place = async (scope: 'user' | 'project' | 'local', from = origin('.claude/agents/a.md'), name = 'worker') =>
      (await withMemory(workspace, name, { memory: scope, origin: from })).memory
    expect(await place('project')).toEqual({ folder: join(root, OWN), told: `../../${OWN}` })
    expect(await place('project', origin('packages/web/.claude/agents/a.md'))).toEqual({
      folder: join(root, 'packages/web', OWN),
      told: OWN,
    })
    expect(await place('local', origin('agents/a.md', 'user'))).toMatchObject({ folder: join(root, '.claude/agent-memory-local/worker') })
    expect(await place('user')).toEqual({ folder: join(home, OWN), told: `~/${OWN}` })
    expect((await place('project', origin('.claude/agents/a.md'), '../../../etc'))!.folder).toBe(
      join(root, '.claude/agent-memory/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc'),
    )
  })

  test('of the scope user is under CLAUDE_CONFIG_DIR where that is set', async () => {
    const [cwd, config] = [await folder(), await folder()]
    const { results, requests } = await turnsOf([write(join(config, 'agent-memory/worker/MEMORY.md'))], cwd, keeper({ memory: 'user' }), {
      env: { PATH: process.env.PATH, CLAUDE_CONFIG_DIR: config },
    })
    expect(systemOf(requests[0])).toContain(join(config, 'agent-memory/worker'))
    expect(results[0]).toMatchObject({ isError: false })
    expect(readFileSync(join(config, 'agent-memory/worker/MEMORY.md'), 'utf8')).toBe('- a note\n')
  })

  test('is used by its agent without a question, as it was told of it, and no other folder beside it', async () => {
    const [cwd, home] = [await folder({ '.claude/agent-memory/other/MEMORY.md': 'SECRET OF ANOTHER' }), await folder()]
    const read = { name: 'Read', input: { file_path: `~/${OWN}/MEMORY.md` } }
    const calls = [
      write(`~/${OWN}/MEMORY.md`),
      read,
      write(join(home, OWN, 'deep/er.md')),
      { name: 'Grep', input: { pattern: 'note', path: `~/${OWN}`, output_mode: 'content' } },
      write('~/.claude/agent-memory/other/x.md'),
      write('~/.claude/settings.json'),
      { name: 'Read', input: { file_path: `~/${OWN}/../other/MEMORY.md` } },
      write('.claude/agent-memory/other/MEMORY.md'),
      write(`${OWN}/MEMORY.md`),
      write('a.txt'),
    ]
    mkdirSync(join(home, '.claude/agent-memory/other'), { recursive: true })
    writeFileSync(join(home, '.claude/agent-memory/other/MEMORY.md'), 'SECRET OF ANOTHER')
    const start = keeper({ memory: 'user', tools: ['Read', 'Write', 'Edit', 'Grep'] })
    const { results } = await turnsOf(calls, cwd, start, { home })
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false, true, true, true, true, true, true])
    expect(results[0]!.text).toContain(`~/${OWN}/MEMORY.md`)
    expect(results[3]!.text).toContain(`~/${OWN}/MEMORY.md`)
    expect(JSON.stringify(results)).not.toContain('SECRET')
    expect(JSON.stringify(results.slice(0, 4))).not.toContain(home)
    expect(existsSync(join(home, OWN, 'deep/er.md'))).toBe(true)
    expect(existsSync(join(cwd, '~'))).toBe(false)
  })

  test('is not written against a deny rule, in plan mode, or where the list of tools takes Write away', async () => {
    const call = [write(`${OWN}/MEMORY.md`)]
    const deny = { permissions: { allow: [], ask: [], deny: [{ tool: 'Edit', match: { path: `${OWN}/**`, anchor: 'cwd' as const } }] } }
    for (const start of [keeper({}, deny), keeper({ permissionMode: 'plan' }), keeper({ tools: ['Read'] })]) {
      const cwd = await folder()
      const { results } = await turnsOf(call, cwd, start)
      expect(results[0]).toMatchObject({ isError: true })
      expect(existsSync(join(cwd, OWN))).toBe(false)
    }
  })

  test('is written although a cap of the list of tools names other folders, and although nobody is asked', async () => {
    const limits = [{ tool: 'Edit', match: { path: 'src/**', anchor: 'cwd' as const } }]
    const cwd = await folder()
    const { results } = await turnsOf([write(`${OWN}/MEMORY.md`), write('docs/x.md')], cwd, keeper({ limits, permissionMode: 'dontAsk' }))
    expect(results.map(({ isError }) => isError)).toEqual([false, true])
  })

  test.each<[string, (cwd: string, other: string) => void]>([
    ['the folder of all notes', (cwd, other) => symlinkSync(other, join(cwd, '.claude/agent-memory'))],
    [
      'its own folder',
      (cwd, other) => {
        mkdirSync(join(cwd, '.claude/agent-memory'))
        symlinkSync(other, join(cwd, OWN))
      },
    ],
    [
      'its own folder, to one of the project',
      (cwd) => {
        mkdirSync(join(cwd, '.claude/agent-memory'))
        symlinkSync(join(cwd, 'src'), join(cwd, OWN))
      },
    ],
  ])('is not used where a link stands for %s, and that is said', async (_, link) => {
    const cwd = await folder({ '.claude/x': '', 'src/MEMORY.md': 'LEAKED' })
    const other = await folder({ 'MEMORY.md': 'LEAKED', 'worker/MEMORY.md': 'LEAKED' })
    link(cwd, other)
    const { results, requests, events } = await turnsOf([write(`${OWN}/new.md`)], cwd)
    expect(systemOf(requests[0])).toBe('You are worker. Be brief.')
    expect(noticesOf(events, 'memory')).toContainEqual(expect.stringMatching(/^the memory of worker .* is a link$/))
    expect(results[0]).toMatchObject({ isError: true })
    expect(existsSync(join(other, 'new.md')) || existsSync(join(other, 'worker/new.md')) || existsSync(join(cwd, 'src/new.md'))).toBe(false)
  })

  test('shows no file that a link or a pipe in the place of MEMORY.md leads to', async () => {
    const cwd = await folder({ [`${OWN}/x.md`]: '', 'secret.txt': 'LEAKED' })
    symlinkSync(join(cwd, 'secret.txt'), join(cwd, OWN, 'MEMORY.md'))
    const { requests, events } = await turnsOf([], cwd)
    expect(systemOf(requests[0])).toMatch(/MEMORY\.md is not shown: it is a link\.$/)
    expect(noticesOf(events, 'memory')).toContain('MEMORY.md is not shown to the agent: it is a link')
  })

  test('is not used where there is no home folder', async () => {
    const { events, result } = await turnsOf([], await folder(), keeper({ memory: 'user' }), { env: {} })
    expect(noticesOf(events, 'memory')).toContain('the memory of worker is in the home folder, and there is none')
    expect(result.terminal_reason).toBe('completed')
  })
})
