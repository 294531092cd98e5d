import { expect, test } from 'vitest'
import { read } from './read.ts'

const WITH = 'description: Reviews changes.'

test.each([
  ['name: example', 'example'],
  ['name: My Agent (v2)', 'My Agent (v2)'],
  ['name: "404"', '404'],
  ['name: a/b.c', 'a/b.c'],
  ['name: コードレビュー', 'コードレビュー'],
  ['name: "🚀"', '🚀'],
  ['name: __proto__', '__proto__'],
  ['name: constructor', 'constructor'],
  ['name: "Cafe\u0301"', 'Café'],
  [`name: ${'n'.repeat(256)}`, 'n'.repeat(256)],
  ['name: "a, b"', 'a, b'],
])('%s is a name', async (line, name) => {
  const { agent, found } = await read(`${line}\n${WITH}`)
  expect(agent?.name.value).toBe(name)
  expect(found).toEqual([])
})

test.each([
  ['name: 404', 'field/name-type at 404'],
  ['name: 1.1', 'field/name-type at 1.1'],
  ['name: true', 'field/name-type at true'],
  ['name: [a]', 'field/name-type at [a]'],
  ['name:\n  - a', 'field/name-type at name'],
  ['name:', 'field/missing-name at name'],
  ['name: ""', 'field/missing-name at ""'],
  ['name: x:y', 'field/invalid-name at x:y'],
  ['name: -lead', 'field/invalid-name at -lead'],
  ['name: " "', 'field/invalid-name at " "'],
  ['name: "a\\u0007b"', 'field/invalid-name at "a\\u0007b"'],
  [`name: ${'n'.repeat(257)}`, `field/invalid-name at ${'n'.repeat(257)}`],
])('%j is no name', async (line, found) => {
  expect(await read(`${line}\n${WITH}`)).toMatchObject({ agent: undefined, found: [found] })
})

test.each([
  ['', 'field/missing-description at ---'],
  ['description:', 'field/missing-description at description'],
  ['description: ""', 'field/missing-description at ""'],
  ['description: 3', 'field/description-type at 3'],
  ['description: true', 'field/description-type at true'],
  ['description: [a, b]', 'field/description-type at [a, b]'],
  ['description:\n  - a', 'field/description-type at description'],
])('with "%s" as its description an agent is not loaded', async (line, found) => {
  expect(await read(`name: example\n${line}`)).toMatchObject({ agent: undefined, found: [found] })
})

test.each([
  ['description: Reviews.', 'Reviews.', []],
  ['description: 2026-01-02', '2026-01-02', []],
  ['description: "a: b"', 'a: b', []],
  ['description: |\n  One.\n\n  Two.', 'One.\n\nTwo.\n', []],
  ['description: >-\n  One\n  line.', 'One line.', []],
  ['description: One\\ntwo', 'One\\ntwo', []],
  ['description: "   "', '   ', ['field/blank-description at "   "']],
])('%j is a description', async (line, description, found) => {
  const { agent, found: shown } = await read(`name: example\n${line}`)
  expect([agent?.description.value, shown]).toEqual([description, found])
})

test.each([
  ['title: A page', []],
  ['description: A page', []],
  ['color: red', []],
  ['Name: example\ndescription: a\ntools: Read', []],
  ['description: Reviews changes.\ntools: Read', ['field/missing-name at ---']],
  ['tools: Read\nmodel: haiku', ['field/missing-name at ---']],
])('without a name %j is a document, and said to be an agent only if it looks like one', async (lines, missing) => {
  const { agent, found } = await read(lines)
  expect(agent).toBeUndefined()
  expect(found.filter((item) => item.startsWith('field/missing-name'))).toEqual(missing)
})

test.each([
  ['name: 404', ['"404"']],
  ['name: [a]', []],
  ['name:\n  - a', []],
])('the fix for %j quotes a name, and no list', async (line, fixes) => {
  expect((await read(`${line}\n${WITH}`)).fixes).toEqual(fixes)
})

test('an agent of a plugin without a name is called as its file', async () => {
  const { agent, found } = await read(WITH, { source: 'plugin', path: 'agents/example.md', plugin: 'kit' })
  expect([agent?.name.value, found]).toEqual(['kit:example', []])
})
