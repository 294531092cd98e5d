import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { committed, git } from '../support/git.ts'
import { add, find, lay, shown } from './tree.ts'

/** A main checkout `main/` with one agent and linked worktrees `wt1/` and `wt2/`, the second without agents. */
function worktrees(): string {
  const root = lay({ 'main/.claude/agents/architect.md': 'main', 'main/sub/file': '' })
  const main = committed(join(root, 'main'))
  git(main, 'worktree', 'add', '-q', '../wt1', '-b', 'one')
  git(main, 'worktree', 'add', '-q', '../wt2', '-b', 'two')
  writeFileSync(join(root, 'wt1/.claude/agents/architect.md'), 'worktree')
  rmSync(join(root, 'wt2/.claude'), { recursive: true })
  return root
}

test('a linked worktree with agents of its own uses those only', () => {
  const root = worktrees()
  const { files, projectRoot } = find(root, { cwd: join(root, 'wt1') })
  expect(files.map((file) => [file.text, file.origin])).toEqual([['worktree', { source: 'project', path: '.claude/agents/architect.md' }]])
  expect(projectRoot).toBe(join(root, 'wt1'))
})

test('a linked worktree without agents takes those of its main checkout, and says so', () => {
  const root = worktrees()
  const { files, projectRoot } = find(root, { cwd: join(root, 'wt2/sub') })
  expect(files.map((file) => [file.text, file.origin])).toEqual([
    ['main', { source: 'project', path: '.claude/agents/architect.md', checkout: 'main' }],
  ])
  expect(projectRoot).toBe(join(root, 'wt2'))
})

test('agents of the main checkout stand before those of folders inside the worktree', () => {
  const root = worktrees()
  add(root, { 'wt2/sub/.claude/agents/near.md': '' })
  expect(shown(find(root, { cwd: join(root, 'wt2/sub') }))).toEqual([
    'project .claude/agents/architect.md',
    'project sub/.claude/agents/near.md',
  ])
})

test('a worktree inside its main checkout takes the agents once', () => {
  const root = worktrees()
  git(join(root, 'main'), 'worktree', 'add', '-q', '.claude/worktrees/agent-1', '-b', 'three')
  const cwd = join(root, 'main/.claude/worktrees/agent-1')
  expect(find(root, { cwd }).files.map((file) => file.origin.checkout)).toEqual([undefined])
  rmSync(join(cwd, '.claude'), { recursive: true })
  expect(find(root, { cwd }).files.map((file) => file.origin.checkout)).toEqual(['main'])
})

test('what the fallback depends on are inputs', () => {
  const root = worktrees()
  const paths = find(root, { cwd: join(root, 'wt2') }).inputs.map((input) => input.path.slice(root.length + 1))
  expect(paths).toEqual(
    expect.arrayContaining(['wt2/.git', 'wt2/.claude/agents', 'main/.git/worktrees/wt2/commondir', 'main/.claude/agents']),
  )
})

test('the main checkout as home is still the user layer', () => {
  const root = worktrees()
  const found = find(root, { cwd: join(root, 'wt2'), home: join(root, 'main'), configDir: join(root, 'main/.claude') })
  expect(shown(found)).toEqual(['user agents/architect.md'])
})

test('a worktree of a bare repository has no main checkout', () => {
  const root = worktrees()
  git(root, 'clone', '-q', '--bare', 'main', 'store/.git')
  git(join(root, 'store/.git'), 'worktree', 'add', '-q', '../../wt3', '-b', 'three')
  rmSync(join(root, 'wt3/.claude'), { recursive: true })
  add(root, { 'store/.claude/agents/no.md': '' })
  expect(shown(find(root, { cwd: join(root, 'wt3') }))).toEqual([])
})

test('a submodule does not take the agents of the repository around it', () => {
  const root = lay({
    'project/.git/modules/sub/commondir': '../..',
    'project/.git/worktrees/sub/commondir': '../..',
    'project/.claude/agents/no.md': '',
    'project/sub/.git': 'gitdir: ../.git/modules/sub\n',
  })
  expect(shown(find(root, { cwd: join(root, 'project/sub') }))).toEqual([])
})

test.each([
  ['nothing', ''],
  ['no gitdir', 'hello\n'],
  ['an absent folder', 'gitdir: /nowhere/.git/worktrees/x\n'],
  ['a NUL', 'gitdir: /a\0b/.git/worktrees/x\n'],
  ['the root', 'gitdir: /\n'],
  ['itself', 'gitdir: .git/worktrees/x\n'],
  ['very much', `gitdir: ${'../'.repeat(30_000)}\n`],
  ['bytes', '\ufffd\u0000\u0001\u0002'],
  ['a commondir that is a folder', 'gitdir: trap/.git/worktrees/folder\n'],
  ['a commondir that leads elsewhere', 'gitdir: trap/.git/worktrees/away\n'],
  ['an empty commondir', 'gitdir: trap/.git/worktrees/empty\n'],
])('a .git file with %s in it gives no agents and no exception', (_, text) => {
  const root = lay({
    'project/.git': text,
    'project/trap/.git/worktrees/folder/commondir/x': '',
    'project/trap/.git/worktrees/away/commondir': '/etc\n',
    'project/trap/.git/worktrees/empty/commondir': '\n',
  })
  const found = find(root)
  expect([shown(found), found.diagnostics, found.projectRoot]).toEqual([[], [], join(root, 'project')])
})

test('a hostile .git reads nothing but .claude/agents of the folder it names', () => {
  const root = lay({
    'project/.git': 'gitdir: ../other/.git/worktrees/x\n',
    'other/.git/worktrees/x/commondir': '../..',
    'other/secret.md': '',
    'other/sub/.claude/agents/no.md': '',
    'other/.claude/agents/yes.md': '',
  })
  expect(shown(find(root))).toEqual(['project .claude/agents/yes.md'])
})
