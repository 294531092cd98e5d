import { describe, expect, test } from 'vitest'
import { readYaml } from '../../compiler/parse/yaml-document.ts'

const faultOf = (text: string): string => {
  const result = readYaml(text)
  return 'fault' in result ? result.fault.kind : 'none'
}

describe('texts that are made to hurt are refused, and quickly', () => {
  test.each([
    ['an alias bomb', 'a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n', 'alias'],
    ['a list that holds itself', 'a: &a [*a]\n', 'alias'],
    ['an alias of nothing', 'a: *b\n', 'syntax'],
    ['an alias before its anchor', 'a: *b\nb: &b 1\n', 'syntax'],
    ['101 brackets', `a: ${'['.repeat(101)}${']'.repeat(101)}\n`, 'depth'],
    ['100,000 brackets', `a: ${'['.repeat(100_000)}\n`, 'depth'],
    ['99 open brackets', `a: ${'['.repeat(99)}\n`, 'syntax'],
    ['101 open maps', `a: ${'{a: '.repeat(101)}\n`, 'depth'],
    ['10,000 dashes', `a:\n${'- '.repeat(10_000)}x\n`, 'depth'],
    ['10,000 question marks', `${'? '.repeat(10_000)}x\n`, 'depth'],
    ['a second document behind `...`', 'a: 1\n...\nb: 2\n', 'documents'],
    ['a second document behind `---`', 'a: 1\n--- b\n', 'documents'],
    ['`...` with nothing behind it', 'a: 1\n...\n', 'none'],
    ['100 brackets', `a: ${'['.repeat(100)}${']'.repeat(100)}\n`, 'none'],
    ['500 levels of indentation', Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''), 'none'],
    ['many brackets side by side', `a: [${'[x],'.repeat(5000)}]\n`, 'none'],
  ])('%s', (_what, text, fault) => {
    expect(faultOf(text)).toBe(fault)
  })
})

/** The values of the keys of a map, scalars only. */
function valuesOf(text: string): unknown[] {
  const result = readYaml(text)
  if ('fault' in result || result.root.kind !== 'map') return []
  return result.root.entries.map(({ value }) => (value.kind === 'scalar' ? value.value : value.kind))
}

test('a merge key is a key like any other', () => {
  expect(JSON.stringify(readYaml('a: &a { x: 1 }\nb: { <<: *a }\n'))).toContain('"key":"<<"')
})

test('what tags stand for is text, the same on every machine', () => {
  expect(valuesOf('a: !!binary aGk=\nb: !!timestamp 2026-01-02\nc: 2026-01-02\nd: !!str 1\n')).toEqual([
    'aGk=',
    '2026-01-02',
    '2026-01-02',
    '1',
  ])
})

test('numbers too long to be exact are numbers all the same', () => {
  expect(valuesOf('a: 0x1F\nb: 1e3\nc: 12345678901234567890\nd: -.inf\n')).toEqual([31, 1000, 12345678901234567000, -Infinity])
})
