import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { folderName } from '../../schemas/folder-name.ts'

describe('the folder of an agent', () => {
  test.each([
    ['code-reviewer', 'code-reviewer'],
    ['keeper_2', 'keeper_2'],
    ['审查员', '审查员'],
    ['Explore', '%45xplore'],
    ['kit:web:tester', 'kit%3aweb%3atester'],
    ['a/b\\c', 'a%2fb%5cc'],
    ['.', '%2e'],
    ['..', '%2e%2e'],
    ['v1.2 beta', 'v1%2e2%20beta'],
    ['con', '%63on'],
    ['lpt1', '%6cpt1'],
    ['100%', '100%25'],
    ['é', '%c3%a9'],
    ['', '%'],
  ])('of %j is %j', (name, folder) => {
    expect(folderName(name)).toBe(folder)
  })

  const name = fc
    .oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 30 }))
    .map((text) => text.normalize('NFC'))

  test('is one part of a path on every system, and without capitals', () => {
    fc.assert(
      fc.property(fc.oneof(name, fc.string({ unit: 'binary', minLength: 200, maxLength: 256 })), (text) => {
        const folder = folderName(text)
        expect(folder).not.toMatch(/[/\\:*?"<>|\s\p{Cc}\p{Lu}]|^\.|\.$|^$/u)
        expect(Buffer.byteLength(folder)).toBeLessThanOrEqual(255)
      }),
    )
  })

  test('is read back by decodeURIComponent, so two names never share one', () => {
    fc.assert(
      fc.property(name, (text) => {
        fc.pre(text !== '' && !/\p{Cs}/u.test(text) && !folderName(text).includes('%~'))
        expect(decodeURIComponent(folderName(text))).toBe(text)
      }),
    )
  })

  test('differs for names that differ only by letter case, also after file systems folded it', () => {
    expect(new Set(['a', 'A', 'aA', 'Aa', 'AA'].map((text) => folderName(text).toLowerCase())).size).toBe(5)
  })

  test('of a name too long for a file system differs from that of another with the same beginning', () => {
    const [a, b] = ['é'.repeat(250), `${'é'.repeat(249)}è`].map(folderName)
    expect(a).not.toBe(b)
    expect(a).toMatch(/^(?:%c3%a9)+%~[0-9a-f]{32}$/)
  })

  test('is the same for both ways to write an accent', () => {
    expect(folderName('e\u0301')).toBe(folderName('\u00e9'))
  })
})
