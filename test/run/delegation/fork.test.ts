import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { verifyRun } from '../../../runner/index.ts'
import type { ModelRequest } from '../../../runner/message.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'
import { call, cast } from './stage.ts'

const fork = (prompt: string, more: object = {}) => call('Agent', { description: 'd', prompt, subagent_type: 'fork', ...more })
const LONG = 'word '.repeat(3000)

function prefixOf(request: ModelRequest): string {
  return JSON.stringify({ ...request, messages: [] })
}

test('forks share the whole prefix of their parent, and each later sibling reads it from the cache and writes nothing', async () => {
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

test('siblings of one reply have the same bytes up to their own task', async () => {
  const { start, agents } = cast({ lead: { tools: ['Agent', 'Glob'], prompt: `You are lead. ${LONG}` } })
  const { url, requests, log } = (await fakeApi({
    rules: [
      { when: { last_user: 'You are a fork' }, respond: { text: 'forked' } },
      { when: { system: 'You are lead' }, turns: [{ content: [fork('one'), fork('two'), fork('three')] }, { text: 'end' }] },
    ],
  })) as Awaited<ReturnType<typeof fakeApi>>
  await runToEnd(start, { cwd: await folder(), url, agents })
  const forks = (await requests()).filter((request) => JSON.stringify(request.messages.at(-1)).includes('You are a fork'))
  const shared = forks.map((request) =>
    JSON.stringify({
      ...request,
      messages: request.messages.map(({ role, content }, at) => ({
        role,
        content: at === request.messages.length - 1 ? content.slice(0, -1) : content,
      })),
    }),
  )
  expect(new Set(shared).size).toBe(1)
  const usage = (
    (await log()) as unknown as {
      response?: { usage: { cache_read_input_tokens: number; cache_creation_input_tokens: number } }
      body: ModelRequest
    }[]
  )
    .filter(({ body }) => JSON.stringify(body.messages.at(-1)).includes('You are a fork'))
    .map(({ response }) => response?.usage)
  const [first, ...later] = usage
  for (const each of later)
    expect(each).toMatchObject({
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: first!.cache_read_input_tokens + first!.cache_creation_input_tokens,
    })
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
