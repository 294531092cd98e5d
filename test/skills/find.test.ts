import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DISK } from '../../compiler/discover/file-system.ts'
import { findSkills } from '../../compiler/discover/skills.ts'
import { findCommands } from '../../compiler/discover/slash-commands.ts'
import { SOURCES } from '../../schemas/source.ts'
import { link } from '../support/tree.ts'
import { laid, layersOf, pluginDirs, shown, skill, told } from './tree.ts'

describe('finding skills', () => {
  test('skills of all layers are found, lowest first: plugins, project from the root to the nearest folder, user, policy', () => {
    const root = laid({
      'managed/.claude/skills/a/SKILL.md': skill('a'),
      'home/.claude/skills/a/SKILL.md': skill('a'),
      'project/.claude/skills/a/SKILL.md': skill('a'),
      'project/web/.claude/skills/a/SKILL.md': skill('a'),
      'plugins/kit/skills/a/SKILL.md': skill('a'),
    })
    const files = findSkills(layersOf(root, { cwd: join(root, 'project/web'), ...pluginDirs(root, 'kit') }))
    expect(shown(files)).toEqual([
      'plugin skills/a/SKILL.md',
      'project .claude/skills/a/SKILL.md',
      'project web/.claude/skills/a/SKILL.md',
      'user skills/a/SKILL.md',
      'policy .claude/skills/a/SKILL.md',
    ])
    expect(files.map(({ kind, form, namespace }) => [kind, form, namespace])).toContainEqual(['skill', 'markdown', 'kit'])
  })

  test('only SKILL.md is read, in a folder directly below, and nothing above the git root', () => {
    const root = laid({
      '.claude/skills/above/SKILL.md': skill('above'),
      'project/.claude/skills/README.md': 'About these skills.\n',
      'project/.claude/skills/a/SKILL.md': skill('a'),
      'project/.claude/skills/a/scripts/run.sh': 'exit 1\n',
      'project/.claude/skills/a/inner/SKILL.md': skill('inner'),
      'project/.claude/skills/b/skill.md': skill('b'),
    })
    const layers = layersOf(root)
    expect(shown(findSkills(layers))).toEqual(['project .claude/skills/a/SKILL.md'])
    const read = [...layers.search.inputs.values()].filter(({ kind, sha256 }) => kind === 'file' && sha256 !== undefined)
    expect(read.map(({ path }) => path)).toEqual([join(root, 'project/.claude/skills/a/SKILL.md')])
  })

  test('all that was looked for and is not there is an input, so that a new skill makes a manifest stale', () => {
    const root = laid({ 'project/.claude/skills/a/x.md': '' })
    const layers = layersOf(root)
    findSkills(layers)
    const absent = [...layers.search.inputs.values()].filter(({ kind }) => kind === 'absent').map(({ path }) => path)
    expect(absent).toEqual(expect.arrayContaining([join(root, 'home/.claude/skills'), join(root, 'project/.claude/skills/a/SKILL.md')]))
    expect(layers.search.inputs.get(join(root, 'project/.claude/skills'))?.kind).toBe('folder')
  })

  test('a layer that is left out is not read, and its folder does not come back as the project', () => {
    const root = laid({ 'home/.claude/skills/a/SKILL.md': skill('a') })
    const layers = SOURCES.filter((source) => source !== 'user')
    expect(shown(findSkills(layersOf(root, { cwd: join(root, 'home'), layers })))).toEqual([])
    expect(shown(findSkills(layersOf(root, { cwd: join(root, 'home') })))).toEqual(['user skills/a/SKILL.md'])
  })

  test('a link to a folder is followed and says where it leads; the same folder counts once, where no link leads to it', () => {
    const root = laid({ 'elsewhere/SKILL.md': skill('b'), 'project/.claude/skills/z/SKILL.md': skill('z') })
    link(root, 'project/.claude/skills/a', 'z')
    link(root, 'project/.claude/skills/b', join(root, 'elsewhere'))
    const files = findSkills(layersOf(root))
    expect(files.map(({ origin }) => [origin.path, origin.link])).toEqual([
      ['.claude/skills/b/SKILL.md', '<outside>'],
      ['.claude/skills/z/SKILL.md', undefined],
    ])
  })

  test('broken links, loops and folders in the place of a file are warnings or nothing, never an exception', () => {
    const root = laid({ 'project/.claude/skills/good/SKILL.md': skill('good') })
    link(root, 'project/.claude/skills/gone', './nowhere')
    link(root, 'project/.claude/skills/loop', './loop')
    link(root, 'project/.claude/skills/up', '..')
    mkdirSync(join(root, 'project/.claude/skills/folder/SKILL.md'), { recursive: true })
    const layers = layersOf(root)
    expect(shown(findSkills(layers))).toEqual(['project .claude/skills/good/SKILL.md'])
    expect(told(layers.search.diagnostics)).toEqual([
      'warning skill/unreadable .claude/skills/gone',
      'warning skill/unreadable .claude/skills/loop',
    ])
    expect(layers.search.diagnostics[0]!.message).toBe('.claude/skills/gone is a link that leads nowhere, so the skill is missing.')
  })

  test('a file that is too large, and a file where the folder should be, are said and stop nothing', () => {
    const root = laid({ 'project/.claude/skills/big/SKILL.md': 'x'.repeat(1_048_577), 'home/.claude/skills': 'a file' })
    const layers = layersOf(root)
    expect(findSkills(layers)).toEqual([])
    expect(layers.search.diagnostics.map(({ message }) => message)).toEqual([
      'skills cannot be read (it is not a folder), so the skill is missing.',
      '.claude/skills/big/SKILL.md is larger than 1 MiB, so the skill is missing.',
    ])
  })

  test('what may not be read or listed is said with its reason', () => {
    const root = laid({ 'project/.claude/skills/a/SKILL.md': skill('a'), 'home/.claude/skills/b/SKILL.md': skill('b') })
    const refuse = (code: string): never => {
      throw Object.assign(new Error(code), { code })
    }
    const list: typeof DISK.list = (path) => (path.startsWith(join(root, 'home')) ? refuse('EIO') : DISK.list(path))
    const layers = layersOf(root, {}, { ...DISK, list, read: () => refuse('EACCES') })
    expect(findSkills(layers)).toEqual([])
    expect(layers.search.diagnostics.map(({ message }) => message)).toEqual([
      'skills cannot be read (the disk reports an error), so the skill is missing.',
      '.claude/skills/a/SKILL.md cannot be read (permission is denied), so the skill is missing.',
    ])
  })

  test('a .claude that leads nowhere is left to the search for agents, a broken skills link is not', () => {
    const root = laid({})
    link(root, 'project/.claude', 'none')
    link(root, 'home/.claude/skills', 'none')
    const layers = layersOf(root)
    expect(findSkills(layers)).toEqual([])
    expect(told(layers.search.diagnostics)).toEqual(['warning skill/unreadable skills'])
  })

  test('a plugin may name more folders of skills, and the folder of a single one', () => {
    const root = laid({
      'plugins/kit/.claude-plugin/plugin.json': '{ "name": "kit", "skills": ["./more", "./single"] }',
      'plugins/kit/skills/a/SKILL.md': skill('a'),
      'plugins/kit/more/b/SKILL.md': skill('b'),
      'plugins/kit/single/SKILL.md': skill('c'),
    })
    expect(shown(findSkills(layersOf(root, pluginDirs(root, 'kit')))).sort()).toEqual([
      'plugin more/b/SKILL.md',
      'plugin single/SKILL.md',
      'plugin skills/a/SKILL.md',
    ])
  })

  test('a linked worktree without skills takes those of its main checkout', () => {
    const root = laid({
      'project/.git/worktrees/side/commondir': '../..\n',
      'project/.claude/skills/a/SKILL.md': skill('a'),
      'side/.git': `gitdir: ../project/.git/worktrees/side\n`,
    })
    const files = findSkills(layersOf(root, { cwd: join(root, 'side') }))
    expect(files.map(({ origin }) => [origin.path, origin.checkout])).toEqual([['.claude/skills/a/SKILL.md', 'main']])
  })
})

describe('finding commands', () => {
  test('folders are a part of the name, and a plugin stands before them', () => {
    const root = laid({
      'project/.claude/commands/tag.md': 'Tag it.\n',
      'project/.claude/commands/git/hooks/add.md': 'Add one.\n',
      'home/.claude/commands/mine.md': 'Mine.\n',
      'plugins/kit/commands/web/test.md': 'Test it.\n',
    })
    const files = findCommands(layersOf(root, pluginDirs(root, 'kit')))
    const named = files.map(({ kind, namespace, origin }) => [kind, namespace, origin.path])
    expect(named.sort()).toEqual(
      [
        ['command', undefined, '.claude/commands/tag.md'],
        ['command', 'git:hooks', '.claude/commands/git/hooks/add.md'],
        ['command', undefined, 'commands/mine.md'],
        ['command', 'kit:web', 'commands/web/test.md'],
      ].sort(),
    )
  })

  test('a file may be an agent, a skill and a command at once', () => {
    const root = laid({ 'project/.claude/skills/a/SKILL.md': skill('a') })
    link(root, 'project/.claude/commands/a.md', '../skills/a/SKILL.md')
    const layers = layersOf(root)
    expect([findSkills(layers).length, findCommands(layers).length]).toEqual([1, 1])
  })

  test('a broken link among commands is a warning about a command', () => {
    const root = laid({})
    link(root, 'project/.claude/commands/gone.md', './nowhere.md')
    const layers = layersOf(root)
    findCommands(layers)
    expect(layers.search.diagnostics.map(({ message }) => message)).toEqual([
      '.claude/commands/gone.md is a link that leads nowhere, so the command is missing.',
    ])
  })
})
