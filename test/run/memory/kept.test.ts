import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memorySections } from '../../../compiler/memory/section.ts'
import { verifyRun } from '../../../runner/index.ts'
import { readManifest } from '../../../schemas/manifest.ts'
import { committed, git } from '../../support/git.ts'
import { call, cast } from '../delegation/stage.ts'
import { agentcRun, linesOf, runFolder, runId, transcriptOf } from '../kept.ts'
import { manifestText } from '../manifest-fixture.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'

const memory = memorySections(['user', 'project', 'local'])
const ASKED = { memory, permissions: { allow: [], ask: [], deny: [] } }
const TOOLS = ['Read', 'Write', 'Edit']
const own = (name: string) => `.claude/agent-memory/${name}`
const write = (file_path: string, content = '- new\n') => call('Write', { file_path, content })
const start = (subagent_type: string, more = {}) => call('Agent', { description: 'd', prompt: 'p', subagent_type, ...more })
const lead = { system: 'You are lead' }
const helper = { system: 'You are helper' }

/** A lead and a helper, both with notes of their own. */
function pair(agents: { lead?: object; helper?: object } = {}) {
  const all = { lead: { tools: ['Agent', ...TOOLS], memory: 'project' as const }, helper: { tools: TOOLS, memory: 'project' as const } }
  return cast({ lead: { ...all.lead, ...agents.lead }, helper: { ...all.helper, ...agents.helper } }, 'go', ASKED)
}

describe('what an agent was shown of its notes', () => {
  test('is kept: a run is derived again from its transcript, and goes on with the notes it began with', async () => {
    const cwd = await folder({ [`${own('worker')}/MEMORY.md`]: '- old\n' })
    const { url, requests } = await fakeApi({
      turns: [{ content: [write(`${own('worker')}/MEMORY.md`)] }, { text: 'one' }, { text: 'two' }],
    })
    const manifest = manifestText({ worker: { tools: TOOLS, memory: 'project' } }, ASKED)
    const at = { cwd, url, manifest }
    expect((await agentcRun(['worker', 'go'], at)).code).toBe(0)
    expect(readFileSync(join(cwd, own('worker'), 'MEMORY.md'), 'utf8')).toContain('- new\n')
    const id = runId(cwd)
    expect((await agentcRun(['--resume', id, 'and now?'], at)).code).toBe(0)
    const systems = (await requests()).map(({ system }) => JSON.stringify(system))
    expect(systems).toHaveLength(3)
    expect([new Set(systems).size, systems[0]!.includes('- old')]).toEqual([1, true])
    const kept = readManifest(readFileSync(join(runFolder(cwd), 'manifest.json'), 'utf8'))
    expect(verifyRun(transcriptOf(cwd), kept)).toEqual({ requests: 3, ended: true, difference: undefined })
    expect(linesOf(cwd)[0]).toMatchObject({ options: { memory: { folder: own('worker'), content: '- old' } } })
  })

  test('is recorded: a replay in another folder, with other notes and another home, sends the very same', async () => {
    const { start: root, agents } = pair({ lead: { memory: 'user' } })
    const turns = [{ content: [write(`~/${own('lead')}/new.md`), start('helper')] }, { text: 'end' }]
    const { url } = await fakeApi({
      rules: [
        { when: lead, turns },
        { when: helper, turns: [{ content: [write(`${own('helper')}/new.md`)] }, { text: 'done' }] },
      ],
    })
    const [cwd, home] = [await folder({ [`${own('helper')}/MEMORY.md`]: '- of the helper\n' }), await folder()]
    const lines: string[] = []
    const live = await runToEnd(root, { cwd, home, url, agents, record: (line) => void lines.push(line) })
    expect(toolResults(live.events).map(({ isError }) => isError)).toEqual([false, false])
    expect(lines.filter((line) => line.includes('"kind":"memory"'))).toHaveLength(2)
    const [elsewhere, other] = [await folder(), await folder({ [`${own('lead')}/MEMORY.md`]: '- of somebody else\n' })]
    const again = await runToEnd(root, { cwd: elsewhere, home: other, agents, replay: lines.join('') })
    expect([again.rest, again.result]).toEqual([0, live.result])
    expect(existsSync(join(other, own('lead'), 'new.md'))).toBe(true)
  })
})

describe('the notes of several agents', () => {
  test('are each one’s own: neither the one above nor the one below writes those of the other', async () => {
    const { start: root, agents } = pair()
    const { url, requests } = await fakeApi({
      rules: [
        {
          when: lead,
          turns: [{ content: [start('helper'), write(`${own('helper')}/l.md`), write(`${own('lead')}/l.md`)] }, { text: 'end' }],
        },
        { when: helper, turns: [{ content: [write(`${own('lead')}/h.md`), write(`${own('helper')}/h.md`)] }, { text: 'done' }] },
      ],
    })
    const cwd = await folder({ [`${own('lead')}/MEMORY.md`]: 'OF THE LEAD', [`${own('helper')}/MEMORY.md`]: 'OF THE HELPER' })
    const { events } = await runToEnd(root, { cwd, url, agents })
    expect(toolResults(events).map(({ isError }) => isError)).toEqual([false, true, false])
    expect(readdirSync(join(cwd, own('helper'))).sort()).toEqual(['MEMORY.md', 'h.md'])
    expect(readdirSync(join(cwd, own('lead'))).sort()).toEqual(['MEMORY.md', 'l.md'])
    for (const { system } of await requests()) {
      const text = JSON.stringify(system)
      expect(text.includes('OF THE LEAD')).toBe(text.includes('You are lead'))
      expect(text.includes('OF THE HELPER')).toBe(text.includes('You are helper'))
    }
  })

  test('are not written below an agent that is in plan mode or may not write there', async () => {
    const caps = { limits: [{ tool: 'Edit', match: { path: 'src/**', anchor: 'cwd' as const } }] }
    for (const above of [{ permissionMode: 'plan' as const }, caps]) {
      const { start: root, agents } = pair({ lead: { ...above, memory: undefined } })
      const { url, requests } = await fakeApi({
        rules: [
          { when: lead, turns: [{ content: [start('helper')] }, { text: 'end' }] },
          { when: helper, turns: [{ content: [write(`${own('helper')}/h.md`)] }, { text: 'done' }] },
        ],
      })
      const cwd = await folder()
      await runToEnd(root, { cwd, url, agents })
      expect(existsSync(join(cwd, '.claude'))).toBe(false)
      expect(JSON.stringify((await requests()).at(-2)!.messages.at(-1))).toContain('Permission denied')
    }
  })

  test('go with a fork, which is the same agent', async () => {
    const { start: root, agents } = pair()
    const { url } = await fakeApi({
      rules: [
        { when: { last_user: 'FORKED' }, turns: [{ content: [write(`${own('lead')}/f.md`)] }] },
        {
          when: lead,
          turns: [
            { content: [call('Agent', { description: 'd', prompt: 'FORKED', subagent_type: 'fork' })] },
            { text: 'a' },
            { text: 'b' },
          ],
        },
      ],
    })
    const cwd = await folder()
    const { result } = await runToEnd(root, { cwd, url, agents })
    expect(result.terminal_reason).toBe('completed')
    expect(existsSync(join(cwd, own('lead'), 'f.md'))).toBe(true)
  })
})

describe('in a worktree', () => {
  async function repository(): Promise<string> {
    const files = { 'a.txt': 'a\n', [`${own('helper')}/MEMORY.md`]: '- of the checkout\n', [`${own('other')}/x.md`]: 'x\n' }
    const cwd = committed(await folder(files))
    writeFileSync(join(cwd, own('helper'), 'MEMORY.md'), '- newer than the commit\n')
    return cwd
  }

  async function isolated(cwd: string, calls: object[], permissions = ASKED.permissions) {
    const { start: root, agents } = cast(
      { lead: { tools: ['Agent'] }, helper: { tools: TOOLS, memory: 'project', isolation: 'worktree' } },
      'go',
      { memory, permissions },
    )
    const { url, requests } = await fakeApi({
      rules: [
        { when: lead, turns: [{ content: [start('helper')] }, { text: 'end' }] },
        { when: helper, turns: [{ content: calls }, { text: 'done' }] },
      ],
    })
    const { events } = await runToEnd(root, { cwd, url, agents, host: process, ids: { session: () => `run-of-notes-${process.pid}` } })
    const sent = (await requests()).filter((each) => JSON.stringify(each.system).includes('You are helper'))
    return { report: toolResults(events)[0]!, sent, results: sent.at(-1)!.messages.at(-1)!.content as unknown as { is_error?: boolean }[] }
  }

  test('an agent has the notes of the checkout, and nothing else of the checkout', async () => {
    const cwd = await repository()
    const { report, sent, results } = await isolated(cwd, [
      write('../../agent-memory/helper/MEMORY.md'),
      write(join(cwd, own('helper'), 'more.md')),
      write('../../agent-memory/other/y.md'),
      write(join(cwd, 'b.txt')),
      write(`${own('helper')}/lost.md`),
    ])
    expect(JSON.stringify(sent[0]!.system)).toContain('- newer than the commit')
    expect(JSON.stringify(sent[0]!.system)).toContain('`../../agent-memory/helper`')
    expect(results.map(({ is_error }) => is_error === true)).toEqual([false, false, true, true, true])
    expect(readdirSync(join(cwd, own('helper'))).sort()).toEqual(['MEMORY.md', 'more.md'])
    expect(report.text).not.toContain('kept in the worktree')
    expect(existsSync(join(cwd, '.claude/worktrees'))).toBe(false)
  })

  test('a rule that denies the notes holds for those of the checkout', async () => {
    const cwd = await repository()
    const rule = {
      tool: 'Edit',
      match: { path: `${own('helper')}/**`, anchor: 'source' as const },
      origin: { source: 'project' as const, path: '.claude/settings.json', line: 1, column: 1 },
    }
    const { results } = await isolated(cwd, [write('../../agent-memory/helper/x.md')], { allow: [], ask: [], deny: [rule] } as never)
    expect(results[0]!.is_error).toBe(true)
    expect(existsSync(join(cwd, own('helper'), 'x.md'))).toBe(false)
  })

  test('that a person has made, notes of this machine are those of the main checkout, and those of the project are its own', async () => {
    const main = await repository()
    const other = join(await folder(), 'wt')
    git(main, 'worktree', 'add', '-q', other)
    mkdirSync(join(main, '.claude/agent-memory-local/worker'), { recursive: true })
    writeFileSync(join(main, '.claude/agent-memory-local/worker/MEMORY.md'), '- local\n')
    mkdirSync(join(other, own('worker')), { recursive: true })
    writeFileSync(join(other, own('worker'), 'MEMORY.md'), '- project\n')
    for (const scope of ['local', 'project'] as const) {
      const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
      await agentcRun(['worker', 'go'], { cwd: other, url, manifest: manifestText({ worker: { tools: TOOLS, memory: scope } }, ASKED) })
      expect(JSON.stringify((await requests())[0]!.system)).toContain(`- ${scope}`)
    }
    rmSync(other, { recursive: true })
  })
})
