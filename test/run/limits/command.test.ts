import { expect, test } from 'vitest'
import { agentcRun, resultOf } from '../kept.ts'
import { manifestText } from '../manifest-fixture.ts'
import { fakeApi, folder } from '../stage.ts'

const same = [{ tool: 'Glob', input: { pattern: '*.txt' }, repeat: 9 }]
const limits = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { tokens: 40 }, most: { usd: 0.5 } }
const manifest = manifestText({ worker: { tools: ['Glob'] } }, { limits })

test('a model that goes in a circle is warned, and then the run ends with what it has', async () => {
  const { url, requests } = await fakeApi({ turns: same })
  const { code, result } = await resultOf(['worker', 'go'], { cwd: await folder(), url })
  expect([code, result.terminal_reason, result.num_turns]).toEqual([1, 'loop', 4])
  expect(result.errors).toEqual(['the same call was made 4 times in a row, although the model had been warned'])
  expect(JSON.stringify((await requests()).at(-1)!.messages.at(-1))).toContain('[agentc: This same call was made 3 times in a row.')
})

test('limits of the project hold, flags win over them, and policy over both', async () => {
  const { url } = await fakeApi({ turns: [{ tool: 'Glob', input: { pattern: 'a' } }, { text: 'Done.' }] })
  const cwd = await folder()
  const limited = await resultOf(['worker', 'go'], { cwd, url, manifest })
  expect([limited.code, limited.result.terminal_reason]).toEqual([4, 'token_limit'])
  expect((await resultOf(['worker', 'go', '--max-tokens', '1000000'], { cwd, url, manifest })).code).toBe(0)
  const beyond = await agentcRun(['worker', 'go', '--max-budget-usd', '2'], { cwd, url, manifest })
  expect([beyond.code, beyond.stderr]).toEqual([2, 'agentc: Policy limits a run to 0.5 US dollars; --max-budget-usd 2 would be more.\n'])
})

test.each([
  ['--max-tokens', '0'],
  ['--max-seconds', 'soon'],
  ['--max-output-chars', '1.5'],
  ['--compact-at', '-1'],
])('%s %s is wrong usage', async (flag, value) => {
  const { code, stderr } = await agentcRun(['worker', 'go', `${flag}=${value}`], { cwd: await folder(), manifest })
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${flag} wants a`)])
})

test('a run that was out of time is replayed to the same end, without any waiting', async () => {
  const slow = {
    turns: [{ tool: 'Glob', input: { pattern: 'a' } }, { text: 'x'.repeat(400) }],
    options: { event_delay_ms: 0 },
    faults: [{ type: 'hang_mid', turn: 1 }],
  }
  const { url } = await fakeApi(slow)
  const cwd = await folder()
  const first = await resultOf(['worker', 'go', '--max-seconds', '1', '--record', 'run.jsonl'], { cwd, url })
  const again = await resultOf(['worker', 'go', '--max-seconds', '1', '--replay', 'run.jsonl'], { cwd })
  expect([first.code, first.result.terminal_reason]).toEqual([124, 'timeout'])
  expect([again.code, again.result.terminal_reason, again.result.result]).toEqual([124, 'timeout', first.result.result])
})

test('a run that was compacted is replayed, with the counts of tokens that the API gave', async () => {
  const rules = [{ when: { last_user: 'will be cut here' }, respond: { text: 'Summary.' } }]
  const turns = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => ({
    text: 'long '.repeat(1000) + at,
    tools: [{ name: 'Glob', input: { pattern: `*.${at}` } }],
  }))
  const { url, log } = await fakeApi({ rules, turns })
  const cwd = await folder()
  const argv = ['worker', 'go', '--compact-at', '5000', '--max-turns', '8']
  const first = await resultOf([...argv, '--record', 'run.jsonl'], { cwd, url })
  const counts = (await log()).filter((line) => (line as unknown as { path: string }).path === '/v1/messages/count_tokens')
  expect([first.result.terminal_reason, counts.length > 0]).toEqual(['max_turns', true])
  const again = await resultOf([...argv, '--replay', 'run.jsonl'], { cwd })
  expect([again.code, again.result.usage, again.result.result]).toEqual([first.code, first.result.usage, first.result.result])
})
