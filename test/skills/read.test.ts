import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divide, promptOf } from '../../compiler/parse/fence.ts'
import { positionOf } from '../../compiler/position.ts'
import { readDocument } from '../../compiler/skills/document.ts'
import { readMatter } from '../../compiler/skills/matter.ts'
import type { SourceFile } from '../../compiler/source-file.ts'
import { temporary } from '../support/tree.ts'
import { oneSkill, skill, told } from './tree.ts'

function file(text: string, kind: SourceFile['kind'] = 'skill'): SourceFile {
  return { kind, form: 'markdown', origin: { source: 'project', path: '.claude/skills/notes/SKILL.md' }, text }
}

describe('reading a SKILL.md', () => {
  test('every key is read, with its place', async () => {
    const { skill: read, diagnostics } = await oneSkill(
      skill(
        'notes',
        'when_to_use: When a version is tagged.',
        'argument-hint: [version] [date]',
        'arguments: version date',
        'disable-model-invocation: yes',
        'user-invocable: off',
        'allowed-tools: Bash(git log *), Read mcp__db',
        'disallowed-tools: [Write]',
        'model: sonnet[1m]',
        'effort: high',
        'context: fork',
        'agent: general-purpose',
        'background: 0',
        'paths: "src/**/*.{ts,tsx}, docs/**"',
        'shell: bash',
        'license: MIT',
        'metadata:',
        '  author: somebody',
      ),
    )
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
    const value = Object.fromEntries(
      Object.entries(read!).flatMap(([key, field]) => (typeof field === 'object' && 'value' in field ? [[key, field.value]] : [])),
    )
    expect(value).toEqual({
      whenToUse: 'When a version is tagged.',
      argumentHint: '[version] [date]',
      arguments: ['version', 'date'],
      disableModelInvocation: true,
      userInvocable: false,
      model: { id: 'claude-sonnet-5-5', contextWindow: '1m' },
      effort: 'high',
      context: 'fork',
      agent: 'general-purpose',
      background: false,
      paths: ['src/**/*.{ts,tsx}', 'docs/**'],
      shell: 'bash',
    })
    expect(read!.allowedTools.map(({ tool, match }) => [tool, match])).toEqual([
      ['Bash', { prefix: ['git', 'log'] }],
      ['Read', undefined],
      ['mcp__db__*', undefined],
    ])
    expect(read!.allowedTools[1]!.origin).toMatchObject({ path: '.claude/skills/notes/SKILL.md', line: 9 })
    expect(read!.disallowedTools.map(({ tool }) => tool)).toEqual(['Write'])
    expect(positionOf(read!.file.text, read!.agent!.range[0])).toEqual({ line: 14, column: 8 })
    expect(read!.content).toBe('Text of notes.')
  })

  test.each(['true', 'True', 'yes', 'on', '1', '"1"', "'yes'"])('disable-model-invocation: %s is true', async (word) => {
    expect((await oneSkill(skill('notes', `disable-model-invocation: ${word}`))).skill!.disableModelInvocation!.value).toBe(true)
  })

  test.each(['maybe', '2', '[true]'])('disable-model-invocation: %s is a warning and leaves the key out', async (word) => {
    const { skill: read, diagnostics } = await oneSkill(skill('notes', `disable-model-invocation: ${word}`))
    expect(read!.disableModelInvocation).toBeUndefined()
    expect(told(diagnostics)).toEqual(['warning field/invalid-value .claude/skills/notes/SKILL.md'])
  })

  test('a hint that is YAML for a list is shown as it stands', async () => {
    expect((await oneSkill(skill('notes', 'argument-hint: [file]'))).skill!.argumentHint!.value).toBe('[file]')
  })

  test('hooks are normalised as in agents, and a wrong shape loses them only', async () => {
    const good = await oneSkill(
      skill('notes', 'hooks:', '  Stop:', '    - hooks:', '        - type: command', '          command: ./check.sh'),
    )
    expect(good.skill!.hooks!.value.Stop![0]!.handlers).toEqual([{ type: 'command', command: './check.sh' }])
    const bad = await oneSkill(skill('notes', 'hooks: all'))
    expect([bad.skill!.hooks, told(bad.diagnostics)]).toEqual([undefined, ['warning field/invalid-value .claude/skills/notes/SKILL.md']])
  })

  test('without a description the first line of the text stands for it, and a warning says so', async () => {
    const { skill: read, diagnostics } = await oneSkill('---\nname: notes\n---\n\n## How to write notes\n\nText.\n')
    expect(read!.description).toBe('How to write notes')
    expect(told(diagnostics)).toEqual(['warning skill/missing-description .claude/skills/notes/SKILL.md'])
  })

  test('without a frontmatter the whole text counts', async () => {
    const { skill: read, diagnostics } = await oneSkill('# Notes\n\nText.\n')
    expect([read!.content, read!.description]).toEqual(['# Notes\n\nText.', 'Notes'])
    expect(told(diagnostics)).toEqual(['warning skill/no-frontmatter .claude/skills/notes/SKILL.md'])
  })

  test.each([
    ['an unclosed frontmatter', '---\nname: notes\n', 'opened here and never closed'],
    ['broken quotes', '---\ndescription: "a" b\n---\nText.\n', 'does not end where its quotes end'],
    ['a frontmatter that is a list', '---\n- a\n- b\n---\nText.\n', 'no `key: value` lines'],
    ['a frontmatter in another language', '---js\n{ description: "a" }\n---\nText.\n', 'agentc never runs code'],
    ['a run of blanks', `---\ndescription: a\n${'\n'.repeat(300)}---\nText.\n`, 'more than 200 blanks'],
  ])('%s loses the skill, with a warning that says why', async (_, text, reason) => {
    const { skill: read, diagnostics } = await oneSkill(text)
    expect(read).toBeUndefined()
    expect(told(diagnostics)).toEqual(['warning skill/unreadable .claude/skills/notes/SKILL.md'])
    expect(diagnostics[0]!.message).toContain(reason)
  })

  test('a misspelt key and a key that stands twice are said; a key of another program is not', async () => {
    const { skill: read, diagnostics } = await oneSkill(skill('notes', 'allowedTools: Read', 'effort: low', 'effort: high', 'tags: [a]'))
    expect(told(diagnostics).map((line) => line.split(' ')[1])).toEqual(['skill/duplicate-key', 'skill/misspelt-key'])
    expect([read!.effort!.value, read!.allowedTools]).toEqual(['high', []])
  })

  test.each(['\n', '\r', '\u2028', ' ', '# a\n', '  #\n'])(
    'a mebibyte of %j in the frontmatter is read or refused, and not for minutes',
    async (filler) => {
      const { skill: read, diagnostics } = await oneSkill(`---\nname: notes\n${filler.repeat(1_000_000 / filler.length)}\n---\nText.\n`)
      expect(told(diagnostics).length + (read ? 1 : 0)).toBeGreaterThan(0)
    },
  )
})

describe('gray-matter', () => {
  const trap = (where: string): string => `require('node:fs').writeFileSync(${JSON.stringify(where)}, '')`

  test.each(['js', 'javascript', 'JS', 'json', 'coffee', 'cson', 'toml'])(
    'a frontmatter in %s is not run, whoever asks for it',
    async (language) => {
      const planted = join(temporary(), 'planted')
      const text = `---${language}\n(${trap(planted)}, { description: 'a' })\n---\nText.\n`
      const document = await readDocument(file(text))
      expect('root' in document).toBe(false)
      const { data, refused } = readMatter(text, '---\n', () => ({ description: 'from YAML' }))
      expect([data, refused]).toEqual([{}, expect.any(String)])
      expect(existsSync(planted)).toBe(false)
    },
  )

  test.each(['__proto__', 'constructor', 'toString', 'valueOf'])('a language called %s is none', async (language) => {
    const document = await readDocument(file(`---${language}\nname: a\n---\nText.\n`))
    expect('root' in document ? document.root.entries : []).toEqual([])
  })

  test('YAML is given to our own reader and never to its own: dates stay text and tags do nothing', async () => {
    const document = await readDocument(file('---\nname: notes\ndescription: 2024-01-01\nmetadata: {a: !!js/function "x"}\n---\nText.\n'))
    const names =
      'root' in document ? document.root.entries.map(({ value }) => value.kind === 'scalar' && value.value) : document.diagnostics
    expect(names).toMatchObject(expect.any(Array))
    if ('root' in document) expect(names.slice(0, 2)).toEqual(['notes', '2024-01-01'])
  })

  const line = fc.constantFrom('name: a', 'x: "---"', '----', '--- b', '---c', '  ---', '---  ', '# c', '', 'd: e', 'f:', '  - g', 'text')
  const ending = fc.constantFrom('\n', '\r\n')

  test('it divides a file where our own reader does, whatever stands in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(line, ending)), fc.boolean(), async (lines, ended) => {
        const written = `---\n${lines.map(([text, end]) => text + end).join('')}`
        const text = ended ? written : written.replace(/\r?\n$/, '')
        const division = divide(text)
        if (division.kind !== 'frontmatter') return
        const closing = text.slice(division.yaml[1], division.bodyStart)
        let given: string | undefined
        const { content } = readMatter(text, closing, (yaml) => ((given = yaml), {}))
        expect(promptOf(content, 0)).toBe(promptOf(text, division.bodyStart))
        if (given !== undefined) expect(given.trim()).toBe(text.slice(...division.yaml).trim())
      }),
      { numRuns: 2000 },
    )
  })
})
