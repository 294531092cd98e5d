import { describe, expect, it } from 'vitest'
import { didYouMean, nearTo } from '../schemas/near.ts'

const NAMES = ['reviewer', 'code-review', 'tester', 'planner', 'ui', 'db']

describe('the name that was meant', () => {
  it.each([
    ['Code_Review', 'code-review', 'is equal but for case and separators'],
    ['reviwer', 'reviewer', 'lacks a letter'],
    ['plannre', 'planner', 'has two neighbours swapped'],
    ['tesster', 'tester', 'has a letter too many'],
    ['rester', 'tester', 'begins with another letter'],
    ['uj', 'ui', 'is one edit from a short word'],
    ['rexiewar', 'reviewer', 'is two edits from a long word'],
    ['xester2', undefined, 'begins with another letter and has one more edit'],
    ['xy', undefined, 'is two edits from a short word'],
    ['deployer', undefined, 'is like none'],
  ])('is found for %s: %s (it %s)', (word, meant, _why) => {
    expect(didYouMean(word, NAMES)).toBe(meant)
  })

  it('is the nearest, and of equally near ones the first', () => {
    expect(didYouMean('agent', ['agend', 'agents', 'a gent'])).toBe('a gent')
    expect(didYouMean('agent1', ['agent2', 'agent3'])).toBe('agent2')
    expect(didYouMean('agentxx', ['agents', 'agentx'])).toBe('agentx')
  })

  it('is looked up in one index for many words', () => {
    const near = nearTo(NAMES)
    expect(['reviwer', 'Planner', 'nothing'].map(near)).toEqual(['reviewer', 'planner', undefined])
  })
})
