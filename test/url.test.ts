import { describe, expect, test } from 'vitest'
import { hostOf } from '../runner/permission/covers.ts'
import { urlOf } from '../schemas/url.ts'

describe('what is an address', () => {
  test.each([
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['https://bücher.de', 'https://xn--bcher-kva.de/'],
    ['file:///x', 'file:///x'],
    ['example.com', undefined],
    ['https://', undefined],
    ['', undefined],
  ])('%s is %s', (text, href) => {
    expect(urlOf(text)?.href).toBe(href)
  })

  test('one that is relative to another is taken from there', () => {
    expect(urlOf('/b', 'https://example.com/a')?.href).toBe('https://example.com/b')
  })

  test('the host of a call is found however often it was asked for', () => {
    let found = 0
    for (let turn = 0; turn < 100_000; turn++) if (hostOf('https://bücher.de') === 'xn--bcher-kva.de') found += 1
    expect(found).toBe(100_000)
  })
})
