import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { understood } from '../../compiler/instructions/markdown.ts'

const paths = (text: string): string[] => understood(text).mentions.map(({ path }) => path)
const fence = (...lines: string[]): string => ['```', ...lines, '```', ''].join('\n')

describe('what is imported', () => {
  test.each<[string, string, string[]]>([
    ['a path at the start of a line', '@docs/a.md\n', ['docs/a.md']],
    [
      'a path in a sentence, without its punctuation',
      'See @README, @a/b.md; (and @c.md). Is it @d.md?',
      ['README', 'a/b.md', 'c.md', 'd.md'],
    ],
    ['a path in a list', '- git @docs/git.md\n* @~/mine.md\n', ['docs/git.md', '~/mine.md']],
    ['a path with blanks behind backslashes', '@Design\\ Docs/the\\ api.md now', ['Design Docs/the api.md']],
    ['nothing in a word or an address', 'me@example.com a@b.md', []],
    ['nothing in quotes', `@"a.md" @'b.md' "@c.md"`, []],
    ['nothing between backticks', '`@a.md` ``@b.md ` @c.md`` @d.md', ['d.md']],
    ['a path behind a backtick that opens nothing', 'a ` and @a.md', ['a.md']],
    ['a span ends with its paragraph', 'a ` and\n\n@a.md ` b', ['a.md']],
    ['a span goes over lines of one paragraph', 'a ` and\n@a.md ` @b.md', ['b.md']],
    ['nothing in a fence', `${fence('@a.md')}@b.md`, ['b.md']],
    ['nothing in a fence of tildes in a list', '- ~~~ js\n  @a.md\n  ~~~\n- @b.md', ['b.md']],
    ['nothing in a longer fence with a shorter one in it', '````\n```\n@a.md\n```\n````\n@b.md', ['b.md']],
    ['nothing behind a fence that is never closed', '```\n@a.md', []],
    ['nothing in a comment', '<!-- @a.md -->\n@b.md', ['b.md']],
    ['a path behind a comment that is never closed', '<!-- @a.md\n@b.md', ['a.md', 'b.md']],
    ['a path in CRLF lines', '@a.md\r\n@b.md\r\n', ['a.md', 'b.md']],
    ['nothing for a lone sign', '@ @. @) \n@', []],
  ])('%s', (_what, text, expected) => {
    expect(paths(text)).toEqual(expected)
  })

  test('has its place, from the sign to the end of the path', () => {
    const text = '<!-- x -->\nSee `@no.md` and @docs/a\\ b.md, now.'
    expect(understood(text).mentions.map(({ range }) => text.slice(...range))).toEqual(['@docs/a\\ b.md'])
  })
})

describe('what a model gets', () => {
  test.each<[string, string, string]>([
    ['the text without blank lines around it', '\n  \n  Be kind.  \n\n', '  Be kind.'],
    ['the text with plain line ends', 'a\r\nb\r\n', 'a\nb'],
    ['no comment that stands alone, nor its line', 'a\n<!-- x\ny -->\nb', 'a\nb'],
    ['no comment at the start of a line, but what follows it', 'a\n<!-- x --> b <!-- y -->\nc', 'a\n b <!-- y -->\nc'],
    ['a comment in a line', 'a <!-- x --> b', 'a <!-- x --> b'],
    ['a comment in code', fence('<!-- x -->').trimEnd(), fence('<!-- x -->').trimEnd()],
    ['a comment that is never closed', 'a\n<!-- x\nb', 'a\n<!-- x\nb'],
    ['nothing of a file of comments', '<!-- a -->\n\n<!-- b -->\n', ''],
    ['nothing of an empty file', '', ''],
  ])('%s', (_what, text, expected) => {
    expect(understood(text).body).toBe(expected)
  })

  test('begins where the frontmatter ends', () => {
    const text = '---\npaths: "@a.md"\n---\n\n@b.md\n'
    expect(understood(text, text.lastIndexOf('---\n') + 4)).toMatchObject({ body: '@b.md', mentions: [{ path: 'b.md' }] })
  })

  test('is the same once more, and no text is invented', () => {
    const piece = fc.constantFrom(
      '<!--',
      '-->',
      '```',
      '~~~',
      '`',
      '``',
      '@a.md',
      '\n',
      '\n\n',
      ' ',
      'word',
      '- ',
      '> ',
      '\r\n',
      '@~/b\\ c',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        const { body, mentions } = understood(text)
        for (const { range } of mentions) expect(text.slice(...range).startsWith('@')).toBe(true)
        const letters = (value: string): string => value.replaceAll(/\s/g, '')
        expect(letters(body).length).toBeLessThanOrEqual(letters(text).length)
        if (!text.includes('<!--')) expect(letters(body)).toBe(letters(text))
      }),
    )
  })
})

test('the largest file is read whatever it repeats', () => {
  const size = 4 * 1_048_576
  for (const piece of ['<!-- ', '<!---->', '<!--\n', '```x\n', '` `` ', '@a ', '\n', '> ', '@....'])
    expect(understood(piece.repeat(size / piece.length)).body.length).toBeLessThanOrEqual(size)
})
