import { expect, test } from 'vitest'
import { jsonIn } from '../../../runner/output/json-answer.ts'

const ROWS: [answer: string, value: unknown][] = [
  ['{"a":1}', { a: 1 }],
  ['  [1,2]\n', [1, 2]],
  ['"text"', 'text'],
  ['null', null],
  ['Here it is:\n```json\n{"a":1}\n```\nDone.', { a: 1 }],
  ['```\n[1]\n```', [1]],
  ['```ts\nconst a = 1\n```\n```json\n{"a":1}\n```', { a: 1 }],
  ['The answer is {"a":{"b":2}} as asked.', { a: { b: 2 } }],
]
test.each(ROWS)('%j holds its value', (answer, value) => {
  expect(jsonIn(answer)).toEqual({ value })
})

test.each([
  ['no JSON at all', 'it holds no JSON value'],
  ['{"a":1', 'it holds no JSON value'],
  ['{"a":1,}', 'it holds no JSON value'],
  ['', 'it holds no JSON value'],
  ['{"a":1} and {"b":2}', 'it holds no JSON value'],
  ['```json\n{"a":1}\n```\n```json\n{"a":2}\n```', 'it holds 2 blocks of JSON, and only one is wanted'],
])('%j holds none', (answer, fault) => {
  expect(jsonIn(answer)).toEqual({ fault })
})
