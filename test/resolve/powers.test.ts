import { describe, expect, test } from 'vitest'
import type { ResolvedAgent } from '../../compiler/resolve/resolved.ts'
import { agent } from '../support/bin.ts'
import { resolved, source } from '../support/definitions.ts'

/** An agent with these lines, among others that it may name. */
async function one(...lines: string[]): Promise<ResolvedAgent> {
  const others = ['b', 'c', 'code reviewer'].map((name, i) => source(agent(name), `.claude/agents/${i}.md`))
  const plugin = { ...source(agent('migrate'), 'agents/db/migrate.md', 'plugin'), namespace: 'kit:db' }
  return (await resolved([plugin, ...others, source(agent('a', ...lines))])).agents.get('a')!
}

const rules = (list: ResolvedAgent['limits']) => list.map(({ tool, match }) => ({ tool, ...match }))

describe('which agents it may start', () => {
  test.each([
    ['all without a list', [], 'all'],
    ['none if the list has no Agent', ['tools: Read'], []],
    ['all with a bare Agent', ['tools: Agent, Read'], 'all'],
    ['those that are named, in their order, each once', ['tools: Agent(b, a), Task(a, c)'], ['b', 'a', 'c']],
    ['all if Agent also stands without names', ['tools: Agent(a), Agent'], 'all'],
    ['not those that are not there', ['tools: Agent(nobody, b)'], ['b']],
    ['names with blanks and of plugins', ['tools: ["Agent(code reviewer, kit:db:migrate)"]'], ['code reviewer', 'kit:db:migrate']],
  ])('%s', async (_what, lines, spawns) => {
    expect((await one(...lines)).spawns).toEqual(spawns)
  })
})

describe('what is in brackets', () => {
  test('of tools is a cap, parsed, with the place it was written at', async () => {
    const { limits } = await one(
      'tools: Bash(git status:*), Bash(npm test), Read(./src/**), Read(~/x), Read(//etc/x), WebFetch(domain:Example.org.), Skill(review:*)',
    )
    expect(rules(limits)).toEqual([
      { tool: 'Bash', prefix: ['git', 'status'] },
      { tool: 'Bash', exact: 'npm test' },
      { tool: 'Read', path: 'src/**', anchor: 'cwd' },
      { tool: 'Read', path: '/x', anchor: 'home' },
      { tool: 'Read', path: '/etc/x', anchor: 'root' },
      { tool: 'WebFetch', domain: 'example.org' },
      { tool: 'Skill', namePrefix: 'review:' },
    ])
    expect(limits[1]!.origin).toEqual({ source: 'project', path: '.claude/agents/a.md', line: 4, column: 28 })
  })

  test('of tools holds nothing if the tool also stands without brackets, or with a star in them', async () => {
    expect((await one('tools: Bash(git *), Bash, Read(*)')).limits).toEqual([])
  })

  test('of disallowedTools is a deny rule, and each agent that is named is one of its own', async () => {
    const { deny } = await one('disallowedTools: Bash(rm -rf *), Agent(a, b), Grep')
    expect(rules(deny)).toEqual([
      { tool: 'Bash', prefix: ['rm', '-rf'] },
      { tool: 'Agent', name: 'a' },
      { tool: 'Agent', name: 'b' },
    ])
  })
})

describe('advice on searching', () => {
  const builtIn = async (...lines: string[]): Promise<string> => {
    const text = agent('a', ...lines).replace('You are a.', 'Look: {{search-guidance}}')
    return (await resolved([source(text, 'agents/a.md', 'builtin')])).agents.get('a')!.prompt
  }

  test.each([
    ['Grep and Glob', [], /by name with Glob and by content with Grep/],
    ['only Bash', ['tools: Bash, Read'], /`find` or `git ls-files`/],
    ['only one of the two', ['tools: Grep, Bash, Read'], /`grep -rn` in Bash/],
    ['only Read', ['tools: Read'], /no tool to search with/],
    ['no tool at all', ['tools: []'], /cannot open files/],
  ])('in the prompt of a built-in agent fits %s', async (_what, lines, advice) => {
    const prompt = await builtIn(...lines)
    expect(prompt).toMatch(advice)
    expect(prompt).not.toContain('{{')
  })

  test('is never put into the prompt of anybody else', async () => {
    const text = agent('a').replace('You are a.', 'Look: {{search-guidance}}')
    const { agents } = await resolved([source(text)])
    expect(agents.get('a')!.prompt).toBe('Look: {{search-guidance}}')
  })
})
