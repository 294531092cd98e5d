import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOf } from '../../compiler/discover/decode.ts'
import { agreement } from '../parse/agreement.ts'
import { frontmatters } from '../parse/frontmatters.ts'
import { markdown, readInside } from '../parse/inside.ts'

const RUNS = 50_000

test('the subset reader agrees with the yaml package on 50,000 frontmatters', () => {
  let covered = 0
  fc.assert(
    fc.property(frontmatters, (text) => {
      if (agreement(text)) covered += 1
    }),
    { numRuns: RUNS },
  )
  expect(covered).toBeGreaterThan(RUNS / 20)
})

test('every generated frontmatter is read without an exception, and every place is inside its file', async () => {
  await fc.assert(
    fc.asyncProperty(frontmatters, fc.constantFrom('---\n', '---\r\n', '--- \n'), async (text, fence) => {
      await readInside(markdown(`${fence}${text}\n${fence}You review.\n`))
    }),
    { numRuns: RUNS },
  )
})

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc
    .array(fc.constantFrom(...Buffer.from('---\r\n\t :"\'#&*!|>%@`[]{},?name:description: tools x0\u00e9\\')), { maxLength: 120 })
    .map((list) => Uint8Array.from(list)),
)

test('arbitrary bytes are read without an exception, and every place is inside its file', async () => {
  await fc.assert(
    fc.asyncProperty(
      bytes,
      fc.constantFrom('', '---\n', '---\nname: a\ndescription: b\n'),
      fc.constantFrom('', '\n---\n'),
      async (body, before, after) => {
        const { text } = textOf(Buffer.concat([Buffer.from(before), body, Buffer.from(after)]))
        await readInside(markdown(text))
        await readInside({ ...markdown(text), form: 'json' })
      },
    ),
    { numRuns: RUNS },
  )
})
