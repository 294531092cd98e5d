import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sectionOf } from '../../compiler/servers/section.ts'

const KEYS = ['mcpServers', 'projects', '/a "b"\\', 'x', '']

/** JSON objects with the keys that are looked for, nested up to three deep. */
const objects = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.string(), tie('object')),
  object: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 4 }),
})).object

const valueAt = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && !Array.isArray(at) && Object.hasOwn(at, key)
        ? (at as Record<string, unknown>)[key]
        : undefined,
    value,
  )

it('finds the same value as a whole reader of JSON, for every object and every way into it', () => {
  const ways = fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(objects, ways, fc.constantFrom(undefined, 2, '\t'), (object, keys, space) => {
      const text = JSON.stringify(object, null, space)
      const range = sectionOf(text, keys)
      const wanted = valueAt(object, keys)
      expect(range && JSON.parse(text.slice(...range))).toEqual(wanted === undefined ? undefined : JSON.parse(JSON.stringify(wanted)))
    }),
    { numRuns: 2000 },
  )
})

it('of equal keys the last counts', () => {
  const text = '{"x": 1, "x": [2, {"x": 3}]}'
  expect(text.slice(...sectionOf(text, ['x'])!)).toBe('[2, {"x": 3}]')
})

it('ends on any text, whatever it is', () => {
  const texts = fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'x', ' ', '"x":'), maxLength: 60 })
  fc.assert(
    fc.property(texts, (text) => {
      const [start, end] = sectionOf(`{${text}`, ['x']) ?? [0, 0]
      expect(start).toBeLessThanOrEqual(end)
    }),
  )
})
