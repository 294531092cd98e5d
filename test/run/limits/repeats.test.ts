import { describe, expect, test } from 'vitest'
import { type SeenCall, noteOf, seen, whyStopped } from '../../../runner/limits/repeats.ts'
import { toolResult } from '../../../runner/message.ts'

/** `a`, `b` …: calls that succeed and only read; `A!`: one that fails; `W`: a write that succeeds. */
function after(calls: string): SeenCall[] {
  return calls.split(' ').reduce<SeenCall[]>((recent, word, at) => {
    const failed = word.endsWith('!')
    const name = word.replace('!', '')
    const call = { type: 'tool_use' as const, id: `t${at}`, name, input: { path: name } }
    const note = failed ? noteOf(seen(recent, call, toolResult(call.id, 'no such file', true), true)) : ''
    return [...seen(recent, call, toolResult(call.id, failed ? `no such file${note}` : 'x', failed), name !== 'W')]
  }, [])
}

const stopped = (calls: string): boolean => {
  const words = calls.split(' ')
  return whyStopped(after(words.slice(0, -1).join(' ')), after(calls)) !== undefined
}

describe('a circle of calls', () => {
  const ROWS: [calls: string, noted: boolean, stopped: boolean][] = [
    ['a a', false, false],
    ['a a a', true, false],
    ['a a a a', true, true],
    ['a b a b a', false, false],
    ['a b a b a b', true, false],
    ['a b a b a b a', true, false],
    ['a b a b a b a b', true, true],
    ['a b c a b c a b c', true, false],
    ['a b c d a b c d a b c d', true, false],
    ['a b c d a b c d a b c d a b c d', true, true],
    ['a b c d e a b c d e a b c d e a b c d e', false, false],
    ['a a b a a c a a', false, false],
    ['x y a a a a', true, true],
    ['a!', false, false],
    ['a! a!', true, false],
    ['a! a! a!', true, true],
    ['a! b a! c a!', true, true],
    ['a! W a! W a!', false, false],
    ['a! b! a! b!', true, false],
  ]
  test.each(ROWS)('%s: told %s, stopped %s', (calls, noted, ends) => {
    expect([noteOf(after(calls)) !== '', stopped(calls)]).toEqual([noted, ends])
  })

  test('the order of members in an input makes no other call', () => {
    const call = (input: object) => ({ type: 'tool_use' as const, id: 't', name: 'Read', input })
    const ok = toolResult('t', 'x', false)
    const recent = [
      { b: 1, a: 2 },
      { a: 2, b: 1 },
      { b: 1, a: 2 },
    ].reduce<readonly SeenCall[]>((all, input) => seen(all, call(input), ok, true), [])
    expect(noteOf(recent)).toContain('3 times')
  })

  test('calls of one reply are never stopped before the model has been told', () => {
    expect(whyStopped([], after('a a a a a a'))).toBeUndefined()
    expect(whyStopped(after('a a a a a a'), after('a a a a a a a'))).toContain('7 times')
  })
})
