import fc from 'fast-check'

/** Generated frontmatters: what agent files hold, what stands just outside the subset grammar, and slips of the pen. */

const KEYS = [
  'name',
  'description',
  'tools',
  'model',
  'hooks',
  'x-y',
  'a',
  'null',
  'True',
  '__proto__',
  'a b',
  '1x',
  '"q"',
  "'s'",
  '?',
  '- k',
]
const WORDS = [
  'Reviews changes.',
  'Read',
  'Bash(git *)',
  'a',
  'use it: so',
  'see #12',
  'see # 12',
  "it's",
  'a\\nb',
  'Grüße',
  '日本語',
  '🚀 go',
  'x\u00a0y',
]
const ODD = [
  '\u0085',
  'a\u2028b',
  '\ufeffa',
  'a"b',
  '[a',
  'a]',
  '{a}',
  'a: b: c',
  ':a',
  'a:',
  '-a',
  '- a',
  '? a',
  '*',
  '*a',
  '&a b',
  '!t a',
  '!!str 1',
]
const NUMBERS = [
  '0',
  '1',
  '-1',
  '+1',
  '01',
  '1.5',
  '1e3',
  '.5',
  '5.',
  '0x1F',
  '0o17',
  '1_000',
  '12:30',
  '2026-01-02',
  '.inf',
  '-.inf',
  '.nan',
  '1e999',
]
const BIG = ['123456789012345', '1234567890123456', '99999999999999999999', '0.1.2', '1a', '0b1', '00', '1e', 'e1', '.e1', '--1']
const CONSTANTS = [
  'true',
  'True',
  'tRUE',
  'FALSE',
  'null',
  'Null',
  'nULL',
  '~',
  'yes',
  'No',
  'on',
  '',
  '|',
  '>',
  '|-',
  '>2',
  '@a',
  '`a`',
  '%a',
  ',a',
]
const QUOTED = [
  '"a"',
  '"a b" ',
  '"a\\"b"',
  '"a\\nb"',
  '"a\\tb\\\\"',
  '"\\u00e9"',
  '"\\x41"',
  '"a',
  '"a" b',
  '"a" # c',
  '""',
  '"a: b"',
  '"a\tb"',
]
const SINGLE = ["'a'", "'it''s'", "''", "'a' b", "'a", "'''", "'a''", "'a' # c", "'\"'", "'\\n'", "'a: b'", "'#'"]
const FLOW = [
  '[]',
  '[ ]',
  '[a]',
  '[a, b]',
  '[a,b,]',
  '[a b, c]',
  '["a", \'b\']',
  '[a,, b]',
  '[,a]',
  '[a]b',
  '[a] # c',
  '[a',
  '[[a], b]',
  '[a: b]',
]
const FLOWS = [
  '[{a: b}]',
  '[1, 01, true]',
  '[a#b]',
  '[a #b]',
  '[*]',
  '["*"]',
  '[a:b]',
  '["a":b]',
  '[a"b]',
  '[null, ~]',
  '[ a , b ]',
  '{a: 1}',
  '{}',
  '["a"b]',
]
const VALUES = [...WORDS, ...ODD, ...NUMBERS, ...BIG, ...CONSTANTS, ...QUOTED, ...SINGLE, ...FLOW, ...FLOWS]

/** Values that are inside the grammar by themselves. */
const EASY = [
  'Reviews changes.',
  'Read',
  'Bash(git *)',
  '7',
  'true',
  'Null',
  '"a: b"',
  '"a\\n\\"b"',
  "'it''s'",
  '[]',
  '[a, "b c", \'d\']',
  'see#12',
  'a:b',
]

const key = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...KEYS.slice(0, 7)) }, fc.constantFrom(...KEYS))
const value = fc.oneof(
  { weight: 16, arbitrary: fc.constantFrom(...EASY) },
  { weight: 5, arbitrary: fc.constantFrom(...VALUES) },
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
)
const gap = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(' ', '  ') }, fc.constantFrom('', '\t', ' \t'))
const tail = fc.oneof({ weight: 12, arbitrary: fc.constantFrom('', '', '', ' ', '\t') }, fc.constantFrom(' # note', ' #', '#x'))
const inline = fc.tuple(gap, value, tail).map((parts) => parts.join(''))

const indent = fc.constantFrom(2, 2, 2, 2, 0, 0, 1, 4, -1).map((by) => (lines: string[]): string[] => {
  return by < 0 ? lines.map((line) => `\t${line}`) : lines.map((line) => ' '.repeat(by) + line)
})

/** Lines of a block at a depth, without their indentation. */
const block = fc.letrec<{ map: string[]; entry: string[]; list: string[]; item: string[] }>((tie) => ({
  map: fc.array(tie('entry'), { minLength: 1, maxLength: 4 }).map((entries) => entries.flat()),
  entry: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 6, arbitrary: fc.tuple(key, inline).map(([name, text]) => [`${name}:${text}`]) },
    { weight: 2, arbitrary: fc.tuple(key, tail, indent, tie('list')).map(([name, end, by, lines]) => [`${name}:${end}`, ...by(lines)]) },
    { weight: 2, arbitrary: fc.tuple(key, tail, indent, tie('map')).map(([name, end, by, lines]) => [`${name}:${end}`, ...by(lines)]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '# remark', '   ', '\t', '---', '...', '%x', '  # deep', 'stray text', '- item').map((line) => [line]),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(key, fc.constantFrom('|', '>', '|-', '>+'), value)
        .map(([name, mark, text]) => [`${name}: ${mark}`, `  ${text}`, '  more']),
    },
    { weight: 1, arbitrary: fc.tuple(key, value, value).map(([name, text, more]) => [`${name}: ${text}`, `  ${more}`]) },
  ),
  list: fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map((items) => items.flat()),
  item: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 6, arbitrary: inline.map((text) => [`-${text}`]) },
    { weight: 2, arbitrary: tie('map').map((lines) => lines.map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`))) },
    { weight: 1, arbitrary: tie('map').map((lines) => lines.map((line, i) => (i === 0 ? `-   ${line}` : `    ${line}`))) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('-', '- # c', '- - a', '-a')).map((lines) => [...lines]) },
    { weight: 1, arbitrary: tie('map').map((lines) => ['-', ...lines.map((line) => `  ${line}`)]) },
  ),
}))

const lineEnd = fc.constantFrom('\n', '\n', '\n', '\n', '\n', '\r\n', '\r\n', '\r')

/** A slip: a character is put in, or taken out, somewhere. */
const slip = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.integer({ min: 0, max: 2 }),
  put: fc.constantFrom('', ' ', '\t', ':', '"', "'", '#', '-', '[', ']', '\n', ',', '&', '*', '|', '\\'),
})

export const frontmatters: fc.Arbitrary<string> = fc
  .tuple(block.map, lineEnd, fc.boolean(), fc.array(slip, { maxLength: 2 }), fc.integer({ min: 0, max: 3 }))
  .map(([lines, end, closed, slips, slipping]) => {
    let text = lines.join(end) + (closed ? end : '')
    if (slipping > 0) return text
    for (const { at, remove, put } of slips) {
      const place = Math.floor(at * text.length)
      text = text.slice(0, place) + put + text.slice(place + remove)
    }
    return text
  })
