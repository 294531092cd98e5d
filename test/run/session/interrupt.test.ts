import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { withArgument } from '../../support/processes.ts'
import { atPty, bash, CTRL_C, CTRL_D, ENDLESS, ENTER, lastTexts, runOf, talk, type Talk, verified } from './talk.ts'

atPty('Ctrl-C interrupts a reply that is arriving, and the conversation goes on with what had arrived', async () => {
  const { at, cwd, api, enters, says } = await talk({ turns: [ENDLESS, { text: 'Better.' }], options: { chunk: 4 } })
  enters('one')
  await at.sees('A long answer')
  at.types(CTRL_C)
  await at.sees('interrupted')
  await at.sees('> ')
  await says('two', 'Better.')
  at.types(CTRL_D)
  expect((await at.ended).code).toBe(0)
  expect(await lastTexts(api)).toEqual(['one', expect.stringMatching(/^A long answer/) as string, '[Request interrupted by user]', 'two'])
  expect(await verified(cwd)).toContain('2 requests are as recorded')
})

atPty('Ctrl-C ends a command that is running, with all it has started, and the conversation goes on', async () => {
  const mark = `agentc-talk-${process.pid}`
  const files = { '.claude/settings.json': JSON.stringify({ permissions: { allow: ['Bash'] } }) }
  const slow = bash(`exec -a ${mark} sleep 300`)
  const { at, cwd, api, enters, says } = await talk({ turns: [slow, { text: 'Well.' }] }, { files, argv: ['run', 'worker', '--trust'] })
  enters('one')
  while (withArgument(mark).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  at.types(CTRL_C)
  await at.sees('interrupted')
  await at.sees('> ')
  expect(withArgument(mark).length).toBe(0)
  await says('two', 'Well.')
  at.types(CTRL_D)
  expect((await at.ended).code).toBe(0)
  expect(JSON.stringify((await api.requests()).at(-1)!.messages)).toContain('The run was interrupted, and the command was ended')
  expect(await verified(cwd)).toContain('2 requests are as recorded')
})

atPty('the person allows and denies calls in the conversation; what was typed before the question is no answer to it', async () => {
  const turns = [{ ...bash('mkdir one'), delay_ms: 1500 }, { text: 'Made.' }, bash('mkdir two'), { text: 'Not made.' }, { text: 'Yes?' }]
  const { at, cwd, api, enters } = await talk({ turns })
  enters('make it')
  await at.sees('waiting for the model')
  at.types(`y${ENTER}an`)
  await at.sees('n  do not allow it')
  await at.sees('> ')
  expect(existsSync(join(cwd, 'one'))).toBe(false)
  enters('y')
  await at.sees('Made.')
  await at.sees('> y')
  await at.sees('mkdir two')
  await at.sees('n  do not allow it')
  await at.sees('> ')
  enters('n')
  await at.sees('Not made.')
  await at.sees('> an')
  at.types(`d${ENTER}`)
  await at.sees('Yes?')
  expect([existsSync(join(cwd, 'one')), existsSync(join(cwd, 'two'))]).toEqual([true, false])
  expect((await lastTexts(api)).filter((text) => text !== 'tool_use' && text !== 'tool_result')).toEqual([
    'make it',
    'Made.',
    'y',
    'Not made.',
    'and',
  ])
})

atPty('Ctrl-C while a question is open denies the call and interrupts the work, not the conversation', async () => {
  const { at, cwd, enters, says } = await talk({ turns: [bash('mkdir one'), { text: 'Well.' }] })
  await says('one', 'n  do not allow it')
  at.types(CTRL_C)
  await at.sees('interrupted')
  await at.sees('> ')
  enters('two')
  await at.sees('Well.')
  expect(existsSync(join(cwd, 'one'))).toBe(false)
})

atPty('at an empty prompt Ctrl-C says what a second one does, and the second ends the conversation with success', async () => {
  const { at } = await talk({ turns: [] })
  at.types(`something${CTRL_C}`)
  await at.sees('> ')
  at.types(CTRL_C)
  await at.sees('Ctrl-C once more, or Ctrl-D, ends the conversation.')
  await at.sees('> ')
  at.types(CTRL_C)
  expect((await at.ended).code).toBe(0)
})

atPty('Ctrl-D while the agent is at work ends the conversation when it is done', async () => {
  const { at, enters } = await talk({ turns: [{ text: 'Done.', delay_ms: 500 }] })
  enters('one')
  await at.sees('waiting for the model')
  at.types(CTRL_D)
  await at.sees('Done.')
  expect((await at.ended).code).toBe(0)
})

const ENDINGS: [name: string, code: number, end: (talk: Talk) => void | Promise<void>][] = [
  ['Ctrl-D', 0, ({ at }) => at.types(CTRL_D)],
  ['/exit', 0, ({ enters }) => enters('/exit')],
  ['Ctrl-C twice', 0, ({ at }) => at.types(CTRL_C + CTRL_C)],
  [
    'Ctrl-C again and again while a call does not end',
    130,
    async ({ at, enters }) => {
      enters('one')
      await at.sees('waiting')
      at.types(CTRL_C + CTRL_C + CTRL_C)
    },
  ],
  ['SIGTERM', 143, ({ cwd }) => signalled(cwd, 'SIGTERM')],
  [
    'SIGHUP while the agent is at work',
    129,
    async ({ at, enters, cwd }) => {
      enters('one')
      await at.sees('waiting')
      signalled(cwd, 'SIGHUP')
    },
  ],
]

/** Signals the program that writes the run. */
function signalled(cwd: string, signal: NodeJS.Signals): void {
  const lock = readFileSync(join(cwd, '.agentc/runs', runOf(cwd), 'lock'), 'utf8')
  process.kill(Number(lock.split(' ')[0]), signal)
}

for (const [name, code, end] of ENDINGS) {
  atPty(`the terminal is left as it was found after ${name}`, async () => {
    const script = (command: string) => `stty -a >before; ${command}; code=$?; stty -a >after; exit $code`
    const talking = await talk({ turns: [{ text: 'x', fault: { type: 'hang' } }] }, { script })
    await end(talking)
    const { code: came, shown } = await talking.at.ended
    expect(came).toBe(code)
    expect(readFileSync(join(talking.cwd, 'after'), 'utf8')).toBe(readFileSync(join(talking.cwd, 'before'), 'utf8'))
    expect(shown.lastIndexOf('\u001B[?2004l')).toBeGreaterThan(shown.lastIndexOf('\u001B[?2004h'))
  })
}

for (const [where, begin] of [
  ['at the prompt', async () => {}],
  ['while the agent is at work', async ({ enters, at }) => (enters('one'), void (await at.sees('waiting')))],
] satisfies [string, (talk: Talk) => Promise<void>][]) {
  atPty(`a terminal that is taken away ${where} ends the run, which says so in its transcript`, async () => {
    const talking = await talk({ turns: [{ text: 'x', fault: { type: 'hang' } }] })
    await begin(talking)
    const folder = join(talking.cwd, '.agentc/runs', runOf(talking.cwd))
    const pid = Number(readFileSync(join(folder, 'lock'), 'utf8').split(' ')[0])
    talking.at.closes()
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 20_000, interval: 20 })
    const last = readFileSync(join(folder, 'transcript.jsonl'), 'utf8').trimEnd().split('\n').at(-1)!
    expect(JSON.parse(last)).toMatchObject({ kind: 'end' })
  })
}
