import { describe, expect, test } from 'vitest'
import type { Clock } from '../../../runner/clock.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'
import { call, cast } from './stage.ts'

const lead = { system: 'You are lead' }
const helper = { system: 'You are helper' }
const LITTLE = { input_tokens: 10, output_tokens: 1 }
const start = (more: object = {}) => call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper', ...more })
const small = (...content: object[]) => ({ content, usage: LITTLE })

/** A lead that starts a helper with each of its turns, as long as it may. */
async function tree(
  run: object,
  work: object[],
  turns: object[] = [1, 2, 3, 4].map((at) => small(start({ prompt: `task ${at}` }))),
  more: object = {},
) {
  const limits = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run }
  const { start: root, agents, keep } = cast({ lead: { tools: ['Agent', 'SendMessage'] }, helper: { tools: ['Glob'] } }, 'go', { limits })
  const { url, requests } = await fakeApi({
    rules: [
      { when: lead, turns: [...turns, { text: 'end', usage: LITTLE }] },
      { when: helper, turns: work },
    ],
  })
  const ran = await runToEnd(root, {
    cwd: await folder(),
    url,
    agents,
    keep,
    host: process,
    ids: { session: () => 'run-of-budget' },
    ...more,
  })
  const helpers = (await requests()).filter(({ system }) => JSON.stringify(system).includes('You are helper'))
  return { ...ran, reports: toolResults(ran.events), helpers: helpers.length }
}

describe('the budget of a run', () => {
  test.each<[string, object, object]>([
    ['tokens', { tokens: 5000 }, { text: 'whole', usage: { input_tokens: 3000, output_tokens: 10 } }],
    ['dollars', { usd: 0.0008 }, { text: 'whole', usage: { input_tokens: 5000, output_tokens: 1 } }],
    ['characters', { outputChars: 500 }, { text: `whole${'.'.repeat(300)}`, usage: LITTLE }],
  ])(
    'counts the %s of children that came to their end: a later one ends where they are used up, and none is begun after it',
    async (_, run, reply) => {
      const { result, reports, helpers } = await tree(run, [reply])
      expect(reports.slice(0, 3).map(({ isError }) => isError)).toEqual([false, true, true])
      expect(reports[0]!.text).toContain('  whole')
      for (const { text } of reports.slice(1)) expect(text).toMatch(/did not finish: the (?:limit|budget) of/)
      expect(helpers).toBe(2)
      expect(result).toMatchObject({ terminal_reason: 'completed', result: 'end', subagent_stats: { completed: 1 } })
    },
  )

  test('counts their turns', async () => {
    const { result, reports, helpers } = await tree({ turns: 4 }, [{ text: 'whole', usage: LITTLE }])
    expect(reports.map(({ isError }) => isError)).toEqual([false, false])
    expect([result.terminal_reason, helpers]).toEqual(['max_turns', 2])
  })

  test('lets an agent say what it has when one below has used up all', async () => {
    const { result, reports, helpers } = await tree({ tokens: 4000 }, [{ text: 'PART', usage: { input_tokens: 9000, output_tokens: 1 } }])
    expect(reports[0]).toMatchObject({ isError: true, text: expect.stringContaining('did not finish: the limit of') })
    expect([result.terminal_reason, result.result, helpers]).toEqual(['completed', 'end', 1])
  })

  test('counts what a child that is gone on with has used since, and not once more what it had used before', async () => {
    const turns = [
      small(start({ name: 'Bob', run_in_background: true })),
      { text: 'waiting', usage: LITTLE },
      small(call('SendMessage', { to: 'Bob', message: 'more' })),
      { text: 'waiting', usage: LITTLE },
    ]
    const work = [1, 2].map((at) => ({ text: `report ${at}`, usage: { input_tokens: 3000, output_tokens: 10 } }))
    const { result, helpers } = await tree({ tokens: 8000 }, work, turns)
    expect([result.terminal_reason, result.result, helpers]).toEqual(['completed', 'end', 2])
    const used = Object.values(result.modelUsage).reduce((sum, use) => sum + use.inputTokens, 0)
    expect(used).toBe(6000 + 5 * LITTLE.input_tokens)
  })

  test('has one clock: a child whose time is over gives what it had said so far, and the run is told and ends', async () => {
    let ms = 0
    const clock: Clock = {
      now: () => (ms += 250),
      sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
    }
    const work = [{ content: [{ type: 'text', text: 'PART' }, call('Glob', { pattern: '*' })], usage: LITTLE, repeat: 40 }]
    const { result, reports, helpers } = await tree({ seconds: 5 }, work, undefined, { clock })
    expect(result.terminal_reason).toBe('timeout')
    expect(reports[0]).toMatchObject({ isError: true, text: expect.stringMatching(/did not finish: .*the time of [\d.]+ seconds/) })
    expect(reports[0]!.text).toContain('  PART')
    expect(helpers).toBeLessThan(20)
  })

  test('has so many agents, those below others included, and who asks for one more is told to do the work', async () => {
    const { result, reports } = await tree({ agents: 2 }, [{ text: 'whole', usage: LITTLE }], [{ ...small(start()), repeat: 3 }])
    expect(reports.map(({ isError }) => isError)).toEqual([false, false, true])
    expect(reports[2]!.text).toContain('limits.run.agents')
    expect(result.terminal_reason).toBe('completed')
  })
})
