import { beforeAll, describe, expect, test } from 'vitest'
import { agentc, agents, project, type Ran } from '../support/bin.ts'

const FILES = {
  ...agents({
    reviewer: [
      'tools: Read, Bash(git *), Grep',
      'disallowedTools: Grep',
      'model: opus[1m]',
      'memory: project',
      'experimental:',
      '  cacheTtl: 1h',
    ],
    bystander: ['disallowedTools: bash'],
  }),
  '.claude/agents/explore.md': '---\nname: Explore\ndescription: Looks around here.\n---\n\nYou look.\n',
  '.claude/agents/broken.md': '---\nname: broken\ndescription: "Half" quoted\n---\n\nYou work.\n',
}

describe('agentc explain', () => {
  let cwd = ''
  const explain = (...argv: string[]): Promise<Ran> => agentc(['explain', ...argv], { cwd })
  beforeAll(() => {
    cwd = project(FILES)
  })

  test('tells which file won, field by field where each value comes from, and why each tool is in or out', async () => {
    const { code, out, err } = await explain('reviewer')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const lines = out.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
    expect(lines).toContain('wins project .claude/agents/reviewer.md')
    expect(lines).toContain('description Does what reviewer does. .claude/agents/reviewer.md:3:14')
    expect(lines).toContain('tools Read, Bash(git *), Grep .claude/agents/reviewer.md:4:8')
    expect(lines).toContain('disallowedTools Grep .claude/agents/reviewer.md:5:18')
    expect(lines).toContain('model claude-opus-5-5[1m] .claude/agents/reviewer.md:6:8')
    expect(lines).toContain('memoryFolder .claude/agent-memory/reviewer by its scope, its name and where its file is')
    expect(lines).toContain('experimental {"cacheTtl":"1h"} .claude/agents/reviewer.md:8:1')
    expect(lines).toContain('Bash yes yes yes yes granted by tools at .claude/agents/reviewer.md:4:14')
    expect(lines).toContain('Write yes yes yes yes added by memory at .claude/agents/reviewer.md:7:9')
    expect(out).toContain('  Grep\n    taken away by disallowedTools at .claude/agents/reviewer.md:5:18\n')
    expect(out).toMatch(/^ {2}Agent, .*\bGlob, .*\n {4}not in tools at \.claude\/agents\/reviewer\.md:4:8$/m)
  })

  test('shows the chain of an overridden agent, winner first', async () => {
    const { out } = await explain('Explore')
    const chain = out.split('\n').filter((line) => /wins|replaced/.test(line))
    expect(chain.map((line) => line.trim().split(/\s+/))).toEqual([
      ['wins', 'project', '.claude/agents/explore.md'],
      ['replaced', 'builtin', '<builtin>/agents/explore.md'],
    ])
  })

  test('explains one tool, also by an old name of it, and one field', async () => {
    const tool = await explain('Explore', 'Task')
    expect(tool.out).toMatch(
      /^Explore: Agent\n {2}main +yes +no list restricts it\n {2}sub +no +a sub-agent at the depth limit starts no others\n/,
    )
    const field = await explain('reviewer', 'model')
    expect(field.out).toBe('model: claude-opus-5-5[1m]\n  .claude/agents/reviewer.md:6:8\n')
    const json = await explain('reviewer', 'Write', '--format', 'json')
    expect(JSON.parse(json.out)).toMatchObject({ tool: 'Write', roles: { main: { in: true }, background: { in: true } } })
  })

  test('a field that agents may have and this one has not is said to be not set, and not to be none', async () => {
    const unset = await explain('reviewer', 'maxTurns')
    const from = 'nothing that counts in .claude/agents/reviewer.md sets it'
    expect(unset).toEqual({ code: 0, out: `maxTurns: not set\n  ${from}\n`, err: '' })
    const json = await explain('reviewer', 'maxTurns', '--format', 'json')
    expect(JSON.parse(json.out)).toEqual({ field: 'maxTurns', value: null, from })
    expect((await explain('reviewer', 'name')).out).toBe('name: reviewer\n  .claude/agents/reviewer.md\n')
    expect(await explain('reviewer', 'maxturns')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean maxTurns?') as string,
    })
  })

  test('explains a tool of a server by its full name: which list, server or rule decides', async () => {
    const where = project({
      ...agents({
        reader: ['tools: Read, mcp__db__query, mcp__gone', 'mcpServers: [web]', 'disallowedTools: mcp__web__post'],
        open: [],
      }),
      '.mcp.json': '{"mcpServers": {"db": {"command": "db"}, "web": {"command": "web"}, "shop": {"command": "shop"}}}',
      '.claude/settings.json': '{"permissions": {"deny": ["mcp__shop"]}}',
    })
    const main = async (name: string, tool: string): Promise<unknown> => {
      const { out } = await agentc(['explain', name, tool, '--format', 'json'], { cwd: where })
      return (JSON.parse(out) as { roles: { main: unknown; background: unknown } }).roles.main
    }
    const file = '.claude/agents/reader.md'
    expect(await main('reader', 'mcp__db__query')).toEqual({ in: true, why: `granted by tools at ${file}:4:14` })
    expect(await main('reader', 'mcp__web__get')).toEqual({ in: true, why: `granted by mcpServers at ${file}:5:13` })
    expect(await main('reader', 'mcp__web__post')).toEqual({ in: false, why: `taken away by disallowedTools at ${file}:6:18` })
    expect(await main('reader', 'mcp__db__drop')).toEqual({ in: false, why: `not in tools at ${file}:4:8` })
    const lacking = 'but nothing here sets up its server; the session that runs the agent may'
    expect(await main('reader', 'mcp__gone__x')).toEqual({ in: true, why: `granted by tools at ${file}:4:30, ${lacking}` })
    expect(await main('open', 'mcp__db__drop')).toEqual({ in: true, why: 'no list restricts it' })
    const denial = 'taken from everyone by the deny rule mcp__shop at .claude/settings.json:1:27'
    expect(await main('open', 'mcp__shop__buy')).toEqual({ in: false, why: denial })
    const text = await agentc(['explain', 'reader', 'mcp__db__query'], { cwd: where })
    expect(text.out).toMatch(/^reader: mcp__db__query\n {2}main +yes +granted by tools at /)
  })

  test('explains a code: what, why and what to do, with a bad and a good example', async () => {
    const { code, out } = await explain('tool/unknown')
    expect(code).toBe(0)
    expect(out).toMatch(/^tool\/unknown \(warning\)\n {2}\S.*\n {2}why: .+\n {2}do: {2}.+\n\n {2}bad: .+\n(?:.*\n)+ {2}good: /)
    expect(JSON.parse((await explain('tool/unknown', '--format', 'json')).out)).toMatchObject({ code: 'tool/unknown', severity: 'warning' })
    const all = await explain('--all', '--format', 'json')
    expect(Object.keys(JSON.parse(all.out) as object)).toContain('tool/unknown')
  })

  test('an unknown name, tool or field is exit code 2 with what was probably meant', async () => {
    expect(await explain('reviewr')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('There is no agent "reviewr". Did you mean reviewer?') as string,
    })
    expect(await explain('zzz')).toMatchObject({
      code: 2,
      err: expect.stringContaining('The agents are Explore, Plan, bystander') as string,
    })
    expect(await explain('tool/unknwn')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean tool/unknown?') as string })
    expect(await explain('reviewer', 'Grpe')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean Grep?') as string })
    expect(await explain()).toMatchObject({ code: 2, err: expect.stringContaining('explain takes an agent') as string })
  })

  test('a dropped agent is exit code 1 with the findings of its file, and a blocking error elsewhere hides nobody', async () => {
    const dropped = await explain('broken')
    expect(dropped).toMatchObject({ code: 1, out: '' })
    expect(dropped.err).toContain('There is no agent "broken": its file gives no definition.')
    expect(dropped.err).toContain('error[yaml/quotes]')
    expect(dropped.err).not.toContain('bystander')
    expect((await explain('bystander')).code).toBe(0)
  })
})
