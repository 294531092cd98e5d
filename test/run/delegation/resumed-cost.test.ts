import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunLimits } from '../../../runner/limits/run-limits.ts'
import { linesOf, resultOf, runFolder, runId, transcriptOf } from '../kept.ts'
import { manifestText } from '../manifest-fixture.ts'
import { fakeApi, folder } from '../stage.ts'
import { call } from './stage.ts'

const HELPERS = 'claude-haiku-5-5'
const MUCH = { input_tokens: 4000, output_tokens: 10 }

const LATER = { name: 'Bob', run_in_background: true }

/** A run whose agent has started another one, on a model of its own, and which can be gone on with. */
async function delegated(most?: number, run: RunLimits = most === undefined ? {} : { agents: most }) {
  const begin = call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper' })
  const again = most === undefined ? [] : [{ text: 'done' }, { content: [{ ...begin, id: 'toolu_again' }] }]
  const { url, requests } = await fakeApi({
    rules: [
      { when: { system: 'You are lead' }, turns: [{ content: [begin] }, ...again, { text: 'done', repeat: 9 }] },
      { when: { system: 'You are helper' }, respond: { text: 'report', usage: MUCH } },
    ],
  })
  const manifest = manifestText(
    {
      lead: { tools: ['Agent'], model: 'claude-sonnet-5-5' },
      helper: { model: HELPERS },
    },
    { limits: { spawnDepth: 2, parallelReads: 10, resultChars: 30_000, run } },
  )
  const cwd = await folder()
  const stage = { cwd, url, manifest }
  const { result } = await resultOf(['lead', 'go'], stage)
  const id = runId(cwd)
  return { first: result, cwd, requests, resume: (...argv: string[]) => resultOf(['--resume', id, ...argv], stage) }
}

describe('what the agents below have cost', () => {
  test('is in the account of a run that goes on, however often', async () => {
    const { first, resume } = await delegated()
    expect(first.modelUsage[HELPERS]).toMatchObject({ inputTokens: 4000, outputTokens: 10 })
    for (const prompt of ['more', 'and more']) {
      const { result } = await resume(prompt)
      expect(result.modelUsage[HELPERS]).toEqual(first.modelUsage[HELPERS])
      expect(result.total_cost_usd).toBeGreaterThan(first.total_cost_usd!)
    }
  })

  test('is known of a run that was killed while one was at work, or before it had said anything', async () => {
    const { first, cwd, resume } = await delegated()
    const last = linesOf(cwd).findLastIndex(({ kind }) => kind === 'tool_start')
    const lines = transcriptOf(cwd)
      .split('\n')
      .slice(0, last + 1)
    writeFileSync(join(runFolder(cwd), 'transcript.jsonl'), `${lines.join('\n')}\n`)
    writeFileSync(join(runFolder(cwd), 'agents/agent-a000000000000.jsonl'), '{"kind":"sta')
    const { result } = await resume()
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'done' })
    expect(result.modelUsage[HELPERS]).toEqual(first.modelUsage[HELPERS])
    expect(readdirSync(join(runFolder(cwd), 'agents'))).toHaveLength(2)
  })

  test('is spent of the budget of the run: one that has nothing left for it asks nothing more', async () => {
    const { first, resume, requests } = await delegated()
    const before = (await requests()).length
    const usd = first.total_cost_usd! - first.modelUsage[HELPERS]!.costUSD! / 2
    const { code, result } = await resume('more', '--max-budget-usd', String(usd))
    expect([code, result.terminal_reason]).toEqual([4, 'budget_exhausted'])
    expect((await requests()).length).toBe(before)
  })
})

/** Cut off where the agent had just been given the report of the other one. */
async function cutOff(run: RunLimits) {
  const { cwd, resume } = await delegated(undefined, run)
  const lines = transcriptOf(cwd)
    .split('\n')
    .slice(0, linesOf(cwd).findLastIndex(({ kind }) => kind === 'tool_end') + 1)
  writeFileSync(join(runFolder(cwd), 'transcript.jsonl'), `${lines.join('\n')}\n`)
  return resume
}

describe('the limits of the tree in a run that goes on', () => {
  test.each<[string, RunLimits, string]>([
    ['turns', { turns: 2 }, 'max_turns'],
    ['turns', { turns: 3 }, 'completed'],
    // The report has six characters, the answer four.
    ['characters', { outputChars: 10 }, 'output_limit'],
    ['characters', { outputChars: 11 }, 'completed'],
  ])('count the %s of the agents below: with %o it ends with %s', async (_, run, reason) => {
    const { result } = await (await cutOff(run))()
    expect(result.terminal_reason).toBe(reason)
  })

  test('leave so many turns for what is asked next as for what was asked first', async () => {
    const resume = await cutOff({ turns: 1 })
    expect((await resume('more', '--max-turns', '1')).result).toMatchObject({ terminal_reason: 'completed', result: 'done' })
  })
})

describe('how many agents were started', () => {
  test.each([
    [1, 0],
    [2, 1],
  ])('is known of a run that goes on: with a limit of %d it may start %d more', async (most, more) => {
    const { cwd, resume } = await delegated(most)
    const sides = () => readdirSync(join(runFolder(cwd), 'agents')).length
    expect(sides()).toBe(1)
    await resume('start another')
    expect(sides()).toBe(1 + more)
  })
})

test('an agent that a message woke counts as one more, also when the run is gone on with', async () => {
  const agent = (id: string) => ({ content: [call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper', ...LATER }, id)] })
  const more = { content: [call('SendMessage', { to: 'Bob', message: 'more' })] }
  const waiting = { text: 'waiting' }
  const { url } = await fakeApi({
    rules: [
      { when: { system: 'You are lead' }, turns: [agent('toolu_1'), waiting, more, waiting, waiting, agent('toolu_2'), { text: 'done' }] },
      { when: { system: 'You are helper' }, respond: { text: 'report' } },
    ],
  })
  const limits = { spawnDepth: 2, parallelReads: 10, resultChars: 30_000, run: { agents: 2 } }
  const manifest = manifestText({ lead: { tools: ['Agent', 'SendMessage'] }, helper: {} }, { limits })
  const cwd = await folder()
  await resultOf(['lead', 'go'], { cwd, url, manifest })
  await resultOf(['--resume', runId(cwd), 'start another'], { cwd, url, manifest })
  const told = linesOf(cwd).flatMap((line) => (line.kind === 'tool_end' ? line.text : []))
  expect(told).toEqual([
    expect.stringContaining('was started in the background'),
    expect.stringContaining('was started in the background'),
    expect.stringContaining('The limit of agents in one run'),
  ])
  expect(readdirSync(join(runFolder(cwd), 'agents'))).toHaveLength(1)
})

test('what was denied to an agent below is said under the name of the tool, however the call spelt it', async () => {
  const agent = (name: string, subagent_type: string) => call(name, { description: 'd', prompt: 'p', subagent_type })
  const { url } = await fakeApi({
    rules: [
      { when: { system: 'You are lead' }, turns: [{ content: [agent('Agent', 'helper')] }, { text: 'done', repeat: 9 }] },
      { when: { system: 'You are helper' }, turns: [{ content: [agent('Task', 'third')] }, { text: 'report' }] },
    ],
  })
  const parts = { limits: { spawnDepth: 3, parallelReads: 10, resultChars: 30_000 } }
  const manifest = manifestText({ lead: { tools: ['Agent'] }, helper: { tools: ['Agent'], deny: [{ tool: 'Agent' }] }, third: {} }, parts)
  const cwd = await folder()
  const first = await resultOf(['lead', 'go'], { cwd, url, manifest })
  expect(first.result.permission_denials).toMatchObject([{ tool_name: 'Agent', agent: 'helper' }])
  const second = await resultOf(['--resume', runId(cwd), 'more'], { cwd, url, manifest })
  expect(second.result.permission_denials).toEqual(first.result.permission_denials)
})

test('what was denied to an agent below is still said of a run that goes on', async () => {
  const begin = call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper' })
  const write = { ...call('Write', { file_path: 'a.txt', content: 'a' }), id: 'toolu_write' }
  const { url } = await fakeApi({
    rules: [
      { when: { system: 'You are lead' }, turns: [{ content: [begin] }, { text: 'done', repeat: 9 }] },
      { when: { system: 'You are helper' }, turns: [{ content: [write] }, { text: 'report', repeat: 9 }] },
    ],
  })
  const agents = { lead: { tools: ['Agent'] }, helper: { tools: ['Write'] } }
  const manifest = manifestText(agents, { permissions: { allow: [], ask: [], deny: [] } })
  const cwd = await folder()
  const first = await resultOf(['lead', 'go'], { cwd, url, manifest })
  expect(first.result.permission_denials).toMatchObject([{ tool_name: 'Write', tool_use_id: 'toolu_write', agent: 'helper' }])
  const second = await resultOf(['--resume', runId(cwd), 'more'], { cwd, url, manifest })
  expect(second.result.permission_denials).toEqual(first.result.permission_denials)
  expect(second.code).toBe(first.code)
})
