import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText, encodeText } from '../../../runner/tools/text-file.ts'

test.each([
  ['', 'utf-8', ''],
  ['61c3a9', 'utf-8', 'aé'],
  ['efbbbf61', 'utf-8', '\uFEFFa'],
  ['efbfbd', 'utf-8', '\uFFFD'],
  ['61e9', 'bytes', 'aé'],
  ['eda080', 'bytes', 'í\u00a0\u0080'],
  ['fffe6100e900', 'utf-16le', '\uFEFFaé'],
  ['feff006100e9', 'utf-16be', '\uFEFFaé'],
  ['fffe00d8', 'utf-16le', '\uFEFF\uD800'],
])('the bytes %s are read as %s', (hex, encoding, text) => {
  expect(decodeText(Buffer.from(hex, 'hex'))).toEqual({ encoding, text })
})

test.each(['610062', 'fffe61', 'fffe610000006200'])('the bytes %s are binary', (hex) => {
  expect(decodeText(Buffer.from(hex, 'hex'))).toBeUndefined()
})

test('whatever is read as text is written back byte for byte, and nothing is changed by reading it', () => {
  const pieces = fc.constantFrom(
    '61',
    'c3a9',
    'e9',
    'efbbbf',
    'fffe',
    'feff',
    'd800',
    '00d8',
    'eda080',
    'f09f9880',
    'f0',
    'ff',
    '0d0a',
    '6100',
  )
  const seen = { text: 0, binary: 0 }
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), (all) => {
      const bytes = Buffer.from(all.join(''), 'hex')
      const file = decodeText(Buffer.from(bytes))
      if (file) expect(encodeText(file).equals(bytes)).toBe(true)
      seen[file ? 'text' : 'binary'] += 1
    }),
    { numRuns: 2000, seed: 11 },
  )
  expect(Math.min(seen.text, seen.binary)).toBeGreaterThan(100)
})
