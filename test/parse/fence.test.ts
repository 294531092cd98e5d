import { describe, expect, test } from 'vitest'
import { divide, promptOf } from '../../compiler/parse/fence.ts'

/** The three parts of a text that was divided, or how it was not. */
function parts(text: string): [yaml: string, body: string] | string {
  const division = divide(text)
  if (division.kind !== 'frontmatter') return division.kind
  expect(text.slice(...division.open)).toBe('---')
  return [text.slice(...division.yaml), text.slice(division.bodyStart)]
}

describe('a file is divided as the real program does', () => {
  test.each<[string, string, [string, string] | string]>([
    ['a plain file', '---\na: 1\n---\nbody\n', ['a: 1\n', 'body\n']],
    ['CRLF line ends', '---\r\na: 1\r\n---\r\nbody\r\n', ['a: 1\r\n', 'body\r\n']],
    ['blanks behind both fences', '--- \t\na: 1\n---  \nbody', ['a: 1\n', 'body']],
    ['no line end behind the closing fence', '---\na: 1\n---', ['a: 1\n', '']],
    ['an empty frontmatter', '---\n---\nbody', ['', 'body']],
    ['an indented closing fence, if there is no other', '---\na: 1\n  ---\nbody', ['a: 1\n', 'body']],
    ['an indented fence before the real one', '---\na: |\n  ---\n---\nbody', ['a: |\n  ---\n', 'body']],
    ['three dashes inside a line', '---\na: b --- c\n---\nbody', ['a: b --- c\n', 'body']],
    ['a rule of four dashes inside', '---\na: 1\n----\n---\nbody', ['a: 1\n----\n', 'body']],
    ['a rule in the body', '---\na: 1\n---\nbody\n---\nmore', ['a: 1\n', 'body\n---\nmore']],
    ['no closing fence', '---\na: 1\n', 'unclosed'],
    ['only an opening fence', '---', 'unclosed'],
    ['four dashes as the closing fence', '---\na: 1\n----\nbody', 'unclosed'],
    ['dots as the closing fence', '---\na: 1\n...\nbody', 'unclosed'],
    ['four dashes as the opening fence', '----\na: 1\n----\nbody', 'none'],
    ['no fence at all', 'body\n', 'none'],
    ['an empty file', '', 'none'],
    ['line ends of carriage returns alone', '---\ra: 1\r---\rbody', 'none'],
    ['TOML', '+++\na = 1\n+++\nbody', 'none'],
    ['a blank line before the fence', '\n---\nname: a\ndescription: b\n---\nbody', 'late'],
    ['a blank before the fence', ' ---\nname: a\ndescription: b\n---\nbody', 'late'],
    ['a comment before the fence', '<!-- x -->\n---\nname: a\ndescription: b\n---\n', 'late'],
    ['a heading before the fence, with CRLF', '# A\r\n---\r\nname: a\r\ndescription: b\r\n---\r\n', 'late'],
    ['a document with a rule and no keys', '# A\n\n---\n\ntext\n', 'none'],
    ['a document that shows a frontmatter as code', '# A\n```\n---\nname: a\ndescription: b\n---\n```\n', 'none'],
    ['a frontmatter that is indented as a whole', '  ---\n  name: a\n  description: b\n  ---\nbody', 'late'],
  ])('%s', (_what, text, expected) => {
    expect(parts(text)).toEqual(expected)
  })

  test.each([
    ['---js\nmodule.exports = {}\n---\n', 'js'],
    ['---json\n{}\n---\n', 'json'],
    ['--- coffee\na: 1\n---\n', 'coffee'],
    ['---js', 'js'],
  ])('another language is named and not read: %j', (text, language) => {
    expect(divide(text)).toMatchObject({ kind: 'language', language })
  })

  test('a late fence is pointed at', () => {
    expect(divide('# A\n\n ---\nname: a\ndescription: b\n---\n')).toEqual({ kind: 'late', open: [6, 9] })
  })

  test('a file of nothing but fences is divided without going back over it', () => {
    expect(divide(` ${'---\n'.repeat(250_000)}`).kind).toBe('none')
    expect(divide(`---\n${' ---x\n'.repeat(250_000)}`).kind).toBe('unclosed')
  })
})

describe('the body as a prompt', () => {
  test.each([
    ['blank lines around it go', '\n \n\tText.\n\nMore.\n \n\n', '\tText.\n\nMore.'],
    ['CRLF becomes LF', 'a\r\n\r\nb\r\n', 'a\n\nb'],
    ['a carriage return alone stays', 'a\rb', 'a\rb'],
    ['indentation of the first line and blanks inside stay', '    code  \n  text', '    code  \n  text'],
    ['blanks behind the last line stay', 'a  \n', 'a  '],
    ['only blanks is nothing', ' \n\t\n', ''],
    ['nothing is nothing', '', ''],
    ['a line of a no-break space is blank', 'a\n\u00a0\n', 'a'],
  ])('%s', (_what, body, prompt) => {
    expect(promptOf(`---\n---\n${body}`, 8)).toBe(prompt)
  })
})
