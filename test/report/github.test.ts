import { expect, test } from 'vitest'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { githubReport } from '../../compiler/report/github.ts'
import { agent, agentc, project } from '../support/bin.ts'

const text = 'tools: Read, Grpe\nnext: 100%\n'
const item = (more: Partial<Diagnostic>, range: [number, number] = [13, 17]): Diagnostic => ({
  code: 'tool/unknown',
  severity: 'error',
  message: 'There is no tool `Grpe`.',
  at: { origin: { source: 'project', path: '.claude/agents/a.md' }, text, range },
  ...more,
})

test('a finding is one workflow command with file, lines, columns, title, message and help', () => {
  expect(githubReport([item({ help: 'Did you mean `Grep`?' })])).toBe(
    '::error file=.claude/agents/a.md,line=1,endLine=1,col=14,endColumn=18,title=tool/unknown::There is no tool `Grpe`. Did you mean `Grep`?\n',
  )
})

test('levels are those of GitHub, and a place over several lines has no last column', () => {
  expect(githubReport([item({ severity: 'warning' }, [7, 25]), item({ severity: 'info' })]).split('\n')).toEqual([
    '::warning file=.claude/agents/a.md,line=1,endLine=2,col=8,title=tool/unknown::There is no tool `Grpe`.',
    expect.stringMatching(/^::notice /),
    '',
  ])
})

test('nothing that a file says can end the line, begin a command or add a property', () => {
  const path = 'a,line=9::b\n::error::x.md'
  const message = '100% of\r\n::add-mask::secret\u001b[31m\u202e'
  const [line, end, ...rest] = githubReport([item({ message, at: { origin: { source: 'project', path }, text, range: [0, 1] } })]).split(
    '\n',
  )
  expect([end, rest]).toEqual(['', []])
  expect(line).toMatch(/^::error file=a%2Cline=9%3A%3Ab[^:,]*x\.md,line=1,endLine=1,col=1,endColumn=2,title=tool\/unknown::100%25 of/)
  expect(line).not.toMatch(/[\u001b\u202e\r]/)
})

test('the program prints nothing else on standard output', async () => {
  const cwd = project({ '.claude/agents/a.md': agent('a', 'tools: Read, Grpe', 'disallowedTools: bash') })
  const { out, err, code } = await agentc(['build', '--format', 'github'], { cwd })
  expect(code).toBe(1)
  for (const line of out.trimEnd().split('\n')) expect(line).toMatch(/^::(?:error|warning|notice) file=/)
  expect(err).toContain('no manifest was written')
})
