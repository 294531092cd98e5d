import { describe, expect, test } from 'vitest'
import { memorySections } from '../../compiler/memory/section.ts'
import { MEMORY_SCOPES } from '../../schemas/values.ts'

describe('the section that memory adds to a prompt', () => {
  test('exists for the scopes that some agent uses, in one order', () => {
    expect(memorySections([])).toEqual({})
    expect(Object.keys(memorySections(['local', 'user', 'local']))).toEqual(['user', 'local'])
  })

  test.each(MEMORY_SCOPES)('of the scope %s has one place for the folder and one for the content, at its end', (scope) => {
    const text = memorySections([scope])[scope]!
    expect(text.match(/\{\{\w+\}\}/g)).toEqual(['{{folder}}', '{{content}}'])
    expect(text).toMatch(/^# [^]*\n\n\{\{content\}\}$/)
    for (const fact of ['MEMORY.md', '200 lines', '25 KB', 'Write', 'Edit']) expect(text).toContain(fact)
  })

  test('differs by who shares the notes', () => {
    expect(new Set(Object.values(memorySections(MEMORY_SCOPES))).size).toBe(3)
  })
})
