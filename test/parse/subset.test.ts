import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSubset } from '../../compiler/parse/subset.ts'
import { frontmatters } from './frontmatters.ts'
import { agreement } from './agreement.ts'

test('what the subset reader reads, the yaml package reads with equal values and places', () => {
  let covered = 0
  fc.assert(
    fc.property(frontmatters, (text) => {
      if (agreement(text)) covered += 1
    }),
    { numRuns: 2000, seed: 20261130 },
  )
  expect(covered).toBeGreaterThan(150)
})

test.each([
  ['name: example\ndescription: Reviews changes.\n'],
  ['tools: Read, Grep\ntools: [Read, Bash]\n'],
  ['tools:\n  - Read\n  - Grep\n'],
  ['tools:\n- Read\n- Grep\n'],
  ['hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./a.sh\n          timeout: 5\n'],
  ['mcpServers:\n  - github\n  - own:\n      command: x\n      args: ["-a", b]\n'],
  ['a:\nb: "x\\n\\"y\\""\nc: \'it\'\'s\'\n# remark\n\nd: true\n'],
  ['name: e\r\ntools:\r\n  - Read\r\n'],
])('plain frontmatter is read without the yaml package: %j', (text) => {
  expect(agreement(text)).toBe(true)
})

test.each([
  ['an anchor', 'a: &x 1\n'],
  ['a tag', 'a: !x 1\n'],
  ['a block scalar', 'a: |\n  x\n'],
  ['a value over two lines', 'a: x\n  y\n'],
  ['an inner colon', 'a: x: y\n'],
  ['a comment after a value', 'a: x # y\n'],
  ['a tab in the indentation', 'a:\n\t- x\n'],
  ['a flow map', 'a: {b: c}\n'],
  ['a number that is no plain whole one', 'a: 1.5\n'],
  ['a constant as a key', 'null: x\n'],
  ['a document mark', 'a: x\n...\n'],
  ['nothing', ''],
])('%s is left to the yaml package', (_what, text) => {
  expect(readSubset(text, [0, text.length])).toBeUndefined()
})
