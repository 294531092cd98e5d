import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashOf } from '../../schemas/canonical.ts'
import type { RecordedLine } from '../../runner/model/recording.ts'
import { firstDifference } from '../../runner/model/difference.ts'
import { RecordingFault } from '../../runner/index.ts'
import { type AgentParts, startOf } from './manifest-fixture.ts'
import { fakeApi, folder, runToEnd, stillClock } from './stage.ts'

const FILES = { 'src/a.ts': 'const a = 1\n', 'src/b.ts': 'const b = 2\n', '.gitignore': '*.log\n', 'x.log': 'const' }

/** Records a run with all three tools, in a folder that the model knows by its absolute path, with a retry in its middle. */
async function recorded(agent: AgentParts = {}) {
  const cwd = await folder(FILES)
  const turns = [
    { text: 'Looking.', tools: [{ name: 'Read', input: { file_path: join(cwd, 'src/a.ts') } }, ...searches(cwd)] },
    {
      tools: [
        { name: 'Read', input: { file_path: 'src/none.ts' } },
        { name: 'Read', input: { file_path: '/etc/passwd' } },
      ],
    },
    { text: 'Two constants.' },
  ]
  const { url, requests } = await fakeApi({ turns, faults: [{ type: 529, turn: 1, times: 1 }] })
  let text = ''
  let ms = 1000
  const clock = { ...stillClock(), now: () => (ms += 250) }
  const ran = await runToEnd(startOf(agent, 'Count.'), { cwd, url, clock, record: (line) => (text += line) })
  return { cwd, text, ran, sent: await requests() }
}

function searches(cwd: string) {
  return [
    { name: 'Grep', input: { pattern: 'const', path: cwd, output_mode: 'content' } },
    { name: 'Grep', input: { pattern: '(', path: 'src' } },
    { name: 'Glob', input: { pattern: '**/*' } },
  ]
}

function turnsOf(text: string) {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedLine)
  return lines.filter((line) => line.kind === 'turn')
}

test('a recording holds what a person has answered, and a replay asks nobody', async () => {
  const tools = [
    { name: 'Bash', input: { command: 'echo $((1+1)) > a' } },
    { name: 'Bash', input: { command: 'git init -q b' } },
    { name: 'Bash', input: { command: 'git init -q c' } },
    { name: 'AskUserQuestion', input: { question: 'Which?', options: ['x', 'y'] } },
  ]
  const { url } = await fakeApi({ turns: [{ tools }, { text: 'done' }] })
  const start = startOf({ tools: ['AskUserQuestion', 'Bash'] }, 'go', { permissions: { allow: [], ask: [], deny: [] } })
  let text = ''
  const rule = { tool: 'Bash', match: { prefix: ['git', 'init'] } }
  const ran = await runToEnd(start, {
    cwd: await folder(),
    url,
    record: (line) => (text += line),
    ask: ({ input }) =>
      Promise.resolve(String(input.command).startsWith('git') ? { allow: true, rule } : { allow: false, reason: 'I would rather not' }),
    askPerson: () => Promise.resolve({ answer: 'y' }),
  })
  expect(text.split('"kind":"answer"')).toHaveLength(4)
  const cwd = await folder()
  const replayed = await runToEnd(start, { cwd, url: 'http://127.0.0.1:9', replay: text, ask: () => expect.fail('somebody was asked') })
  expect(replayed.result).toEqual(ran.result)
  expect(replayed.result).toMatchObject({ terminal_reason: 'completed', denied: false, permission_denials: [{ tool_name: 'Bash' }] })
  expect([existsSync(join(cwd, 'a')), existsSync(join(cwd, 'c/.git'))]).toEqual([false, true])
})

test('a recording replays in another folder: equal requests, events and result, and nothing is sent', async () => {
  const { text, ran, sent } = await recorded()
  expect(ran.result).toMatchObject({ terminal_reason: 'completed', result: 'Two constants.', duration_ms: 250 })
  const elsewhere = await folder(FILES)
  let again = ''
  const replayed = await runToEnd(startOf({}, 'Count.'), { cwd: elsewhere, url: 'http://127.0.0.1:9', replay: text })
  expect(JSON.stringify(replayed.events)).toBe(JSON.stringify(ran.events))
  expect(replayed.result).toEqual(ran.result)
  expect(replayed.rest).toBe(0)
  for (const turn of turnsOf(text)) again += `${hashOf(turn.request)}\n`
  expect(again).toBe(
    turnsOf(text)
      .map((turn) => `${turn.hash}\n`)
      .join(''),
  )
  const wire = sent.map((request) => JSON.stringify({ ...request, stream: undefined }))
  expect([...new Set(wire)]).toEqual(turnsOf(text).map((turn) => JSON.stringify(turn.request)))
})

test('a replay reads the files of its own folder and fails at the result that differs', async () => {
  const { text } = await recorded()
  const elsewhere = await folder({ ...FILES, 'src/a.ts': 'const a = 3\n' })
  const { result } = await runToEnd(startOf({}, 'Count.'), { cwd: elsewhere, replay: text })
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'replay_mismatch', num_turns: 1, result: 'Looking.' })
  expect(result.errors[0]).toContain('request 2 differs from the recorded one at messages[2].content[0].content')
  expect(result.errors[0]).toContain('recorded "1\\tconst a = 1", now "1\\tconst a = 3"')
})

test('a replay with a changed description of a tool fails loudly and names the path', async () => {
  const { text } = await recorded()
  const start = startOf({}, 'Count.')
  const header = structuredClone(start.header)
  header.tools.Grep!.description = 'Searches differently.'
  const { result } = await runToEnd({ ...start, header }, { cwd: await folder(FILES), replay: text })
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'replay_mismatch', num_turns: 0 })
  expect(result.errors[0]).toContain('request 1 differs from the recorded one at tools[1].description')
})

test('a replay with another prompt names the block of the prompt', async () => {
  const { text } = await recorded()
  const { result } = await runToEnd(startOf({}, 'Count again.'), { cwd: await folder(FILES), replay: text })
  expect(result.errors[0]).toContain('at messages[0].content[1].text: recorded "Count.", now "Count again."')
})

test('a replay that asks for more than was recorded fails, and one that asks for less is noticed', async () => {
  const { text } = await recorded()
  const lines = text.trimEnd().split('\n')
  const short = lines.filter((line) => !line.includes('Two constants.')).join('\n')
  const more = await runToEnd(startOf({}, 'Count.'), { cwd: await folder(FILES), replay: short })
  expect(more.result.errors).toEqual(['the recording ends after 2 turns, and the run asks for one more'])
  const less = await runToEnd({ ...startOf({}, 'Count.'), maxTurns: 1 }, { cwd: await folder(FILES), replay: text })
  expect(less.rest).toBe(2)
})

test('no credentials are in a recording, not even when a file that is read holds them', async () => {
  const cwd = await folder({ '.env': 'ANTHROPIC_API_KEY=test-key-0123456789\n' })
  const { url } = await fakeApi({ turns: [{ tool: 'Read', input: { file_path: '.env' } }, { text: 'ok' }] })
  let text = ''
  await runToEnd(startOf({}, 'go'), { cwd, url, record: (line) => (text += line) })
  expect(text).toContain('ANTHROPIC_API_KEY=[redacted]')
  expect(text).not.toContain('test-key-0123456789')
})

test('a run that fails replays as the same failure', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'never' }], faults: [{ type: 529 }] })
  let text = ''
  const cwd = await folder()
  const ran = await runToEnd(startOf({}, 'go'), { cwd, url, record: (line) => (text += line) })
  const replayed = await runToEnd(startOf({}, 'go'), { cwd: await folder(), replay: text })
  expect(replayed.events).toEqual(ran.events)
})

test('a file that is no recording is refused with a reason', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'x'), '')
  for (const replay of ['', '{"kind":"turn"}', 'nonsense', '{"kind":"start","agentc_recording":2}']) {
    await expect(runToEnd(startOf({}, 'go'), { cwd, replay })).rejects.toBeInstanceOf(RecordingFault)
  }
})

test('the first difference is named by its path', () => {
  expect(firstDifference({ a: [1, { b: 'x' }] }, { a: [1, { b: 'y' }] })).toEqual({ path: 'a[1].b', recorded: '"x"', now: '"y"' })
  expect(firstDifference({ a: 1 }, { a: 1, 'b-c': 2 })).toEqual({ path: '["b-c"]', recorded: 'nothing', now: '2' })
  expect(firstDifference([1, 2], [1])).toEqual({ path: '[1]', recorded: '2', now: 'nothing' })
  expect(firstDifference({ a: null }, { a: {} })).toEqual({ path: 'a', recorded: 'null', now: '{}' })
  expect(firstDifference({ a: [1] }, { a: [1] })).toBeUndefined()
})
