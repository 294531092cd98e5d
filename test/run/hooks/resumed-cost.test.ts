import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { timelineOf } from '../../../runner/timeline/timeline.ts'
import { historyOf } from '../../../runner/transcript/history.ts'
import { readTranscript } from '../../../runner/transcript/read.ts'
import { readManifest } from '../../../schemas/manifest.ts'
import { linesOf, resultOf, runFolder, runId, transcriptOf } from '../kept.ts'
import { manifestText } from '../manifest-fixture.ts'
import { call, cast } from '../delegation/stage.ts'
import { fakeApi, folder, runToEnd } from '../stage.ts'
import { on } from './stage.ts'

const JUDGE = 'claude-haiku-5-5'
const VERDICT = { text: '{"ok": true}', usage: { input_tokens: 4000, output_tokens: 10 } }
const read = { type: 'tool_use', name: 'Read', input: { file_path: 'a.txt' } }

/** A run whose prompt and call are judged by a model, and which `--resume` then goes on with. */
async function judged(hooks = { ...on('UserPromptSubmit', asks), ...on('PreToolUse', asks) }) {
  const { url, requests } = await fakeApi({
    rules: [
      { when: { system: 'You are worker' }, turns: [{ content: [read] }, { text: 'done' }, { text: 'more' }] },
      { when: { system: 'You check one event' }, respond: VERDICT },
    ],
  })
  const manifest = manifestText({ worker: { tools: ['Read'], model: 'claude-sonnet-5-5' } }, { hooks })
  const cwd = await folder({ 'a.txt': 'A' })
  const stage = { cwd, url, manifest }
  const first = await resultOf(['worker', 'go', '--trust'], stage)
  const id = runId(cwd)
  const history = () => historyOf(readTranscript(transcriptOf(cwd)), readManifest(manifest))
  return { first: first.result, cwd, history, requests, resume: (...argv: string[]) => resultOf(['--resume', id, ...argv], stage) }
}

const asks = { type: 'prompt' as const, prompt: 'Fine?' }

/** Cuts the transcript right behind the last line that fits, as a kill would. */
function cutBehind(cwd: string, fits: (line: { kind: string }) => boolean): void {
  const last = linesOf(cwd).findLastIndex(fits)
  const lines = transcriptOf(cwd)
    .split('\n')
    .slice(0, last + 1)
  writeFileSync(join(runFolder(cwd), 'transcript.jsonl'), `${lines.join('\n')}\n`)
}

describe('what hooks that ask a model have cost', () => {
  test('is in the transcript, and in the account of a run that goes on', async () => {
    const { first, cwd, resume, history } = await judged()
    expect(first.modelUsage[JUDGE]).toMatchObject({ inputTokens: 8000, outputTokens: 20 })
    expect(history().hookUsage).toEqual({ [JUDGE]: first.modelUsage[JUDGE] })
    const { result } = await resume('go on')
    expect(result.modelUsage[JUDGE]).toMatchObject({ inputTokens: 12_000, outputTokens: 30 })
    expect(result.total_cost_usd).toBeGreaterThan(first.total_cost_usd!)
    expect(linesOf(cwd).filter(({ kind }) => kind === 'hook_reply')).toHaveLength(3)
    expect(history().hookUsage).toEqual({ [JUDGE]: result.modelUsage[JUDGE] })
  })

  test('is known of a run that was killed, which has told no result', async () => {
    const { cwd, resume } = await judged()
    cutBehind(cwd, ({ kind }) => kind === 'tool_end')
    const { result } = await resume()
    expect(result).toMatchObject({ terminal_reason: 'completed', num_turns: 2 })
    expect(result.modelUsage[JUDGE]).toMatchObject({ inputTokens: 8000 })
  })

  test('is spent of the budget of the run: one that has nothing left for it asks nothing more', async () => {
    const { first, resume, requests } = await judged(on('PreToolUse', asks))
    const before = (await requests()).length
    const usd = first.total_cost_usd! - first.modelUsage[JUDGE]!.costUSD! / 2
    const { code, result, stderr } = await resume('go on', '--max-budget-usd', String(usd))
    expect([code, result.terminal_reason], stderr).toEqual([4, 'budget_exhausted'])
    expect((await requests()).length).toBe(before)
  })

  test('stands among the steps of the run, which come to what the run has cost', async () => {
    const { first, cwd } = await judged()
    const steps = timelineOf(linesOf(cwd))
    expect(steps.filter(({ kind }) => kind === 'hook')).toMatchObject([
      { usage: { input_tokens: 4000 } },
      { usage: { input_tokens: 4000 } },
    ])
    const sum = steps.reduce((total, { kind, usd }) => (kind === 'end' ? total : total + (usd ?? 0)), 0)
    expect(sum).toBeCloseTo(first.total_cost_usd!, 8)
  })

  test('is counted once of an agent that is gone on with, by the budget too', async () => {
    const hooks = on('SubagentStop', asks)
    const limits = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { tokens: 11_000 } }
    const { start, agents, keep } = cast({ lead: { tools: ['Agent', 'SendMessage'] }, helper: {} }, 'go', { hooks, limits })
    const usage = { input_tokens: 10, output_tokens: 1 }
    const begin = call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper', name: 'Bob', run_in_background: true })
    const turns = [[begin], 'waiting', [call('SendMessage', { to: 'Bob', message: 'more' })], 'waiting', 'end']
    const { url } = await fakeApi({
      rules: [
        {
          when: { system: 'You are lead' },
          turns: turns.map((turn) => (typeof turn === 'string' ? { text: turn, usage } : { content: turn, usage })),
        },
        { when: { system: 'You are helper' }, respond: { text: 'report', usage } },
        { when: { system: 'You check one event' }, respond: VERDICT },
      ],
    })
    const ids = { session: () => 'run-of-resumed-cost' }
    const { result } = await runToEnd(start, { cwd: await folder(), url, agents, keep, host: process, ids })
    expect([result.terminal_reason, result.result], result.errors.join()).toEqual(['completed', 'end'])
    const used = Object.values(result.modelUsage).reduce((sum, { inputTokens }) => sum + inputTokens, 0)
    expect(used).toBe(2 * 4000 + 7 * usage.input_tokens)
  })
})
