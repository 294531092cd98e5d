import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keptHistory } from '../../../runner/session/kept-history.ts'
import { keyReader, type Typed } from '../../../runner/session/keys.ts'
import { lineEditor } from '../../../runner/session/line-editor.ts'
import { PromptHistory } from '../../../runner/session/prompt-history.ts'
import { redactor } from '../../../runner/transcript/redact.ts'
import { screenOf } from '../../support/screen.ts'
import { folder } from '../stage.ts'

const ESCAPE = '\u001B'
const joined = (typed: readonly Typed[]): string => typed.map((each) => ('keys' in each ? each.keys : `<${each.text}>`)).join('')

test.each([
  ['keys', 'ab\u001B[D\r', 'ab\u001B[D\r'],
  ['Ctrl-J alone', '\n', '<\n>'],
  ['Ctrl-J between signs', 'a\nb', 'a<\n>b'],
  ['a line that was typed before its terminal was read key by key', 'abc\n', 'abc\r'],
  ['Enter with Alt', 'a\u001B\rb', 'a<\n>b'],
  ['a paste of lines, whatever ends them', '\u001B[200~a\r\nb\rc\nd\u001B[201~\r', '<a\nb\nc\nd>\r'],
  ['a paste that would steer the terminal', '\u001B[200~a\u001B[2J\u0003\tb\u009B\u001B[201~', '<a[2J    b>'],
  ['two pastes', 'x\u001B[200~a\u001B[201~y\u001B[200~b\u001B[201~', 'x<a>y<b>'],
  ['Escape', ESCAPE, ESCAPE],
])('%s are told from keys', (_, input, expected) => {
  expect(joined(keyReader()(input))).toBe(expected)
})

test('a paste is one text, wherever what the terminal sends is parted', () => {
  const input = `one\rtwo ${ESCAPE}[2 three${ESCAPE}[201~c`
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 20, maxLength: 40 }), (sizes) => {
      const read = keyReader()
      let [at, typed] = [0, joined(read(`ab${ESCAPE}[200~`))]
      for (const size of sizes) {
        typed += joined(read(input.slice(at, at + size)))
        at += size
      }
      expect(typed + joined(read(input.slice(at)))).toBe('ab<one\ntwo [2 three>c')
    }),
  )
})

/** An editor between two streams, and what a terminal of 20 columns shows of it. */
function editor() {
  let shown = ''
  const lines: string[] = []
  const input = new PassThrough()
  const output: Writable & { columns?: number } = new Writable({
    decodeStrings: false,
    write: (text, _, done) => ((shown += text as string), done()),
  })
  output.columns = 20
  const history = new PromptHistory()
  const drafts: string[] = []
  const reader = lineEditor({ input, output }, history, {
    line: (text) => lines.push(text),
    interrupt: () => {},
    end: () => lines.push('END'),
    draft: (text) => drafts.push(text),
  })
  const type = async (keys: string): Promise<void> => {
    input.write(keys)
    // A stream gives what was written in a later turn.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { reader, history, lines, drafts, type, screen: () => screenOf(shown, 20, 10) }
}

test('a text of several lines is edited as a whole, also where keys come at once', async () => {
  const { reader, lines, type, screen } = editor()
  reader.show('> ')
  await type('one\u001B\rtwo')
  expect((await screen()).rows).toEqual(['> one', 'two'])
  await type('\u001B[A\u001B[D\u001B[DX')
  expect((await screen()).rows).toEqual(['> oXne', 'two'])
  await type('\u001B[B\u001B[FY\r')
  expect(lines).toEqual(['oXne\ntwoY'])
  reader.close()
})

test('the prompt can be taken away and comes back with what was typed, wrapped lines included', async () => {
  const { reader, lines, drafts, type, screen } = editor()
  reader.show('> ')
  await type('a text that is longer than a row')
  reader.hide()
  expect((await screen()).rows).toEqual([])
  await type('!')
  expect(drafts.at(-1)).toBe('a text that is longer than a row!')
  expect((await screen()).rows).toEqual([])
  reader.show('> ')
  expect((await screen()).rows).toEqual(['> a text that is lon', 'ger than a row!'])
  const taken = reader.take()
  reader.show('> ')
  await type('y\r')
  reader.put(taken)
  await type('\r')
  expect(lines).toEqual(['y', taken])
  reader.close()
})

test('the arrows go through what was said, and back to what was being typed', async () => {
  const { reader, history, lines, type } = editor()
  for (const entry of ['one', 'two\nlines', 'two\nlines', 'three']) history.add(entry)
  reader.show('> ')
  await type('dra')
  await type('\u001B[A')
  await type('\u0010')
  await type('\u001B[A\u001B[A')
  await type('\u001B[A')
  await type('\u001B[B\u001B[B\u001B[B')
  await type('\u000E')
  await type('ft\r')
  expect(lines).toEqual(['draft'])
  reader.close()
})

test('at the first entry and behind the last there is nothing more', () => {
  const history = new PromptHistory(2)
  expect([history.older('x'), history.newer()]).toEqual([undefined, undefined])
  for (const entry of ['a', 'b', 'c']) history.add(entry)
  expect([history.older('x'), history.older(''), history.older('')]).toEqual(['c', 'b', undefined])
  expect([history.newer(), history.newer(), history.newer()]).toEqual(['c', 'x', undefined])
})

test('kept prompts are those of the project, without secrets, bounded, and never in the project itself', async () => {
  const config = await folder()
  const secret = `sk-ant-${'x'.repeat(40)}`
  const kept = keptHistory(config, '/a', redactor({}))
  kept.add(`with ${secret}`)
  keptHistory(config, '/b', redactor({})).add('of another')
  kept.add('two\nlines')
  expect(kept.entries()).toEqual(['with [redacted]', 'two\nlines'])
  const file = join(config, 'agentc/history.jsonl')
  for (let at = 0; at < 40; at++) kept.add(`${at} ${'long '.repeat(2000)}`)
  expect(statSync(file).size).toBeLessThan(300_000)
  expect(kept.entries().at(-1)).toMatch(/^39 /)
  keptHistory(join(config, 'project/.claude'), join(config, 'project'), redactor({})).add('x')
  expect(existsSync(join(config, 'project'))).toBe(false)
})

test('a history that is damaged or cannot be written is none, and nothing fails', async () => {
  const config = await folder()
  await mkdir(join(config, 'agentc/history.jsonl'), { recursive: true })
  const kept = keptHistory(config, '/a', redactor({}))
  kept.add('x')
  expect(kept.entries()).toEqual([])
  const other = await folder({ 'agentc/history.jsonl': '{"project":"/a","prompt":"good"}\nnot JSON\n{"project":"/a","prompt":7}\nnull\n' })
  expect(keptHistory(other, '/a', redactor({})).entries()).toEqual(['good'])
  writeFileSync(join(other, 'x'), '')
  keptHistory(join(other, 'x'), '/a', redactor({})).add('y')
  expect(readFileSync(join(other, 'x'), 'utf8')).toBe('')
})
