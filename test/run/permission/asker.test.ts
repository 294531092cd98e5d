import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { terminalAsk, terminalPerson } from '../../../runner/permission/asker.ts'
import { nobody } from '../../../runner/permission/decide.ts'

function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.setEncoding('utf8').on('data', (text: string) => (shown += text))
  return { input, output, shown: () => shown }
}

const signal = new AbortController().signal
const asked = { tool: 'Bash', input: { command: 'npm test' }, files: [], search: false }

test.each([
  ['y', { allow: true }, []],
  ['a', { allow: true }, ['Bash(npm test:*)']],
  ['n', { allow: false, reason: 'no rule allows it, and the person did not allow it' }, []],
  ['', { allow: false, reason: 'no rule allows it, and the person did not allow it' }, []],
])('the answer %j', async (answer, decision, rules) => {
  const at = terminal()
  const kept: string[] = []
  at.input.write(`${answer}\n`)
  expect(await terminalAsk(at, (rule) => kept.push(rule))(asked, 'no rule allows it', signal, 'Bash(npm test:*)')).toEqual(decision)
  expect(kept).toEqual(rules)
  expect(at.shown()).toContain('  a  allow it from now on, by the rule Bash(npm test:*)\n')
})

test('without a rule to add, that answer is not offered and means no', async () => {
  const at = terminal()
  at.input.write('a\n')
  expect((await terminalAsk(at, () => {})(asked, 'x', signal)).allow).toBe(false)
  expect(at.shown()).not.toContain('from now on')
})

test('an input that ends, and a run that is interrupted, are a no', async () => {
  const at = terminal()
  at.input.end()
  expect(await terminalAsk(at)(asked, 'x', signal)).toEqual({ allow: false, reason: 'x, and nobody answered' })
  const stop = new AbortController()
  const waiting = terminalAsk(terminal())(asked, 'x', stop.signal)
  stop.abort()
  expect((await waiting).allow).toBe(false)
})

test('a command cannot hide a part of itself from the person', async () => {
  const at = terminal()
  at.input.write('n\n')
  await terminalAsk(at)({ ...asked, input: { command: 'ls\r\u001b[2Krm -rf x\u202e' } }, 'x', signal)
  expect(at.shown()).not.toMatch(/[\r\u001b\u202e]/)
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
  expect(await nobody(asked, 'no rule allows it', signal, 'Bash(npm test:*)')).toEqual({
    allow: false,
    reason: 'no rule allows it, and nobody can be asked here; the rule Bash(npm test:*) would allow it',
  })
})
