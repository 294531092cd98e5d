import { expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { jsonReport } from '../../compiler/report/json.ts'
import { AGENTC } from '../../schemas/profile.ts'
import type { JsonDiagnostic } from '../../schemas/shapes/output.ts'
import { agent } from '../support/bin.ts'
import { optionsFor, put, temporary } from '../support/tree.ts'

async function findings(files: Record<string, string>, spawnDepth = 1): Promise<JsonDiagnostic[]> {
  const root = temporary()
  put(root, 'project/.git/HEAD', '')
  for (const [path, text] of Object.entries(files)) put(root, path, text)
  const { diagnostics } = await compile(optionsFor(root, { profile: { ...AGENTC, spawnDepth } }))
  return jsonReport(diagnostics, 0).diagnostics
}

const of = (found: JsonDiagnostic[], code: string): JsonDiagnostic[] => found.filter((item) => item.code === code)

test('names that differ by case or separators are reported at the later one, with the other and its file', async () => {
  const found = await findings({
    'home/.claude/agents/a.md': agent('code-reviewer'),
    'project/.claude/agents/b.md': agent('Code_Reviewer'),
    'project/.claude/agents/c.md': agent('codereviewer2'),
  })
  expect(of(found, 'agent/near-duplicate')).toMatchObject([
    {
      file: '.claude/agents/b.md',
      range: { start: { line: 2, column: 7 } },
      message: expect.stringContaining('`code-reviewer` (agents/a.md)') as string,
      related: [{ file: '~/.claude/agents/a.md' }],
    },
  ])
})

test('a built-in name in another case is an info, the same name is an override, names of signs alone are neither', async () => {
  const found = await findings({
    'project/.claude/agents/a.md': agent('PLAN'),
    'project/.claude/agents/b.md': agent('Explore'),
    'project/.claude/agents/c.md': agent('_'),
    'project/.claude/agents/d.md': agent('__'),
  })
  expect(of(found, 'agent/near-builtin')).toMatchObject([{ file: '.claude/agents/a.md', severity: 'info' }])
  expect(of(found, 'agent/near-duplicate')).toEqual([])
})

test('a replaced file is no near-duplicate: only the agents that there are count', async () => {
  const found = await findings({
    'home/.claude/agents/a.md': agent('Helper'),
    'project/.claude/agents/a.md': agent('Helper'),
    'project/.claude/agents/b.md': agent('helper'),
  })
  expect(of(found, 'agent/near-duplicate').map(({ file }) => file)).toEqual(['.claude/agents/b.md'])
})

test('a spawn target that is dropped is said to be so, one that a higher layer replaced is an info', async () => {
  const found = await findings({
    'home/.claude/agents/lead.md': agent('lead', 'tools: Read, Agent(tester, broken, other)'),
    'home/.claude/agents/tester.md': agent('tester'),
    'home/.claude/agents/broken.md': '---\nname: broken\n---\n\nWorks.\n',
    'project/.claude/agents/tester.md': agent('tester'),
    'project/.claude/agents/other.md': agent('other'),
  })
  expect(of(found, 'reference/unknown-agent')).toMatchObject([
    { message: '`broken` cannot be started, because no definition can be read from agents/broken.md.' },
  ])
  expect(of(found, 'reference/shadowed-agent')).toMatchObject([
    { file: '~/.claude/agents/lead.md', message: expect.stringContaining('`tester`') as string, range: { start: { line: 4, column: 20 } } },
  ])
})

test('circles of lists are an info where agents nest, and nothing where they do not', async () => {
  const files = {
    'project/.claude/agents/a.md': agent('a', 'tools: Read, Agent(b)'),
    'project/.claude/agents/b.md': agent('b', 'tools: Read, Agent(c)'),
    'project/.claude/agents/c.md': agent('c', 'tools: Read, Agent(a)'),
    'project/.claude/agents/d.md': agent('d', 'tools: Read, Agent(a)'),
    'project/.claude/agents/e.md': agent('e', 'tools: Read, Agent(e)'),
  }
  expect(of(await findings(files), 'agent/spawn-cycle')).toEqual([])
  const deep = of(await findings(files, 3), 'agent/spawn-cycle')
  expect(deep.map(({ file }) => file)).toEqual(['.claude/agents/a.md', '.claude/agents/e.md'])
  expect(deep[0]!.message).toContain('a → b → c → a')
})

test('the budget counts what goes out with every request, and names total and largest files', async () => {
  const long = (name: string, characters: number): string =>
    `---\nname: ${name}\ndescription: ${'x'.repeat(characters)}\n---\n\nYou work.\n`
  const under = { 'project/.claude/agents/a.md': long('a', 29_000), 'project/.claude/agents/b.md': long('b', 30_000) }
  expect(of(await findings(under), 'agent/description-budget')).toEqual([])
  const over = await findings({ ...under, 'home/.claude/agents/c.md': long('c', 1_200) })
  expect(of(over, 'agent/description-budget')).toMatchObject([
    {
      severity: 'warning',
      file: '.claude/agents',
      range: { start: { line: 1, column: 1 } },
      message: expect.stringContaining('15,051 tokens') as string,
      help: expect.stringContaining('.claude/agents/b.md (7,500), .claude/agents/a.md (7,250), agents/c.md (300)') as string,
    },
  ])
  const replaced = await findings({ ...under, 'home/.claude/agents/a.md': long('a', 60_000) })
  expect(of(replaced, 'agent/description-budget')).toEqual([])
})
