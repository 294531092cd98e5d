import { describe, expect, test } from 'vitest'
import { entryOf, type Node } from '../../compiler/parse/node.ts'
import { parse } from '../../compiler/parse/parse.ts'
import { recover } from '../../compiler/parse/recover.ts'
import { markdown } from './inside.ts'

/** What is read from the value of `description`, written on one line, with the text of its place; or the codes that say why nothing is. */
async function described(value: string): Promise<{ read: unknown; place: string; codes: string[] } | string[]> {
  const text = `---\nname: example\ndescription: ${value}\ntools: Read\n---\nbody\n`
  const [document] = await parse([markdown(text)])
  const codes = document!.diagnostics.map(({ code }) => code)
  if (!document!.root) return codes
  const { range, ...node } = entryOf(document!.root, 'description')!.value
  expect(plain(entryOf(document!.root, 'tools')!.value)).toBe('Read')
  return { read: plain({ ...node, range } as Node), place: text.slice(...range), codes }
}

function plain(node: Node): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plain)
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]))
}

describe('one-line values that are not strict YAML are taken whole (measured.md "Loading")', () => {
  test.each([
    'Use it so: show a change',
    'Context: a change. user: "hi" assistant: "ho"',
    'ends with a colon:',
    '*.md files',
    '*',
    '@team reviews',
    '`code` first',
    '[draft] reviews changes',
    '[draft',
    '{draft} reviews',
    '!important rule',
    '*.md',
    '%s and more',
    '& more',
    '| a bar',
    'a \\n literal: <example>',
  ])('%s', async (value) => {
    expect(await described(value)).toEqual({ read: value, place: value, codes: ['yaml/recovered'] })
  })

  test.each<[string, unknown, string]>([
    ['[a, b]', ['a', 'b'], '[a, b]'],
    ['{ a: b }', { a: 'b' }, '{ a: b }'],
    ['a:b', 'a:b', 'a:b'],
    ['http://a.example/b', 'http://a.example/b', 'http://a.example/b'],
    ['“smart: quotes”'.replace(': ', ' '), '“smart quotes”', '“smart quotes”'],
    ['"a: b"', 'a: b', '"a: b"'],
    ["it's fine", "it's fine", "it's fine"],
  ])('what is YAML stays as YAML reads it: %s', async (value, read, place) => {
    expect(await described(value)).toEqual({ read, place, codes: [] })
  })

  test('a value cut by a comment is reported where it is cut', async () => {
    expect(await described('use #1 thing # note')).toEqual({ read: 'use', place: 'use', codes: ['yaml/comment-cut'] })
  })

  test.each([
    ['"Reviews" changes', 'yaml/quotes'],
    ['"Reviews', 'yaml/quotes'],
    ["'it's broken'", 'yaml/quotes'],
    ['Reviews changes.\nmore text', 'yaml/multi-line-value'],
    ['Reviews changes.\n\nmore text\nand more', 'yaml/multi-line-value'],
    ['Reviews changes: now\nmore text', 'yaml/multi-line-value'],
    ['Reviews\n  user: more', 'yaml/multi-line-value'],
  ])('what the real program does not load is an error that names the cause: %j', async (value, code) => {
    expect(await described(value)).toEqual([code])
  })

  test('every such value of a file is named, each at the character that is to blame', async () => {
    const text = '---\nname: example\ndescription: So: it is\ninitialPrompt: "@x"\nmodel: @y\n---\nbody\n'
    const [document] = await parse([markdown(text)])
    expect(document!.diagnostics.map(({ code, at }) => [code, at.range[0], text[at.range[0]]])).toEqual([
      ['yaml/recovered', text.indexOf(': it'), ':'],
      ['yaml/recovered', text.indexOf('@y'), '@'],
    ])
  })

  test('the offered fix gives the same value, without a finding', async () => {
    for (const value of ['So: "quoted" \\n it is', '*.md', '[draft] a']) {
      const text = `---\nname: example\ndescription: ${value}\n---\nbody\n`
      const [document] = await parse([markdown(text)])
      const [edit] = document!.diagnostics[0]!.fix!.edits
      const fixed = text.slice(0, edit!.range[0]) + edit!.text + text.slice(edit!.range[1])
      const [again] = await parse([markdown(fixed)])
      expect(again!.diagnostics).toEqual([])
      expect(plain(entryOf(again!.root!, 'description')!.value)).toBe(value)
    }
  })
})

describe('tabs as indentation', () => {
  test.each([
    ['tools:\n\t- Read\n\t- Grep\n', { tools: ['Read', 'Grep'] }],
    ['a:\n\tb: 1\n\tc:\n\t\td: 2\n', { a: { b: 1, c: { d: 2 } } }],
    ['a:\n  b: 1\n\tc: 2\n', { a: { b: 1, c: 2 } }],
    ['a:\r\n\t- x\r\n', { a: ['x'] }],
    ['a: So: it\ntools:\n\t- Read\n', { a: 'So: it', tools: ['Read'] }],
  ])('count as two spaces: %j', (text, read) => {
    const recovery = recover(text)!
    expect(plain(recovery.root)).toEqual(read)
    expect(text.slice(...recovery.tab!)).toBe('\t')
  })

  test('places are those of the file as it is, not as it was read', () => {
    const text = 'a:\n\tb:\n\t\t- Read\n\t\t- Grep\n'
    const places: string[] = []
    const collect = (node: Node): void => {
      if (node.kind === 'scalar') places.push(text.slice(...node.range))
      if (node.kind === 'list') node.items.forEach(collect)
      if (node.kind !== 'map') return
      for (const entry of node.entries) {
        places.push(text.slice(...entry.keyRange))
        collect(entry.value)
      }
    }
    collect(recover(text)!.root)
    expect(places).toEqual(['a', 'b', 'Read', 'Grep'])
  })
})
