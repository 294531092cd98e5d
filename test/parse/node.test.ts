import { expect, test } from 'vitest'
import { entryOf, placesWithin, rangeWithin, type ScalarNode } from '../../compiler/parse/node.ts'
import { readYaml } from '../../compiler/parse/yaml-document.ts'

/** The written text of each word of the value of `a`. */
function wordsOf(text: string): string[] {
  const result = readYaml(text)
  if ('fault' in result || result.root.kind !== 'map') throw new Error('not a map')
  const node = entryOf(result.root, 'a')!.value as ScalarNode
  return [...String(node.value).matchAll(/[^\s,]+/g)].map((match) =>
    text.slice(...placesWithin(node, text)(match.index, match.index + match[0].length)),
  )
}

test.each<[string, string, string[]]>([
  ['plain', 'a: Read, Grep\n', ['Read', 'Grep']],
  ['plain over two lines', 'a: Read,\n  Grep, Bash\n', ['Read', 'Grep', 'Bash']],
  ['plain over a blank line', 'a: Read\n\n  Grep\n', ['Read', 'Grep']],
  ['double quotes', 'a: "Read, Grep"\n', ['Read', 'Grep']],
  ['double quotes over two lines', 'a: "Read,\n  Grep"\n', ['Read', 'Grep']],
  ['an escaped line end', 'a: "Read, \\\n  Grep"\n', ['Read', 'Grep']],
  ['an escaped quote', 'a: "Read, \\"Grep\\""\n', ['Read', '\\"Grep\\"']],
  ['an escape that looks like a letter', 'a: "a\\tt"\n', ['a', 't']],
  ['an escaped line break between', 'a: "Read,\\nnext"\n', ['Read', 'next']],
  ['letters written as numbers', 'a: "\\x52ead, \\u0047rep"\n', ['\\x52ead', '\\u0047rep']],
  ['single quotes', "a: 'Read, Grep'\n", ['Read', 'Grep']],
  ['a doubled single quote', "a: 'it''s, Grep'\n", ["it''s", 'Grep']],
  ['a block', 'a: |\n  Read,\n  Grep\n', ['Read', 'Grep']],
  ['a folded block with a remark', 'a: >- # Read me\n  Read,\n    Grep\n\n  Bash\n', ['Read', 'Grep', 'Bash']],
  ['a block with CRLF', 'a: |\r\n  Read,\r\n  Grep\r\n', ['Read', 'Grep']],
  ['quotes with CRLF', 'a: "Read,\r\n  Grep"\r\n', ['Read', 'Grep']],
  ['an alias', 'b: &x Read, Grep\na: *x\n', ['*x', '*x']],
  ['letters that occur before', 'a: |\n  a b ab ba\n  b\n', ['a', 'b', 'ab', 'ba', 'b']],
  ['a character of two units as one escape', 'a: "\\U0001F680x, Grep"\n', ['\\U0001F680x', 'Grep']],
  ['characters of two units', 'a: "🚀, \\"é\\""\n', ['🚀', '\\"é\\"']],
])('a part of a value is found where it was written: %s', (_what, text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('a value that was taken whole is its own text', () => {
  const text = '| Read, Grep'
  expect(rangeWithin({ kind: 'scalar', value: text, range: [0, text.length] }, text, 2, 6)).toEqual([2, 6])
})
