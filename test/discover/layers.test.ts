import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../schemas/canonical.ts'
import { SOURCES } from '../../schemas/source.ts'
import { DISK } from '../../compiler/discover/file-system.ts'
import { add, codes, diskWith, find, lay, shown } from './tree.ts'

const SIX = {
  'builtin/x.md': 'builtin',
  'plugins/kit/agents/x.md': 'plugin',
  'home/.claude/agents/x.md': 'user',
  'project/.claude/agents/x.md': 'project',
  'managed/.claude/agents/x.md': 'policy',
}

test('files of all six layers come lowest precedence first, with paths relative to their layer', () => {
  const root = lay(SIX)
  const found = find(root, { pluginDirs: [join(root, 'plugins/kit')], agentsFlag: '{"x": {}}' })
  expect(found.files.map((file) => [file.origin.source, file.origin.path, file.text])).toEqual([
    ['builtin', 'builtin/x.md', 'builtin'],
    ['plugin', 'agents/x.md', 'plugin'],
    ['user', 'agents/x.md', 'user'],
    ['project', '.claude/agents/x.md', 'project'],
    ['flag', '--agents', '{"x": {}}'],
    ['policy', '.claude/agents/x.md', 'policy'],
  ])
  expect(found.diagnostics).toEqual([])
})

test('a layer that is left out is not looked at at all', () => {
  const root = lay(SIX)
  for (const source of SOURCES) {
    const asked: string[] = []
    const fs = diskWith({
      list: (path) => (asked.push(path), DISK.list(path)),
      read: (path, size, atMost) => (asked.push(path), DISK.read(path, size, atMost)),
    })
    const layers = SOURCES.filter((other) => other !== source)
    const found = find(root, { layers, pluginDirs: [join(root, 'plugins/kit')], agentsFlag: '{}' }, fs)
    expect(found.files.map((file) => file.origin.source)).toEqual(layers)
    const folder = { builtin: 'builtin', plugin: 'plugins', user: 'home', project: 'project', flag: 'flag', policy: 'managed' }[source]
    expect(asked.filter((path) => path.startsWith(join(root, folder)))).toEqual([])
  }
})

test('the user layer is the configuration folder, wherever that is', () => {
  const root = lay({ 'config/agents/a.md': 'a', 'home/.claude/agents/b.md': 'b', 'project/': '' })
  expect(shown(find(root, { configDir: join(root, 'config') }))).toEqual(['user agents/a.md'])
})

test('files of one folder are sorted by code units, not by locale and not as the disk has them', () => {
  const names = ['b.md', 'B.md', 'a.md', 'ä.md', 'a-b.md', 'a/b.md', '_.md', '10.md', '9.md', '😀.md', '\uffee.md']
  const root = lay(Object.fromEntries(names.map((name) => [`project/.claude/agents/${name}`, name])))
  const sorted = names.map((name) => `project .claude/agents/${name}`).sort()
  expect(shown(find(root))).toEqual(sorted)
  expect(sorted.at(-1)).toContain('\uffee')
})

test('nothing depends on the order in which the disk lists a folder', () => {
  const root = lay({
    'project/.claude/agents/z.md': 'z',
    'project/.claude/agents/a-link': { link: 'm' },
    'project/.claude/agents/b-link.md': { link: 'z.md' },
    'project/.claude/agents/m/one.md': '1',
    'project/.claude/agents/k/two.md': '2',
    'project/.claude/agents/gone.md': { link: 'nowhere.md' },
    'project/.claude/agents/gone2.md': { link: 'nowhere.md' },
    'home/.claude/agents/u.md': 'u',
    'home/.claude/agents/deep/v.md': 'v',
  })
  const straight = find(root)
  const reversed = find(root, {}, diskWith({ list: (path) => DISK.list(path).reverse() }))
  const shuffled = find(root, {}, diskWith({ list: (path) => DISK.list(path).sort((a, b) => (a.name.length % 3) - (b.name.length % 3)) }))
  expect(reversed).toEqual(straight)
  expect(shuffled).toEqual(straight)
  expect(shown(straight)).toEqual([
    'user agents/deep/v.md',
    'user agents/u.md',
    'project .claude/agents/k/two.md',
    'project .claude/agents/m/one.md',
    'project .claude/agents/z.md',
  ])
})

test('built-in agents are read from one folder only', () => {
  const root = lay({
    'builtin/a.md': 'a',
    'builtin/sub/b.md': 'b',
    'builtin/note.txt': '',
    'builtin/linked': { link: 'sub' },
    'project/': '',
  })
  expect(shown(find(root))).toEqual(['builtin builtin/a.md'])
})

test('every input is named: files with hash, folders, and places that are not there', () => {
  const root = lay({ 'project/.claude/agents/a.md': 'text', 'project/.git/HEAD': '' })
  const inputs = new Map(find(root).inputs.map((input) => [input.path.slice(root.length + 1), input]))
  expect(inputs.get('project/.claude/agents/a.md')).toEqual({
    path: join(root, 'project/.claude/agents/a.md'),
    kind: 'file',
    stat: expect.objectContaining({ size: 4 }),
    sha256: sha256('text'),
  })
  expect(inputs.get('project/.claude/agents')).toMatchObject({ kind: 'folder', stat: { kind: 'folder' } })
  expect(inputs.get('project/.git')).toEqual({ path: join(root, 'project/.git'), kind: 'folder' })
  for (const path of ['home/.claude/agents', 'managed/.claude/agents', 'builtin']) expect(inputs.get(path)?.kind).toBe('absent')
})

test('the places between the working directory and the git root are inputs even if nothing is there', () => {
  const root = lay({ 'project/.git/HEAD': '', 'project/a/b/': '' })
  const absent = find(root, { cwd: join(root, 'project/a/b'), layers: ['project'] }).inputs.filter(
    ({ kind, path }) => kind === 'absent' && path.includes('/project/'),
  )
  const paths = absent.map((input) => input.path.slice(root.length + 1)).filter((path) => /\/(?:agents|\.git)$/.test(path))
  expect(paths.sort()).toEqual([
    'project/.claude/agents',
    'project/a/.claude/agents',
    'project/a/.git',
    'project/a/b/.claude/agents',
    'project/a/b/.git',
  ])
})

test('the same tree at two places gives the same files and findings', () => {
  const files = {
    ...SIX,
    'project/.claude/agents/gone.md': { link: '../none' },
    'project/.claude/agents/out.md': { link: '../../../other.md' },
  }
  const first = lay(files)
  const second = join(lay({}), 'deeper')
  add(second, files)
  for (const root of [first, second]) add(root, { 'other.md': 'other' })
  const [one, two] = [find(first), find(second)]
  expect(two.files).toEqual(one.files)
  expect(two.diagnostics).toEqual(one.diagnostics)
  expect(codes(one)).toEqual(['file/broken-link .claude/agents/gone.md'])
  expect(JSON.stringify([one.files, one.diagnostics])).not.toContain(first)
})
