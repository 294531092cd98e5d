import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { terminalAsk, terminalPerson } from '../../../runner/permission/asker.ts'
import { nobody } from '../../../runner/permission/decide.ts'
import { lineTerminal } from '../../../runner/permission/terminal.ts'

function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.setEncoding('utf8').on('data', (text: string) => (shown += text))
  return { input, ...lineTerminal({ input, output }), shown: () => shown }
}

const signal = new AbortController().signal
const asked = { tool: 'Bash', input: { command: 'npm test' }, files: [], search: false }
const would = { tool: 'Bash', match: { prefix: ['npm', 'test'] } }
const not = { allow: false, reason: 'no rule allows it, and the person did not allow it' }

test.each([
  ['y', { allow: true }],
  ['YES ', { allow: true }],
  ['a', { allow: true, rule: would }],
  ['n', not],
  ['', not],
  ['yep', not],
])('the answer %j', async (answer, decision) => {
  const at = terminal()
  at.input.write(`${answer}\n`)
  expect(await terminalAsk(at)(asked, 'no rule allows it', signal, { would })).toEqual(decision)
  expect(at.shown()).toBe(
    [
      'Bash npm test',
      '  no rule allows it.',
      '  y  allow it this once',
      '  a  allow it from now on in this run, by the rule Bash(npm test:*)',
      '  n  do not allow it',
      '> ',
    ].join('\n'),
  )
})

test('without a rule to add, that answer is not offered and means no', async () => {
  const at = terminal()
  at.input.write('a\n')
  expect((await terminalAsk(at)(asked, 'x', signal)).allow).toBe(false)
  expect(at.shown()).not.toContain('from now on')
})

test('an input that has ended or ends, and a run that is interrupted, are a no of nobody', async () => {
  const none = { allow: false, reason: 'x, and nobody answered', nobody: true }
  const at = terminal()
  at.input.end()
  expect(await terminalAsk(at)(asked, 'x', signal)).toEqual(none)
  expect(await terminalAsk(at)(asked, 'x', signal)).toEqual(none)
  const stop = new AbortController()
  const waiting = terminalAsk(terminal())(asked, 'x', stop.signal)
  stop.abort()
  expect(await waiting).toEqual(none)
})

test('the person sees all that is called, by whom, and every other member of the input up to a length', async () => {
  const at = terminal()
  at.input.write('n\n')
  const input = { file_path: 'a.txt', old_string: 'one\ntwo', new_string: 'x'.repeat(700), replace_all: true }
  await terminalAsk(at)({ ...asked, tool: 'Edit', input }, 'x', signal, { agents: ['helper', 'lead'] })
  expect(at.shown()).toContain(
    `Edit a.txt  (the agent helper of lead)\n  old_string: one\n  two\n  new_string: ${'x'.repeat(600)}… (100 more characters)\n  replace_all: true\n`,
  )
})

test('a command cannot hide a part of itself from the person, nor can the name of an agent or a plan', async () => {
  const at = terminal()
  at.input.write('n\n')
  const evil = 'ls\r\u001b[2Krm -rf x\u202e'
  await terminalAsk(at)({ ...asked, input: { command: evil, [evil]: evil } }, evil, signal, { agents: [evil] })
  at.input.write('n\n')
  await terminalAsk(at)({ ...asked, tool: 'ExitPlanMode', input: { plan: evil } }, 'x', signal)
  at.input.write('n\n')
  await terminalPerson(at)({ text: evil, options: [evil] }, signal)
  expect(at.shown()).not.toMatch(/[\r\u001b\u202e]/)
})

test('a plan is shown whole, and only a yes to it carries it out', async () => {
  const at = terminal()
  const plan = { ...asked, tool: 'ExitPlanMode', input: { plan: '1. look\n2. write' } }
  at.input.write('y\n')
  expect(await terminalAsk(at)(plan, 'x', signal)).toEqual({ allow: true })
  expect(at.shown()).toContain('presents this plan:\n\n1. look\n2. write\n\nIs it')
  at.input.write('n\n')
  expect(await terminalAsk(at)(plan, 'x', signal)).toEqual({ allow: false, reason: 'the person wants it to be planned further' })
  at.input.end()
  expect(await terminalAsk(at)(plan, 'x', signal)).toMatchObject({ allow: false, nobody: true })
})

test('questions wait for one another, and what else is shown waits for them', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const said: string[] = []
  output.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const at = lineTerminal({ input, output }, async (work) => {
    said.push('held')
    return work().finally(() => said.push('free'))
  })
  const answers = [at.ask('one? ', signal), at.ask('two? ', signal)]
  await new Promise((resolve) => setImmediate(resolve))
  expect(said).toEqual(['held', 'one? '])
  input.write('1\n')
  expect(await answers[0]).toBe('1')
  await new Promise((resolve) => setImmediate(resolve))
  input.write('2\n')
  expect(await answers[1]).toBe('2')
  expect(said).toEqual(['held', 'one? ', 'free', 'held', 'two? ', 'free'])
})

test('a question with options takes the number of one of them only', async () => {
  const at = terminal()
  const person = terminalPerson(at)
  at.input.write('2\n')
  expect(await person({ text: 'Which?', options: ['a', 'b'] }, signal)).toEqual({ answer: 'b' })
  at.input.write('7\n')
  expect(await person({ text: 'Which?', options: ['a', 'b'] }, signal)).toEqual({ nobody: true })
})

test('where there is nobody, the denial names the rule that would allow the call', async () => {
  expect(await nobody(asked, 'no rule allows it', signal, { would })).toEqual({
    allow: false,
    reason: 'no rule allows it, and nobody can be asked here; the rule Bash(npm test:*) would allow it',
    nobody: true,
  })
})
