import { describe, expect, test } from 'vitest'
import type { ListEntry } from '../../schemas/shapes/output.ts'
import { loadingOf } from '../../compiler/commands/loading.ts'
import { SOURCES } from '../../schemas/source.ts'
import { agent, agentc, agents, project } from '../support/bin.ts'
import { put } from '../support/tree.ts'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'

const BUILT_IN = ['Explore', 'Plan', 'claude-code-guide', 'general-purpose', 'statusline-setup']

/** The agents that the program lists in a project that has one of each layer a person can write to. */
async function listed(env: Record<string, string>, argv: readonly string[] = []): Promise<string[]> {
  const cwd = project({ ...agents({ ofProject: [], Plan: [] }), '.claude/settings.local.json': '{"permissions":{"deny":["Bash"]}}' })
  put(join(cwd, '..'), 'home/.claude/agents/u.md', agent('ofUser'))
  put(join(cwd, '..'), 'managed/.claude/agents/m.md', agent('ofPolicy'))
  put(join(cwd, '..'), 'kit/agents/p.md', agent('helper'))
  const flags = ['--managed-dir', '../managed', '--plugin-dir', '../kit', '--format', 'json', ...argv]
  const { out, err } = await agentc(['list', ...flags], { cwd, env })
  if (out === '') return [err]
  return (JSON.parse(out) as ListEntry[]).map(({ name, source }) => (name === 'Plan' ? `Plan of ${source}` : name))
}

const EVERYTHING = ['Explore', 'Plan of project', ...BUILT_IN.slice(2), 'kit:helper', 'ofPolicy', 'ofProject', 'ofUser'].sort()

describe('modes of loading', () => {
  test.each<[string, Record<string, string>, string[], string[]]>([
    ['nothing special', {}, [], EVERYTHING],
    ['simple mode', { CLAUDE_CODE_SIMPLE: '1' }, [], ['Explore', 'Plan of builtin', ...BUILT_IN.slice(2), 'ofPolicy'].sort()],
    [
      'no built-in agents',
      { CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: 'true' },
      [],
      ['Plan of project', 'kit:helper', 'ofPolicy', 'ofProject', 'ofUser'],
    ],
    ['neither Explore nor Plan', { CLAUDE_CODE_DISABLE_EXPLORE_PLAN_AGENTS: '1' }, [], EVERYTHING.filter((name) => name !== 'Explore')],
    [
      'an entry point without the guide',
      { CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' },
      [],
      EVERYTHING.filter((name) => name !== 'claude-code-guide'),
    ],
    ['the verification agent', {}, ['--feature', 'verification'], [...EVERYTHING, 'verification']],
    ['the verification agent by a variable', { AGENTC_FEATURES: 'verification' }, [], [...EVERYTHING, 'verification']],
    [
      'only settings of the user',
      {},
      ['--setting-sources', 'user'],
      EVERYTHING.filter((name) => name !== 'ofProject').map((name) => name.replace('Plan of project', 'Plan of builtin')),
    ],
    ['only settings of the project', {}, ['--setting-sources', 'project,local'], EVERYTHING.filter((name) => name !== 'ofUser')],
    ['a switch that is off', { CLAUDE_CODE_SIMPLE: '0' }, [], EVERYTHING],
  ])('%s', async (_title, env, argv, expected) => {
    expect(await listed(env, argv)).toEqual(expected)
  })

  test.each([
    [['--feature', 'magic'], 'There is no feature "magic"'],
    [['--setting-sources', 'usr'], '--setting-sources takes a list of user, project, local, but got "usr"'],
    [['--layers', 'home'], 'There is no layer "home"'],
  ])('%j is wrong usage that names what there is', async (argv, message) => {
    expect((await listed({}, argv))[0]).toContain(message)
  })

  test('a build that names its layers depends on no variable', () => {
    const env = { CLAUDE_CODE_SIMPLE: '1', CLAUDE_CODE_ENTRYPOINT: 'sdk-py', AGENTC_FEATURES: 'teams', CLAUDE_CODE_FORK_SUBAGENT: '1' }
    expect(loadingOf({ layers: 'builtin,project' }, { env })).toEqual({ layers: ['builtin', 'project'] })
    expect(loadingOf({}, { env: {} })).toEqual({ layers: SOURCES })
  })

  test('without `local` the settings of one person for the project do not count, with it alone only they do', async () => {
    const cwd = project({
      '.claude/settings.json': '{"permissions":{"deny":["Read"]}}',
      '.claude/settings.local.json': '{"permissions":{"deny":["Bash"]}}',
    })
    const denied = async (sources: string): Promise<unknown> => {
      await agentc(['build', '--setting-sources', sources], { cwd })
      const manifest = JSON.parse(readFileSync(join(cwd, '.agentc/manifest.json'), 'utf8')) as { permissions: { deny: { tool: string }[] } }
      return manifest.permissions.deny.map(({ tool }) => tool)
    }
    expect([await denied('user,project,local'), await denied('project'), await denied('local'), await denied('user')]).toEqual([
      ['Read', 'Bash'],
      ['Read'],
      ['Bash'],
      [],
    ])
  })

  test('without auto memory no agent has a memory, nor the tools that it grants, and a manifest of before is stale', async () => {
    const cwd = project(agents({ a: ['tools: Grep', 'memory: project'] }))
    const listed = async (env: Record<string, string>) => {
      const { code, out } = await agentc(['build'], { cwd, env })
      const text = readFileSync(join(cwd, '.agentc/manifest.json'), 'utf8')
      const { a } = (JSON.parse(text) as { agents: Record<string, { memory?: string; toolViews: { main: { tools: string[] } } }> }).agents
      return [code, out.includes('wrote'), a!.memory, a!.toolViews.main.tools]
    }
    expect(await listed({})).toEqual([0, true, 'project', ['Grep', 'Write', 'Edit', 'Read']])
    expect(await listed({ CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' })).toEqual([0, true, undefined, ['Grep']])
  })

  test('features stand in the manifest, and another choice of them makes it stale', async () => {
    const cwd = project(agents({ a: [] }))
    await agentc(['build', '--feature', 'teams', '--feature', 'fork'], { cwd })
    const read = (): { features: unknown } => JSON.parse(readFileSync(join(cwd, '.agentc/manifest.json'), 'utf8')) as { features: unknown }
    expect(read().features).toEqual({ fork: true, teams: true })
    const check = await agentc(['build', '--check'], { cwd })
    expect([check.code, check.out]).toEqual([1, expect.stringContaining('stale')])
    await agentc(['build'], { cwd })
    expect(read().features).toEqual({})
  })
})
