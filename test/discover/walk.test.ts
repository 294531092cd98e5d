import { execFileSync } from 'node:child_process'
import { linkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DISK } from '../../compiler/discover/file-system.ts'
import { add, codes, diskWith, find, lay, refusal, shown } from './tree.ts'

const AGENTS = 'project/.claude/agents'

/** The project's files as their paths below the agents folder, with where a link leads behind an arrow. */
function paths(root: string, fs = DISK): string[] {
  return find(root, {}, fs).files.map(({ origin }) => {
    const path = origin.path.replace('.claude/agents/', '')
    return origin.link === undefined ? path : `${path} → ${origin.link}`
  })
}

test('only names that end in .md are read, in this very case', () => {
  const names = ['a.md', 'b.MD', 'c.mdx', 'd.markdown', 'e.md~', 'f', '.md', 'g.md.bak']
  const root = lay(Object.fromEntries(names.map((name) => [`${AGENTS}/${name}`, ''])))
  expect(paths(root)).toEqual(['.md', 'a.md'])
  expect(codes(find(root))).toEqual([])
})

test('dot-files, hidden folders, node_modules and folders named like files are read', () => {
  const files = ['.dot.md', '.hidden/a.md', 'node_modules/pack/b.md', 'folder.md/c.md', 'a b/ü.md']
  const root = lay(Object.fromEntries(files.map((name) => [`${AGENTS}/${name}`, ''])))
  expect(paths(root)).toEqual(files.sort())
})

test('folders are read to any depth', () => {
  const deep = 'd/'.repeat(300)
  const root = lay({ [`${AGENTS}/${deep}x.md`]: 'deep' })
  expect(paths(root)).toEqual([`${deep}x.md`])
})

test('links to files and folders are followed, and tell where they lead', () => {
  const root = lay({
    [`${AGENTS}/file.md`]: { link: '../../shared/real.md' },
    [`${AGENTS}/folder`]: { link: '../../shared/more' },
    [`${AGENTS}/far.md`]: { link: '../../../outside.md' },
    [`${AGENTS}/text.md`]: { link: '../../shared/text.txt' },
    [`${AGENTS}/text`]: { link: '../../shared/real.md' },
    'project/shared/real.md': '',
    'project/shared/text.txt': '',
    'project/shared/more/sub/in.md': '',
    'outside.md': '',
  })
  expect(paths(root)).toEqual([
    'far.md → <outside>',
    'file.md → shared/real.md',
    'folder/sub/in.md → shared/more/sub/in.md',
    'text.md → shared/text.txt',
  ])
  expect(codes(find(root))).toEqual([])
})

test('.claude or agents may be a link itself: the path stays as written', () => {
  const root = lay({
    'project/.claude': { link: 'common' },
    'project/common/agents/icon-finder.md': '',
    'home/.claude/agents': { link: '../dotfiles/agents' },
    'home/dotfiles/agents/note-taker.md': '',
  })
  expect(find(root).files.map((file) => file.origin)).toEqual([
    { source: 'user', path: 'agents/note-taker.md', link: '<outside>' },
    { source: 'project', path: '.claude/agents/icon-finder.md', link: 'common/agents/icon-finder.md' },
  ])
})

test('loops end, and everything in them is read once', () => {
  const root = lay({
    [`${AGENTS}/a.md`]: '',
    [`${AGENTS}/self`]: { link: '.' },
    [`${AGENTS}/sub/b.md`]: '',
    [`${AGENTS}/sub/up`]: { link: '..' },
    [`${AGENTS}/sub/beside`]: { link: '../other' },
    [`${AGENTS}/other/beside`]: { link: '../sub' },
    [`${AGENTS}/out`]: { link: '../../loop' },
    'project/loop/c.md': '',
    'project/loop/again': { link: '../loop' },
    'project/loop/back': { link: '../.claude/agents' },
  })
  expect(paths(root)).toEqual(['a.md', 'out/c.md → loop/c.md', 'sub/b.md'])
  expect(codes(find(root))).toEqual([])
})

test('a file that is no link is kept, then the link that is first by path', () => {
  const root = lay({
    [`${AGENTS}/a.md`]: { link: 'z/real.md' },
    [`${AGENTS}/b`]: { link: 'z' },
    [`${AGENTS}/z/real.md`]: '',
    [`${AGENTS}/y.md`]: { link: '../../else.md' },
    [`${AGENTS}/x.md`]: { link: '../../else.md' },
    'project/else.md': '',
  })
  expect(paths(root)).toEqual(['x.md → else.md', 'z/real.md'])
})

test('hard links are one file: the first path is kept', () => {
  const root = lay({ [`${AGENTS}/b.md`]: 'one' })
  add(root, { [`${AGENTS}/a/`]: '' })
  linkSync(join(root, AGENTS, 'b.md'), join(root, AGENTS, 'a/x.md'))
  linkSync(join(root, AGENTS, 'b.md'), join(root, AGENTS, 'c.md'))
  expect(paths(root)).toEqual(['a/x.md'])
})

test('of one physical file in several layers policy keeps it, then user, then project', () => {
  const root = lay({
    'shared/a.md': '',
    'shared/b.md': '',
    'managed/.claude/agents/a.md': { link: '../../../shared/a.md' },
    'home/.claude/agents/a.md': { link: '../../../shared/a.md' },
    'home/.claude/agents/b.md': { link: '../../../shared/b.md' },
    [`${AGENTS}/a.md`]: { link: '../../../shared/a.md' },
    [`${AGENTS}/b.md`]: { link: '../../../shared/b.md' },
  })
  expect(shown(find(root))).toEqual(['user agents/b.md', 'policy .claude/agents/a.md'])
})

test('a project agents folder that is a link to the user folder is the user layer', () => {
  const root = lay({ 'home/.claude/agents/u.md': '', [AGENTS]: { link: '../../home/.claude/agents' } })
  expect(shown(find(root))).toEqual(['user agents/u.md'])
})

test('inode 0 and inodes above 2^53 do not make files equal', () => {
  const root = lay({ [`${AGENTS}/north.md`]: '', [`${AGENTS}/east.md`]: '', [`${AGENTS}/south.md`]: '', [`${AGENTS}/west.md`]: '' })
  const numbers: Record<string, [bigint, bigint]> = {
    'north.md': [0n, 0n],
    'west.md': [7n, 0n],
    'east.md': [7n, 5764607523036429244n],
    'south.md': [7n, 5764607523036429245n],
  }
  const fs = diskWith({
    stat: (path) => {
      const stat = DISK.stat(path)
      const number = numbers[path.slice(path.lastIndexOf('/') + 1)]
      return stat && number ? { ...stat, dev: number[0], ino: number[1] } : stat
    },
  })
  expect(paths(root, fs)).toEqual(['east.md', 'north.md', 'south.md', 'west.md'])
})

test('where the disk reports inode 0, real paths tell what was visited', () => {
  const root = lay({
    [`${AGENTS}/a.md`]: '',
    [`${AGENTS}/link.md`]: { link: 'a.md' },
    [`${AGENTS}/loop`]: { link: '.' },
    [`${AGENTS}/sub/b.md`]: '',
  })
  const fs = diskWith({
    stat: (path) => {
      const stat = DISK.stat(path)
      return stat && { ...stat, ino: 0n }
    },
  })
  expect(paths(root, fs)).toEqual(['a.md', 'sub/b.md'])
})

test('a broken link is reported if it is named like an agent or a folder', () => {
  const root = lay({
    [`${AGENTS}/a.md`]: '',
    [`${AGENTS}/gone.md`]: { link: '../none.md' },
    [`${AGENTS}/gone`]: { link: '../none' },
    [`${AGENTS}/loop.md`]: { link: 'loop.md' },
    [`${AGENTS}/.#a.md`]: { link: 'me@host.1234' },
    [`${AGENTS}/gone.txt`]: { link: '../none.txt' },
  })
  expect(paths(root)).toEqual(['a.md'])
  expect(codes(find(root))).toEqual(['gone', 'gone.md', 'loop.md'].map((name) => `file/broken-link .claude/agents/${name}`))
  expect(find(root).inputs.find((input) => input.path.endsWith('gone.md'))?.kind).toBe('dangling')
})

test('.claude or agents as a broken link is reported', () => {
  expect(codes(find(lay({ 'project/.claude': { link: 'none' } })))).toEqual(['file/broken-link .claude'])
  expect(codes(find(lay({ 'home/.claude/agents': { link: 'none' }, 'project/': '' })))).toEqual(['file/broken-link agents'])
})

test('a link to a folder that holds the agents folder is reported and not followed', () => {
  const root = lay({
    [`${AGENTS}/a.md`]: '',
    [`${AGENTS}/all`]: { link: '../..' },
    [`${AGENTS}/disk`]: { link: '/' },
    'project/README.md': '',
  })
  expect(paths(root)).toEqual(['a.md'])
  expect(codes(find(root))).toEqual(['file/link-loop .claude/agents/all', 'file/link-loop .claude/agents/disk'])
})

test('more than 10,000 folders are reported and end the walk of this root only', () => {
  const root = lay({ [`${AGENTS}/a.md`]: '', 'home/.claude/agents/u.md': '' })
  const endless = join(root, AGENTS, 'x')
  let ino = 1n << 60n
  const fs = diskWith({
    list: (path) => [
      ...(path.startsWith(endless) ? [] : DISK.list(path)),
      ...(path.includes('project') ? [{ name: 'x', kind: 'folder' } as const] : []),
    ],
    stat: (path) =>
      path.startsWith(endless) ? { kind: 'folder', dev: 9n, ino: ino++, size: 0, mtimeNs: 0n, ctimeNs: 0n } : DISK.stat(path),
  })
  const found = find(root, {}, fs)
  expect(shown(found)).toEqual(['user agents/u.md', 'project .claude/agents/a.md'])
  expect(found.diagnostics.map(({ code }) => code)).toEqual(['file/unreadable'])
})

test('a pipe is reported and never opened', (context) => {
  const root = lay({ [`${AGENTS}/a.md`]: '' })
  try {
    for (const name of ['pipe.md', 'pipe.txt']) execFileSync('mkfifo', [join(root, AGENTS, name)])
  } catch {
    return context.skip('no mkfifo here')
  }
  symlinkSync('pipe.txt', join(root, AGENTS, 'linked.md'))
  expect(paths(root)).toEqual(['a.md'])
  expect(codes(find(root))).toEqual(['file/not-regular .claude/agents/pipe.md', 'file/not-regular .claude/agents/linked.md'])
})

test('a folder that cannot be listed is an error, and the rest goes on', () => {
  const root = lay({ [`${AGENTS}/a.md`]: '', [`${AGENTS}/locked/b.md`]: '', [`${AGENTS}/z/c.md`]: '' })
  const fs = diskWith({
    list: (path) => {
      if (path.endsWith('locked')) throw refusal('EACCES')
      return DISK.list(path)
    },
  })
  expect(paths(root, fs)).toEqual(['a.md', 'z/c.md'])
  const found = find(root, {}, fs)
  expect(codes(found)).toEqual(['file/unreadable .claude/agents/locked'])
  expect(found.diagnostics[0]).toMatchObject({ severity: 'error', message: expect.stringContaining('permission is denied') })
})

test('a stat that is refused is an error, at a file, a folder, a link and the agents folder', () => {
  const root = lay({
    [`${AGENTS}/a.md`]: '',
    [`${AGENTS}/b.md`]: '',
    [`${AGENTS}/sub/c.md`]: '',
    [`${AGENTS}/link.md`]: { link: 'b.md' },
    'home/.claude/agents/u.md': '',
  })
  const fs = diskWith({
    stat: (path) => {
      if (/(a|link)\.md$|sub$|home\/.claude\/agents$/.test(path)) throw refusal('EACCES')
      return DISK.stat(path)
    },
  })
  expect(paths(root, fs)).toEqual(['b.md'])
  expect(codes(find(root, {}, fs)).sort()).toEqual([
    'file/unreadable .claude/agents/a.md',
    'file/unreadable .claude/agents/link.md',
    'file/unreadable .claude/agents/sub',
    'file/unreadable agents',
  ])
})

test('a name that is not UTF-8 is reported', () => {
  const root = lay({ [`${AGENTS}/a.md`]: '' })
  const fs = diskWith({ list: (path) => [...DISK.list(path), { name: 'b\ufffd.md', kind: 'file' }] })
  expect(codes(find(root, {}, fs))).toEqual(['file/unreadable .claude/agents/b\ufffd.md'])
})

test('a bug of the disk seam is an exception, not a finding', () => {
  const root = lay({ [`${AGENTS}/a.md`]: '' })
  const broken = diskWith({
    list: () => {
      throw new TypeError('bug')
    },
  })
  expect(() => find(root, {}, broken)).toThrow('bug')
})
