import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunResult } from '../../../runner/index.ts'
import { agentc, agents, project } from '../../support/bin.ts'
import { atTerminal, HAS_PTY, type Sitting } from '../../support/pty.ts'
import { screenOf } from '../../support/screen.ts'
import { type FakeApi, fakeApi } from '../stage.ts'

const atPty = HAS_PTY ? test : test.skip

const bash = (command: string) => ({ tool: 'Bash', input: { command } })
const write = (file_path: string) => ({ tool: 'Write', input: { file_path, content: 'x\n' } })

async function sitting(
  script: unknown,
  files: Record<string, string>,
  ...argv: string[]
): Promise<{ at: Sitting; cwd: string; api: FakeApi }> {
  const api = await fakeApi(Array.isArray(script) ? { turns: script } : script)
  const cwd = project(files)
  const env = { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: api.url }
  return { at: atTerminal(['run', ...argv], { cwd, env }), cwd, api }
}

const WORKER = agents({ worker: ['tools: Bash, Write, AskUserQuestion'] })
const results = async (api: FakeApi) => JSON.stringify((await api.requests()).at(-1)!.messages)

atPty(
  'a person allows once, from now on, and not at all; the question says what is called, why it is asked and what would be added',
  async () => {
    const turns = [
      bash('mkdir one'),
      bash('mkdir two'),
      bash('git init -q a'),
      bash('git init -q b'),
      write('src/x.txt'),
      { text: 'All done.' },
    ]
    const { at, cwd, api } = await sitting(turns, WORKER, 'worker', 'go')
    const first = await at.sees('> ')
    expect(first).toContain(
      'Bash mkdir one\r\n  no rule allows `mkdir one`.\r\n  y  allow it this once\r\n' +
        '  a  allow it from now on in this run, by the rule Bash(mkdir one)\r\n  n  do not allow it\r\n> ',
    )
    at.types('y\n')
    await at.sees('Bash mkdir two')
    await at.sees('> ')
    expect(existsSync(join(cwd, 'one'))).toBe(true)
    at.types('n\n')
    await at.sees('by the rule Bash(git init:*)')
    await at.sees('> ')
    at.types('a\n')
    await at.sees('Write src/x.txt')
    const asked = await at.sees('> ')
    expect(asked).toContain('content: x')
    at.types('y\n')
    const { code, shown } = await at.ended
    expect(code).toBe(0)
    expect(['one', 'two', 'a/.git', 'b/.git', 'src/x.txt'].map((path) => existsSync(join(cwd, path)))).toEqual([
      true,
      false,
      true,
      true,
      true,
    ])
    expect(shown).toContain('agentc: denied calls: Bash')
    expect(await results(api)).toContain('and the person did not allow it')
  },
)

atPty('a rule that wants a person to be asked is named with its place, and cannot be allowed from now on', async () => {
  const settings = { '.claude/settings.json': '{\n  "permissions": { "ask": ["Bash(mkdir:*)"] }\n}\n' }
  const { at, cwd } = await sitting([bash('mkdir one'), { text: 'ok' }], { ...WORKER, ...settings }, 'worker', 'go')
  const asked = await at.sees('> ')
  expect(asked).toContain('the rule Bash(mkdir:*) (.claude/settings.json:2) wants a person to be asked.')
  expect(asked).not.toContain('from now on')
  at.types('y\n')
  expect((await at.ended).code).toBe(0)
  expect(existsSync(join(cwd, 'one'))).toBe(true)
})

/** The lines of a terminal: what was written over is gone. */
const lines = async (shown: string): Promise<string[]> => (await screenOf(shown, 80, 60)).rows

atPty('the status line is taken away before a question, and comes back after the answer', async () => {
  const { at } = await sitting([bash('mkdir one'), { text: 'Once more.', ...bash('mkdir two') }, { text: 'ok' }], WORKER, 'worker', 'go')
  const first = await at.sees('> ')
  expect(first).toContain('waiting for the model')
  expect((await lines(first)).slice(1, 3)).toEqual(['Bash mkdir one', '  no rule allows `mkdir one`.'])
  expect(first.endsWith('\r\n> ')).toBe(true)
  at.types('y\n')
  await at.sees('Once more.')
  const second = await at.sees('> ')
  expect(second).toContain('turn 1')
  expect((await lines(second)).slice(-7, -4)).toEqual(['Once more.', 'Bash mkdir two', '  no rule allows `mkdir two`.'])
  at.types('y\n')
  const { code, shown } = await at.ended
  expect(code).toBe(0)
  expect(await lines(shown)).toContain('  Bash mkdir two')
})

atPty('a question of the agent is answered, and a plan is carried out only after a yes', async () => {
  const turns = [
    { tool: 'AskUserQuestion', input: { question: 'Which colour?', options: ['red', 'blue'] } },
    { tool: 'ExitPlanMode', input: { plan: '1. paint' } },
    { tool: 'ExitPlanMode', input: { plan: '1. paint it\n2. blue' } },
    write('a.txt'),
    { text: 'Painted.' },
  ]
  const painter = agents({ painter: ['tools: AskUserQuestion, ExitPlanMode, Write', 'permissionMode: plan'] })
  const { at, cwd, api } = await sitting(turns, painter, 'painter', 'go')
  await at.sees('Which colour?\r\n  1  red\r\n  2  blue\r\n> ')
  at.types('2\n')
  await at.sees('1. paint\r\n\r\nIs it to be carried out?\r\n  y  carry it out\r\n  n  keep planning\r\n> ')
  at.types('n\n')
  await at.sees('2. blue\r\n\r\nIs it to be carried out?')
  await at.sees('> ')
  at.types('y\n')
  await at.sees('Write a.txt')
  await at.sees('> ')
  at.types('y\n')
  expect((await at.ended).code).toBe(0)
  expect(existsSync(join(cwd, 'a.txt'))).toBe(true)
  const said = await results(api)
  for (const part of ['The person answers: blue', 'planned further', 'The person approves the plan']) expect(said).toContain(part)
})

atPty('what agents below want is asked with their names, and an answer for the rest of the run holds for those that wait', async () => {
  const call = (prompt: string) => ({ name: 'Agent', input: { description: 'd', prompt, subagent_type: 'helper' } })
  const helpers = ['left', 'right'].map((side) => ({
    when: { system: 'You are helper', last_user: side },
    turns: [bash(`git init -q ${side}`), { text: `${side} is done` }],
  }))
  const script = { rules: helpers, turns: [{ tools: [call('left'), call('right')] }, { text: 'Both are done.' }] }
  const { at, cwd } = await sitting(script, agents({ lead: ['tools: Agent'], helper: ['tools: Bash'] }), 'lead', 'go')
  const asked = await at.sees('> ')
  expect(asked).toMatch(/Bash git init -q (?:left|right)  \(the agent helper\)\r\n/)
  at.types('a\n')
  const { code, shown } = await at.ended
  expect(code).toBe(0)
  expect(shown.split('do not allow it')).toHaveLength(2)
  expect([existsSync(join(cwd, 'left/.git')), existsSync(join(cwd, 'right/.git'))]).toEqual([true, true])
})

atPty('an interruption while a person is asked ends the run, and nothing was allowed', async () => {
  const { at, cwd } = await sitting([bash('mkdir one'), { text: 'ok' }], WORKER, 'worker', 'go')
  await at.sees('> ')
  at.types('\u0003')
  expect((await at.ended).code).toBe(130)
  expect(existsSync(join(cwd, 'one'))).toBe(false)
})

test('without a terminal nobody is waited for: the call is denied at once and listed, an agent below included, and the exit code says so', async () => {
  const call = { name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'helper' } }
  const helper = { when: { system: 'You are helper' }, turns: [bash('mkdir one'), { text: 'I could not.' }] }
  const question = { name: 'AskUserQuestion', input: { question: 'Which?' } }
  const { url } = await fakeApi({ rules: [helper], turns: [{ tools: [question, call] }, { text: 'ok' }] })
  const cwd = project(agents({ lead: ['tools: Agent, AskUserQuestion'], helper: ['tools: Bash'] }))
  const env = { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: url }
  const { code, out, err } = await agentc(['run', 'lead', 'go', '--format', 'json'], { cwd, env })
  const { permission_denials: denials, denied } = JSON.parse(out) as RunResult
  expect([code, denied, err]).toEqual([5, true, ''])
  expect(denials).toMatchObject([
    { tool_name: 'AskUserQuestion', tool_input: { question: 'Which?' } },
    { tool_name: 'Bash', tool_input: { command: 'mkdir one' }, agent: 'helper' },
  ])
  expect(denials[1]!.reason).toContain('nobody can be asked here; the rule Bash(mkdir one) would allow it')
})
