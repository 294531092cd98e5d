import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunEvent } from '../../../runner/index.ts'
import type { TranscriptLine } from '../../../runner/transcript/line.ts'
import { startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, noticesOf, runToEnd } from '../stage.ts'
import { expectExactResume, goOnFrom, hashesIn, longRun, WINDOW } from './soak.ts'

test('a run of 120 turns compacts as often as it has to, and can be derived and gone on with from every line of its transcript', async () => {
  const run = await longRun(120)
  expect(run.result).toMatchObject({ terminal_reason: 'max_turns', num_turns: 120 })
  expect(run.compactions).toBeGreaterThan(1)
  expect(run.requests).toBe(120 + run.compactions)
  expect(run.longest).toBeLessThan(WINDOW * 4 * 1.5)
  const lines = readFileSync(join(run.cwd, '.agentc/runs/long/transcript.jsonl'), 'utf8').split('\n').slice(0, -1)
  const kinds = lines.map((line) => JSON.parse(line) as TranscriptLine)
  expect(kinds.filter((line) => line.kind === 'event' && line.event.subtype === 'compact_boundary')).toHaveLength(run.compactions)
  expectExactResume(
    run,
    lines
      .map((_, at) => at)
      .filter((at) => at > 0 && (at % 17 === 0 || kinds[at]!.kind === 'compact' || kinds[at - 1]!.kind === 'compact')),
  )
}, 120_000)

const SUMMARY = { when: { last_user: 'will be cut here' }, respond: { text: 'Summary of the work.' } }
const AFTERWARDS = { when: { any: 'Summary of the work' }, respond: { text: 'Done.' } }
const tool = (at: number, text = '') => ({ text, tools: [{ name: 'Glob', input: { pattern: `*.${at}` } }] })
const boundaries = (events: readonly RunEvent[]) =>
  events.filter((event) => event.type === 'system' && event.subtype === 'compact_boundary')

test('a run that is cut off anywhere, also while it compacts, goes on with the very requests that it would have sent', async () => {
  const run = await longRun(100)
  expect(run.compactions).toBeGreaterThan(0)
  const transcript = readFileSync(join(run.cwd, '.agentc/runs/long/transcript.jsonl'), 'utf8')
  const whole = hashesIn(transcript)
  const kinds = transcript
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as TranscriptLine).kind)
  const compacting = kinds.indexOf('compact')
  for (const cut of [3, compacting + 1, compacting + 2, compacting + 3, compacting + 4, compacting + 6, kinds.length - 3]) {
    expect(await goOnFrom(run, cut)).toEqual(whole)
  }
}, 120_000)

test('a summary that cannot be had is told of, and asked for again with the next turn', async () => {
  const turns = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => tool(at, 'long '.repeat(2000) + at))
  const { url } = await fakeApi({ rules: [{ ...SUMMARY, faults: [{ type: '401', times: 1 }] }, AFTERWARDS], turns })
  const start = startOf({ tools: ['Glob'], autoCompactWindow: 6000 }, 'go')
  const { result, events } = await runToEnd(start, { cwd: await folder(), url })
  expect(noticesOf(events)).toEqual([expect.stringMatching(/^the conversation could not be compacted: .*401/)])
  expect([boundaries(events).length, result.terminal_reason, result.result]).toEqual([1, 'completed', 'Done.'])
})

test('a prompt that is too long is compacted once, and the run goes on', async () => {
  const faults = [{ type: 'prompt_too_long', turn: 2, when: { last_user: '^(?!.*will be cut here)' }, times: 1 }]
  const { url, requests } = await fakeApi({ rules: [SUMMARY, AFTERWARDS], turns: [tool(1), tool(2), tool(3)], faults })
  const { result, events } = await runToEnd(startOf({ tools: ['Glob'] }, 'go'), { cwd: await folder(), url })
  expect(boundaries(events)).toMatchObject([{ compact_metadata: { trigger: 'auto', reason: 'overflow' } }])
  expect(await requests()).toHaveLength(5)
  expect([result.terminal_reason, result.result]).toEqual(['completed', 'Done.'])
})

test('a prompt that stays too long ends the run, and the summary is asked for once', async () => {
  const faults = [
    { type: 'prompt_too_long', turn: 2 },
    { type: 'prompt_too_long', when: { any: 'Summary of the work' } },
  ]
  const { url, requests } = await fakeApi({ turns: [tool(1), tool(2), tool(3)], faults })
  const { result } = await runToEnd(startOf({ tools: ['Glob'] }, 'go'), { cwd: await folder(), url })
  expect(result.terminal_reason).toBe('context_overflow')
  expect(await requests()).toHaveLength(4)
})
