import { describe, expect, test } from 'vitest'
import type { ToolEntry } from '../../compiler/define/definition.ts'
import { readFields } from './read.ts'

type Row = [lines: string, names: string[] | 'all', ...found: string[]]

const names = (entries: readonly ToolEntry[]): string[] =>
  entries.map(({ name, specifier }) => (specifier === undefined ? name : `${name}<${specifier}>`))

describe('every spelling of tools (measured.md "Tools of a sub-agent")', () => {
  test.each<Row>([
    ['', 'all'],
    ['tools: *', 'all', 'yaml/recovered at *'],
    ['tools: "*"', 'all'],
    ['tools: ["*"]', 'all'],
    ['tools: "*, Read"', 'all', 'tool/wildcard-mix at *'],
    ['tools: ["*", Read]', 'all', 'tool/wildcard-mix at *'],
    ['tools:', [], 'tool/empty at tools'],
    ['tools: ""', [], 'tool/empty at tools'],
    ['tools: " "', [], 'tool/empty at tools'],
    ['tools: []', []],
    ['tools: 3', [], 'tool/type at 3'],
    ['tools: true', [], 'tool/type at true'],
    ['tools: { Read: true }', [], 'tool/type at { Read: true }'],
    ['tools:\n  Read: true', [], 'tool/type at tools'],
    ['tools: [Read, 3]', ['Read'], 'tool/type at 3'],
    ['tools: Read,Write', ['Read', 'Write']],
    ['tools: Read, Write', ['Read', 'Write']],
    ['tools: Read Write', ['Read', 'Write']],
    ['tools: Read | Write', ['Read', 'Write']],
    ['tools: "Read, Write"', ['Read', 'Write']],
    ['tools: [Read, Write]', ['Read', 'Write']],
    ['tools:\n  - Read\n  - Write', ['Read', 'Write']],
    ['tools:\n- Read\n- Write', ['Read', 'Write']],
    ['tools:\n  - Read, Write', ['Read', 'Write']],
    ['tools: |\n  Read\n  Write', ['Read', 'Write']],
    ['tools: Read,\n  Write', ['Read', 'Write']],
    ['tools: Read, Read', ['Read', 'Read']],
    ['tools: Read,, Write,', ['Read', 'Write']],
    ['tools: Read # only', ['Read']],
    ['tools: Read; Bash', ['Read;', 'Bash']],
    ['tools: Read and Bash', ['Read', 'and', 'Bash']],
    [`tools: '["Read", "Bash"]'`, [], `tool/json-string at '["Read", "Bash"]'`],
    ['tools: "[Read, Bash]"', [], 'tool/json-string at "[Read, Bash]"'],
    ['tools: Bash(git add:*, git commit:*), Read', ['Bash<git add:*, git commit:*>', 'Read']],
    ['tools: Bash(git *) Read', ['Bash<git *>', 'Read']],
    ['tools: Bash(*), Read()', ['Bash', 'Read']],
    ['tools: Agent(a, b), Agent(c)', ['Agent<a, b>', 'Agent<c>']],
    ['tools: [Agent(a), "Bash(ls *)"]', ['Agent<a>', 'Bash<ls *>']],
    ['tools: mcp__db, mcp__db__*, mcp__db__query', ['mcp__db', 'mcp__db__*', 'mcp__db__query']],
    ['tools: Bash(unclosed, Read', ['Bash(unclosed, Read']],
  ])('%j', async (lines, expected, ...found) => {
    const read = await readFields(lines)
    const { tools, file } = read.agent!
    expect(tools.kind === 'all' ? 'all' : names(tools.entries)).toEqual(expected)
    expect(read.found).toEqual(found)
    if (tools.kind === 'only') for (const entry of tools.entries) expect(file.text.slice(...entry.range)).toBe(entry.text)
  })
})

describe('disallowedTools is read the same way, but nothing and a star are nothing special', () => {
  test.each<[string, string[], ...string[]]>([
    ['disallowedTools: Bash, Write', ['Bash', 'Write']],
    ['disallowedTools: [Bash, "Bash(rm *)"]', ['Bash', 'Bash<rm *>']],
    ['disallowedTools: "*"', ['*']],
    ['disallowedTools:', []],
    ['disallowedTools: []', []],
    ['disallowedTools: mcp__*', ['mcp__*']],
    ['disallowedTools: 3', [], 'tool/type at 3'],
    ['disallowedTools: { Bash: true }', [], 'tool/type at { Bash: true }'],
    [`disallowedTools: '["Bash"]'`, [], `tool/json-string at '["Bash"]'`],
  ])('%j', async (lines, expected, ...found) => {
    const read = await readFields(lines)
    expect(names(read.agent!.disallowedTools)).toEqual(expected)
    expect(read.found).toEqual(found)
  })
})
