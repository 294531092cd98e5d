import { describe, expect, test } from 'vitest'
import { collected, laid, pluginDirs, skill, told } from './tree.ts'

const of = (name: string, from: string): string => skill(name).replace('Text of', `${from} text of`)

describe('precedence of skills', () => {
  test('policy beats the person, the person beats the project, the nearest folder a farther one; what is replaced is kept', async () => {
    const { skills } = await collected(
      laid({
        'managed/.claude/skills/a/SKILL.md': of('a', 'policy'),
        'home/.claude/skills/a/SKILL.md': of('a', 'user'),
        'project/.claude/skills/a/SKILL.md': of('a', 'project'),
        'home/.claude/skills/b/SKILL.md': of('b', 'user'),
        'project/.claude/skills/b/SKILL.md': of('b', 'project'),
      }),
    )
    const chains = [...skills].map(([name, { definition, overrides }]) => [
      name,
      [definition, ...overrides].map(({ file }) => file.origin.source),
    ])
    expect(chains).toEqual([
      ['a', ['policy', 'user', 'project']],
      ['b', ['user', 'project']],
    ])
  })

  test('a skill of a plugin is called plugin:name, by its own name; any other by its folder', async () => {
    const root = laid({ 'plugins/kit/skills/folder/SKILL.md': skill('report'), 'project/.claude/skills/folder/SKILL.md': skill('other') })
    const { skills, diagnostics } = await collected(root, pluginDirs(root, 'kit'))
    expect([...skills.keys()]).toEqual(['folder', 'kit:report'])
    expect(told(diagnostics)).toEqual([
      'info skill/name-differs skills/folder/SKILL.md',
      'info skill/name-differs .claude/skills/folder/SKILL.md',
    ])
    expect(diagnostics[0]!.message).toContain('it is called `kit:report`')
  })

  test('a skill that cannot be read takes its name with it, but not from a higher layer', async () => {
    const broken = '---\nname: a\n'
    const lost = await collected(laid({ 'home/.claude/skills/a/SKILL.md': broken, 'project/.claude/skills/a/SKILL.md': skill('a') }))
    expect([[...lost.skills.keys()], [...lost.lost.keys()]]).toEqual([[], ['a']])
    const kept = await collected(laid({ 'home/.claude/skills/a/SKILL.md': skill('a'), 'project/.claude/skills/a/SKILL.md': broken }))
    expect([[...kept.skills.keys()], [...kept.lost.keys()]]).toEqual([['a'], []])
  })

  test('names that are members of every object are names like others', async () => {
    const { skills } = await collected(
      laid(Object.fromEntries(['__proto__', 'constructor'].map((name) => [`project/.claude/skills/${name}/SKILL.md`, skill(name)]))),
    )
    expect([...skills.keys()]).toEqual(['__proto__', 'constructor'])
  })
})

describe('commands', () => {
  test('a command needs no frontmatter, and its first line says what it does', async () => {
    const { commands, diagnostics } = await collected(
      laid({ 'project/.claude/commands/git/tag.md': 'Tag the version $1.\n\nThen push.\n' }),
    )
    const { definition } = commands.get('git:tag')!
    expect([definition.description, definition.content]).toEqual(['Tag the version $1.', 'Tag the version $1.\n\nThen push.'])
    expect(diagnostics).toEqual([])
  })

  test('a skill beats a command of its name, which is said at the skill', async () => {
    const { skills, commands, diagnostics } = await collected(
      laid({
        'project/.claude/skills/tag/SKILL.md': skill('tag'),
        'home/.claude/commands/tag.md': 'Tag.\n',
        'home/.claude/commands/b.md': 'B.\n',
      }),
    )
    expect([[...skills.keys()], [...commands.keys()]]).toEqual([['tag'], ['b']])
    expect(told(diagnostics)).toEqual(['info skill/hides-command .claude/skills/tag/SKILL.md'])
    expect(diagnostics[0]!.related![0]!.at.origin.path).toBe('commands/tag.md')
  })

  test('the person’s command replaces the project’s', async () => {
    const { commands } = await collected(laid({ 'home/.claude/commands/a.md': 'Mine.\n', 'project/.claude/commands/a.md': 'Ours.\n' }))
    const { definition, overrides } = commands.get('a')!
    expect([definition.content, overrides.map(({ content }) => content)]).toEqual(['Mine.', ['Ours.']])
  })
})
