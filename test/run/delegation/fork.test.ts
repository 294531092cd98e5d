import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { verifyRun } from '../../../runner/index.ts'
import type { ModelRequest } from '../../../runner/message.ts'
import { readTranscript } from '../../../runner/transcript/read.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'
import { call, cast } from './stage.ts'

const fork = (prompt: string, more: object = {}) => call('Agent', { description: 'd', prompt, subagent_type: 'fork', ...more })
const LONG = 'word '.repeat(3000)

function prefixOf(request: ModelRequest): string {
  return JSON.stringify({ ...request, messages: [] })
}

test('a fork has the very prefix of its parent, and the run can be verified with it', async () => {
  const { start, agents, keep } = cast({ lead: { tools: ['Agent', 'Glob'], prompt: `You are lead. ${LONG}` } })
  const { url, requests, log } = await fakeApi({
    rules: [
      { when: { last_user: 'You are a fork' }, respond: { text: 'forked' } },
      {
        when: { system: 'You are lead' },
        turns: [{ content: [call('Glob', { pattern: '*' })] }, { content: [fork('one')] }, { content: [fork('two')] }, { text: 'end' }],
      },
    ],
  })
  const cwd = await folder()
  const { events, result } = await runToEnd(start, { cwd, url, agents, keep, host: process })
  expect(result.result).toBe('end')
  const run = join(cwd, result.run_folder!)
  const manifest = readManifest(readFileSync(join(run, 'manifest.json'), 'utf8'))
  for (const name of readdirSync(join(run, 'agents'))) {
    expect(verifyRun(readFileSync(join(run, 'agents', name), 'utf8'), manifest)).toEqual({
      requests: 1,
      ended: true,
      difference: undefined,
    })
  }
  expect(toolResults(events)[1]!.text).toContain('  forked')
  const all = await requests()
  const forks = all.filter((request) => JSON.stringify(request.messages.at(-1)).includes('You are a fork'))
  expect(forks).toHaveLength(2)
  for (const each of forks) expect(prefixOf(each)).toBe(prefixOf(all[0]!))
  const last = forks[0]!.messages.at(-1)!.content
  expect(last[0]).toMatchObject({ type: 'tool_result', cache_control: { type: 'ephemeral' } })
  expect(last.at(-1)).toMatchObject({ type: 'text', text: expect.stringMatching(/Task:\none$/) })
  expect(await log()).toHaveLength(all.length)
})

interface Used {
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
  input_tokens: number
}

/** What the forks of a run used, in the order of their tasks, and the bytes of each up to its own task. */
async function used(api: Awaited<ReturnType<typeof fakeApi>>): Promise<{ usage: Used; shared: string; task: string }[]> {
  const lines = (await api.log()) as unknown as { response?: { usage: Used }; body: ModelRequest }[]
  return lines.flatMap(({ body, response }) => {
    const last = body.messages.at(-1)!
    const own = last.content.at(-1)
    const text = own?.type === 'text' ? own.text : ''
    if (!text.startsWith('You are a fork')) return []
    const messages = [...body.messages.slice(0, -1), { ...last, content: last.content.slice(0, -1) }]
    return [{ usage: response!.usage, shared: JSON.stringify({ ...body, messages }), task: text.split('\n').at(-1)! }]
  })
}

test.each([
  ['waited for', {}],
  ['in the background', { run_in_background: true }],
])('of siblings that are %s, each later one reads the whole prefix from the cache and writes nothing', async (_, how) => {
  const { start, agents } = cast({ lead: { tools: ['Agent', 'Glob'], prompt: `You are lead. ${LONG}` } })
  const tasks = ['one', 'two', 'three', 'four']
  const looks = ['a', 'b', 'c'].map((name) => ({ content: [{ type: 'text', text: LONG }, call('Glob', { pattern: `${name}*` })] }))
  const api = await fakeApi({
    rules: [
      { when: { last_user: 'You are a fork' }, respond: { text: 'forked' } },
      {
        when: { system: 'You are lead' },
        turns: [...looks, { content: tasks.map((task) => fork(task, how)) }, { text: 'end', repeat: 9 }],
      },
    ],
  })
  const { result } = await runToEnd(start, { cwd: await folder(), url: api.url, agents })
  expect(result).toMatchObject({ terminal_reason: 'completed', subagent_stats: { spawned: 4, completed: 4 } })
  const forks = await used(api)
  expect(forks.map(({ task }) => task).sort()).toEqual(tasks.toSorted())
  expect(new Set(forks.map(({ shared }) => shared)).size).toBe(1)
  const [first, ...later] = forks
  const whole = first!.usage.cache_read_input_tokens + first!.usage.cache_creation_input_tokens
  // All of it: what is neither read nor written is the task itself, a few words.
  expect(whole).toBeGreaterThan(4 * (LONG.length / 4) - 1000)
  expect(first!.usage.cache_read_input_tokens).toBeGreaterThan(whole / 2)
  for (const { usage } of later) {
    expect(usage).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: whole })
    expect(usage.input_tokens).toBeLessThan(100)
  }
})

test('a fork does not fork again, and is held to narrower rights although it sees all tools', async () => {
  const { start, agents } = cast({ lead: { tools: ['Agent', 'Write'], permissionMode: 'acceptEdits' } }, 'go', {
    limits: { spawnDepth: 2, parallelReads: 10, resultChars: 100_000 },
  })
  const { url, requests } = await fakeApi({
    rules: [
      {
        when: { any: 'You are a fork' },
        turns: [{ text: 'x' }, { content: [fork('again'), call('Write', { file_path: 'x.txt', content: 'x' })] }, { text: 'tried' }],
      },
      { when: { system: 'You are lead' }, turns: [{ content: [fork('one', { mode: 'plan' })] }, { text: 'end' }] },
    ],
  })
  const { events } = await runToEnd(start, { cwd: await folder(), url, agents })
  expect(toolResults(events)[0]!.text).toContain('  tried')
  const sent = JSON.stringify((await requests()).map(({ messages }) => messages.at(-1)))
  expect(sent).toContain('A fork does not fork again')
  expect(sent).toContain('plan mode')
})

test('a fork that a message wakes has so many turns as it began with, not those that it had used once more', async () => {
  const { start, agents, keep } = cast({ lead: { tools: ['Agent', 'SendMessage', 'Glob'] } })
  const more = { content: [call('SendMessage', { to: 'Bob', message: 'more' })] }
  const began = { content: [fork('one', { name: 'Bob', run_in_background: true })] }
  const { url } = await fakeApi({
    rules: [
      {
        when: { any: 'You are a fork' },
        turns: [{ text: '-' }, { content: [call('Glob', { pattern: '*' })] }, { text: 'forked', repeat: 3 }],
      },
      {
        when: { system: 'You are lead' },
        turns: [began, { text: 'waiting' }, more, { text: 'waiting' }, more, { text: 'end', repeat: 3 }],
      },
    ],
  })
  const cwd = await folder()
  const { result } = await runToEnd(start, { cwd, url, agents, keep, host: process })
  const [name] = readdirSync(join(cwd, result.run_folder!, 'agents'))
  const { lines } = readTranscript(readFileSync(join(cwd, result.run_folder!, 'agents', name!), 'utf8'))
  const limits = lines.flatMap((line) => (line.kind === 'resume' ? line.max_turns : []))
  const turns = lines.flatMap((line) => (line.kind === 'end' ? line.result.num_turns : []))
  expect(turns).toHaveLength(3)
  expect(limits).toEqual(turns.slice(0, -1).map((used) => used + 200))
})
