import { expect, test } from 'vitest'
import { runs } from '../../../runner/commands/runs.ts'
import { agentcRun, outcomeOf } from '../kept.ts'
import { manifestText, pathRule } from '../manifest-fixture.ts'
import { fakeApi, folder } from '../stage.ts'

const show = (cwd: string, ...argv: string[]) => outcomeOf(runs, argv, cwd)

test('a run is shown turn by turn and call by call, with times, cost and the rule behind each decision', async () => {
  const deny = pathRule('Read', 'secret.txt')
  const manifest = manifestText({ worker: { tools: ['Read'] } }, { permissions: { allow: [], ask: [], deny: [deny] } })
  const calls = [
    { name: 'Read', input: { file_path: 'a.txt' } },
    { name: 'Read', input: { file_path: 'secret.txt' } },
  ]
  const { url } = await fakeApi({ turns: [{ text: 'Looking.', tools: calls }, { text: 'Done.' }] })
  const cwd = await folder({ 'a.txt': 'A', 'secret.txt': 'S' })
  await agentcRun(['worker', 'go'], { cwd, url, manifest })
  const [{ id }] = JSON.parse((await show(cwd, '--format', 'json')).out) as [{ id: string }]
  const { code, out } = await show(cwd, 'show', id)
  const lines = out
    .replace(/\d+(?:\.\d+)? m?s/g, 'T')
    .replace(/ +/g, ' ')
    .split('\n')
    .map((line) => line.trim())
  expect(code).toBe(0)
  expect(lines[0]).toBe(`Run ${id}: worker`)
  expect(lines[1]).toMatch(/^T T turn 1 \[\d+\+\d+ tok \$0\.\d{4}\] Looking\.$/)
  expect(lines.find((line) => line.startsWith('deny'))).toContain('by the rule Read(secret.txt) (.claude/settings.json:3)')
  expect(lines.some((line) => /^T T call Read a\.txt$/.test(line))).toBe(true)
  expect(lines.at(-2)).toBe('2 turns, 2 calls, 1 denied')
  expect(lines.some((line) => line.includes('completed'))).toBe(true)
  const { steps } = JSON.parse((await show(cwd, 'show', id, '--format', 'json')).out) as { steps: { kind: string }[] }
  expect(steps.map(({ kind }) => kind).filter((kind) => kind !== 'notice')).toEqual(['turn', 'tool', 'tool', 'turn', 'end'])
})

test('below a call stand the agents that it has started, each with its own steps', async () => {
  const manifest = manifestText({
    worker: { tools: ['Agent'] },
    helper: { tools: ['Agent', 'Read'], description: 'Helps.' },
  })
  const start = (subagent_type: string) => ({ name: 'Agent', input: { description: 'Look', prompt: 'LOOK', subagent_type } })
  const { url } = await fakeApi({
    rules: [{ when: { has_tool: 'Read' }, turns: [{ tools: [{ name: 'Read', input: { file_path: 'a.txt' } }] }, { text: 'Seen.' }] }],
    turns: [{ text: 'I let it be done.', tools: [start('helper'), start('none')] }, { text: 'Done.' }],
  })
  const cwd = await folder({ 'a.txt': 'A' })
  await agentcRun(['worker', 'go'], { cwd, url, manifest })
  const [{ id }] = JSON.parse((await show(cwd, '--format', 'json')).out) as [{ id: string }]
  const { out } = await show(cwd, 'show', id)
  const lines = out.split('\n').map((line) => line.slice(31).replace(/\[.*\] /, ''))
  const at = lines.indexOf('Agent Look')
  expect(lines.slice(at, at + 8).map((line) => line.replace(/a[0-9a-f]{12}/, 'ID'))).toEqual([
    'Agent Look',
    'allow: Agent touches nothing by itself',
    'helper (ID)',
    '│ 1 call',
    '│ Read a.txt',
    '│ allow: files of the project may be read',
    '│ Seen.',
    '│ completed',
  ])
  expect(lines.filter((line) => line.startsWith('Agent Look'))).toEqual(['Agent Look', 'Agent Look (failed)'])
  expect(out).toContain('4 turns, 3 calls, 1 agent below\n')
  const json = JSON.parse((await show(cwd, 'show', id, '--format', 'json')).out) as { started: { agent: string; started: unknown[] }[] }
  expect(json.started.map(({ agent, started }) => [agent, started])).toEqual([['helper', []]])
})

test('what is no run, and words that are none, are told', async () => {
  const cwd = await folder()
  expect(await show(cwd, 'show', 'x')).toMatchObject({ code: 1, err: expect.stringContaining('There is no run "x"') })
  expect(await show(cwd, 'shw', 'x')).toMatchObject({ code: 2 })
})
