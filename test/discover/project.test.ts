import { linkSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SOURCES } from '../../schemas/source.ts'
import { codes, diskWith, find, lay, shown } from './tree.ts'
import { DISK } from '../../compiler/discover/file-system.ts'

test('project folders count from the working directory up to the git root, the nearest last', () => {
  const root = lay({
    '.claude/agents/outsider.md': '',
    'repo/.git/HEAD': '',
    'repo/.claude/agents/rooted.md': '',
    'repo/packages/.claude/agents/middle.md': '',
    'repo/packages/api/.claude/agents/leaf.md': '',
    'repo/packages/web/.claude/agents/sibling.md': '',
  })
  const found = find(root, { cwd: join(root, 'repo/packages/api') })
  expect(shown(found)).toEqual([
    'project .claude/agents/rooted.md',
    'project packages/.claude/agents/middle.md',
    'project packages/api/.claude/agents/leaf.md',
  ])
  expect(found.projectRoot).toBe(join(root, 'repo'))
})

test('outside a repository only the working directory itself counts', () => {
  const root = lay({ 'project/.claude/agents/above.md': '', 'project/sub/.claude/agents/own.md': '' })
  const found = find(root, { cwd: join(root, 'project/sub') })
  expect(shown(found)).toEqual(['project .claude/agents/own.md'])
  expect(found.projectRoot).toBe(join(root, 'project/sub'))
})

test('a git root inside a repository ends the walk, and a .git file is one as well', () => {
  const root = lay({
    'project/.git/HEAD': '',
    'project/.claude/agents/outer.md': '',
    'project/sub/.git': 'gitdir: ../.git/modules/sub\n',
    'project/sub/.claude/agents/inner.md': '',
  })
  expect(shown(find(root, { cwd: join(root, 'project/sub') }))).toEqual(['project .claude/agents/inner.md'])
})

test('home as the project is the user layer only', () => {
  for (const git of [{}, { 'home/.git/HEAD': '' }]) {
    const root = lay({ 'home/.claude/agents/handyman.md': '', ...git })
    expect(shown(find(root, { cwd: join(root, 'home') }))).toEqual(['user agents/handyman.md'])
  }
})

test('home above the project in one repository is not a project folder', () => {
  const root = lay({ 'home/.git/HEAD': '', 'home/.claude/agents/u.md': '', 'home/work/app/.claude/agents/p.md': '' })
  const found = find(root, { cwd: join(root, 'home/work/app') })
  expect(shown(found)).toEqual(['user agents/u.md', 'project work/app/.claude/agents/p.md'])
})

test('the user folder is no project folder even when the user layer is left out', () => {
  const root = lay({ 'home/.git/HEAD': '', 'home/.claude/agents/u.md': '', 'home/app/.claude/agents/p.md': '' })
  const layers = SOURCES.filter((source) => source !== 'user')
  expect(shown(find(root, { cwd: join(root, 'home/app'), layers }))).toEqual(['project app/.claude/agents/p.md'])
  expect(shown(find(root, { cwd: join(root, 'home'), layers }))).toEqual([])
})

test('home is recognised through a link, and where the disk reports inode 0', () => {
  const root = lay({ 'real/.claude/agents/u.md': '', home: { link: 'real' } })
  const zero = diskWith({
    stat: (path) => {
      const stat = DISK.stat(path)
      return stat && { ...stat, dev: 0n, ino: 0n }
    },
  })
  for (const fs of [DISK, zero]) expect(shown(find(root, { cwd: join(root, 'real') }, fs))).toEqual(['user agents/u.md'])
})

test('a home folder inside the project is the user layer', () => {
  const root = lay({ 'project/.git/HEAD': '', 'project/.claude/agents/p.md': '', 'project/home/.claude/agents/u.md': '' })
  const found = find(root, { cwd: join(root, 'project/home'), configDir: join(root, 'project/home/.claude') })
  expect(shown(found)).toEqual(['user agents/u.md', 'project .claude/agents/p.md'])
})

test('a working directory given through a link is the folder it leads to', () => {
  const root = lay({ 'repo/.git/HEAD': '', 'repo/.claude/agents/r.md': '', 'repo/a/.claude/agents/a.md': '', short: { link: 'repo/a' } })
  const found = find(root, { cwd: join(root, 'short') })
  expect(shown(found)).toEqual(['project .claude/agents/r.md', 'project a/.claude/agents/a.md'])
  expect(found.projectRoot).toBe(join(root, 'repo'))
})

test('a working directory that is not there has no agents and is no exception', () => {
  const root = lay({})
  expect(find(root, { cwd: join(root, 'none') })).toMatchObject({ files: [], diagnostics: [], projectRoot: join(root, 'none') })
})

test('one physical file in two project folders stays in the nearer one', () => {
  const root = lay({ 'project/.git/HEAD': '', 'project/.claude/agents/a.md': 'same', 'project/sub/.claude/agents/': '' })
  linkSync(join(root, 'project/.claude/agents/a.md'), join(root, 'project/sub/.claude/agents/z.md'))
  expect(shown(find(root, { cwd: join(root, 'project/sub') }))).toEqual(['project sub/.claude/agents/z.md'])
})

test('an agents folder inside an agents folder on the way up is read once, as the nearest', () => {
  const root = lay({ 'project/.git/HEAD': '', 'project/.claude/agents/a.md': '', 'project/.claude/agents/.claude/agents/b.md': '' })
  expect(shown(find(root, { cwd: join(root, 'project/.claude/agents') }))).toEqual([
    'project .claude/agents/a.md',
    'project .claude/agents/.claude/agents/b.md',
  ])
})

test('an agents folder that is a file is an error at that place', () => {
  const root = lay({ 'project/.claude/agents': 'text' })
  expect(codes(find(root))).toEqual(['file/unreadable .claude/agents'])
  mkdirSync(join(root, 'other'))
  expect(codes(find(root, { cwd: join(root, 'other') }))).toEqual([])
})
