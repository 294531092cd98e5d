import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Explanation } from '../../compiler/explain/agent.ts'
import { agent, agentc, project } from '../support/bin.ts'
import { put } from '../support/tree.ts'

/** One agent, and everything around it that has a say: each with the file and line it came from, and by whom it is overruled. */

const GUARD = ['tools: Read, Bash(git *), mcp__db__query', 'disallowedTools: Bash(git push *)']
const MORE = ['hooks:', '  PreToolUse:', '    - matcher: Bash', '      hooks:', '        - type: command', '          command: check-git']
const SERVERS = ['mcpServers:', '  - own:', '      command: own-server', '  - nowhere', 'skills: [notes]']
const hooks = (command: string) => ({ PreToolUse: [{ hooks: [{ type: 'command', command }] }] })
const json = (value: unknown): string => JSON.stringify(value, null, 2)
const skill = (text: string): string => `---\nname: notes\ndescription: Notes.\n---\n\n${text}\n`

let cwd = ''
beforeAll(() => {
  cwd = project({
    '.claude/agents/guard.md': agent('guard', ...GUARD, ...MORE, ...SERVERS),
    '.claude/settings.json': json({
      permissions: { allow: ['Bash(git status)', 'WebFetch'], deny: ['WebFetch'], defaultMode: 'plan' },
      hooks: hooks('from-project'),
      env: { COLOUR: 'red' },
    }),
    '.mcp.json': json({ mcpServers: { db: { command: 'project-db' } } }),
    '.claude/skills/notes/SKILL.md': skill('Of the project.'),
  })
  const root = join(cwd, '..')
  put(root, 'home/.claude/settings.json', json({ permissions: { defaultMode: 'acceptEdits' }, env: { COLOUR: 'blue' } }))
  put(root, 'home/.claude.json', json({ mcpServers: { db: { command: 'user-db' } } }))
  put(root, 'home/.claude/skills/notes/SKILL.md', skill('Of the user.'))
  put(root, 'kit/hooks/hooks.json', json({ hooks: hooks('from-plugin') }))
  put(root, 'strict/managed-settings.json', json({ allowManagedHooksOnly: true, allowManagedPermissionRulesOnly: true }))
})

const explain = async (...argv: string[]): Promise<string> =>
  (await agentc(['explain', 'guard', '--plugin-dir', '../kit', ...argv], { cwd })).out
const explained = async (...argv: string[]): Promise<Explanation> => JSON.parse(await explain('--format', 'json', ...argv)) as Explanation

/** `name < from < what keeps it from counting`. */
const shown = (all: Explanation['rules']): string[] => all.map(({ name, from, off }) => [name, from, ...(off ? [off] : [])].join(' < '))

describe('explain shows, each with its file and line and who overruled it,', () => {
  test('the rules of agent and settings', async () => {
    expect(shown((await explained()).rules)).toEqual([
      'only Bash(git:*) < .claude/agents/guard.md:4:14',
      'deny Bash(git push:*) < .claude/agents/guard.md:5:18',
      'deny WebFetch < .claude/settings.json:8:7',
      'allow Bash(git status) < .claude/settings.json:4:7',
      'allow WebFetch < .claude/settings.json:5:7 < deny WebFetch at .claude/settings.json:8:7',
    ])
  })

  test('the hooks of settings, plugins and the agent', async () => {
    expect(shown((await explained()).hooks)).toEqual([
      'PreToolUse: from-project < .claude/settings.json:14:7',
      'PreToolUse: from-plugin < <plugin kit>/hooks/hooks.json:4:7',
      'PreToolUse Bash: check-git < .claude/agents/guard.md:8:7',
    ])
  })

  test('rules and hooks that managed settings switch off', async () => {
    const { rules, hooks: all } = await explained('--managed-dir', '../strict')
    const switched = (lines: string[]): string[] =>
      lines.filter((line) => line.includes('allowManaged')).map((line) => line.replace(/ at .*$/, ''))
    expect(switched(shown(rules))).toEqual([
      'allow Bash(git status) < .claude/settings.json:4:7 < allowManagedPermissionRulesOnly',
      'allow WebFetch < .claude/settings.json:5:7 < allowManagedPermissionRulesOnly',
    ])
    expect(switched(shown(all))).toEqual([
      'PreToolUse Bash: check-git < .claude/agents/guard.md:8:7 < allowManagedHooksOnly',
      'PreToolUse: from-project < .claude/settings.json:14:7 < allowManagedHooksOnly',
      'PreToolUse: from-plugin < <plugin kit>/hooks/hooks.json:4:7 < allowManagedHooksOnly',
    ])
    expect(all[0]!.off).toMatch(/^allowManagedHooksOnly at .*managed-settings\.json:2:28$/)
  })

  test('servers, skills and settings with what they replaced', async () => {
    const { servers, skills, settings } = await explained()
    expect(servers.map(({ name, from, overruled, off }) => [name, from, ...overruled, ...(off ? [off] : [])])).toEqual([
      ['own (its own)', '.claude/agents/guard.md:13:5'],
      ['nowhere', '.claude/agents/guard.md:15:5', expect.stringContaining('nothing here sets it up')],
      ['db', '.mcp.json:3:5', '~/.claude.json:3:5'],
    ])
    expect(skills).toEqual([
      { name: 'notes', from: expect.stringContaining('notes/SKILL.md:2'), overruled: [expect.stringContaining('SKILL.md:2')] },
    ])
    expect(settings.map(({ name, from, overruled }) => [name, from, ...overruled])).toEqual([
      [
        'permissions.defaultMode plan',
        '.claude/settings.json:10:20',
        'permissions.defaultMode acceptEdits at ~/.claude/settings.json:3:20',
      ],
      ['env.COLOUR', '.claude/settings.json:25:15', 'env.COLOUR at ~/.claude/settings.json:6:15'],
    ])
  })

  test('the same as text', async () => {
    const lines = (await explain('--managed-dir', '../strict')).split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
    for (const title of ['servers', 'skills', 'rules', 'hooks', 'settings']) expect(lines).toContain(title)
    expect(lines).toContain('deny WebFetch .claude/settings.json:8:7')
    expect(lines.find((line) => line.startsWith('PreToolUse Bash: check-git'))).toMatch(
      /^PreToolUse Bash: check-git \.claude\/agents\/guard\.md:8:7 does not count: allowManagedHooksOnly at /,
    )
  })
})

describe('the instructions of an agent', () => {
  test('are explained in the order in which it gets them, with what keeps one from counting', async () => {
    const where = project({
      'CLAUDE.md': 'See @docs/style.md.\n',
      'docs/style.md': 'Two spaces.\n',
      'CLAUDE.local.md': 'Mine.\n',
      '.claude/rules/old.md': 'Old.\n',
      '.claude/settings.json': json({ claudeMdExcludes: ['**/old.md'] }),
      '.claude/agents/guard.md': agent('guard'),
      '.claude/agents/apart.md': agent('apart', 'omitClaudeMd: true'),
    })
    put(where, '../home/.claude/CLAUDE.md', 'English.\n')
    put(where, '../managed/CLAUDE.md', 'Never push.\n')
    const shownFor = async (name: string): Promise<string[]> => {
      const { out } = await agentc(['explain', name, '--managed-dir', '../managed', '--format', 'json'], { cwd: where })
      return shown((JSON.parse(out) as Explanation).instructions)
    }
    const excluded = '.claude/rules/old.md < left out < claudeMdExcludes at .claude/settings.json:3:5'
    expect(await shownFor('guard')).toEqual([
      '<managed>/CLAUDE.md < the organisation’s',
      '~/.claude/CLAUDE.md < the person’s',
      'docs/style.md < the project’s, imported by CLAUDE.md',
      'CLAUDE.md < the project’s',
      'CLAUDE.local.md < the person’s, for this folder',
      excluded,
    ])
    expect(await shownFor('apart')).toEqual([
      '<managed>/CLAUDE.md < the organisation’s',
      '~/.claude/CLAUDE.md < the person’s < omitClaudeMd at .claude/agents/apart.md:4:15',
      'docs/style.md < the project’s, imported by CLAUDE.md < omitClaudeMd at .claude/agents/apart.md:4:15',
      'CLAUDE.md < the project’s < omitClaudeMd at .claude/agents/apart.md:4:15',
      'CLAUDE.local.md < the person’s, for this folder < omitClaudeMd at .claude/agents/apart.md:4:15',
      excluded,
    ])
    const { out } = await agentc(['explain', 'apart'], { cwd: where })
    expect(out).toMatch(/^instructions\n {2}~\/\.claude\/CLAUDE\.md +the person’s {2}does not count: omitClaudeMd at /m)
  })
})
