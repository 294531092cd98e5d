import type { Mode } from '../../../runner/permission/asked.ts'
import type { Lists } from './stage.ts'

/** Paths that try to get past rules. `$P` is the project, `$ROOT` the folder that holds it, the home and what lies outside. */
export interface Accesses {
  name: string
  lists: Lists
  mode: Mode
  tools: string[]
  harm: 'leaked' | 'changed'
  paths: string[]
}

const EVERYTHING = { allow: ['Read', 'Edit'] }

export const ACCESSES: readonly Accesses[] = [
  {
    name: 'files are hidden, all others may be read',
    lists: { allow: ['Read'], deny: ['Read(./.env)', 'Read(secrets/**)'] },
    mode: 'bypassPermissions',
    tools: ['Read'],
    harm: 'leaked',
    paths: [
      '.env',
      './.env',
      '././.env',
      './/.env',
      '$P/.env',
      '$P//.env',
      '$P/./.env',
      '/$P/.env',
      'src/../.env',
      'src/../src/../.env',
      '$P/src/../.env',
      '../project/.env',
      '$ROOT/project/.env',
      '$ROOT/home/../project/.env',
      'src/envlink',
      './src/./envlink',
      '$P/src/envlink',
      'envlink2',
      'here/.env',
      'here/here/.env',
      'here/src/envlink',
      'up/project/.env',
      'up/project/here/.env',
      'up/project/src/../.env',
      '/proc/self/root$P/.env',
      '/proc/self/root/$P/src/envlink',
      '/proc/thread-self/root$P/.env',
      'secrets/k.pem',
      'secrets//k.pem',
      './secrets/k.pem',
      'secrets/./k.pem',
      'secrets/../secrets/k.pem',
      'src/../secrets/k.pem',
      'hidden/k.pem',
      './hidden/../hidden/k.pem',
      'here/hidden/k.pem',
      'here/secrets/k.pem',
      'up/project/hidden/k.pem',
      '$P/hidden/k.pem',
    ],
  },
  {
    name: 'the outside is asked about',
    lists: {},
    mode: 'default',
    tools: ['Read'],
    harm: 'leaked',
    paths: ['../outside/o.txt', '$ROOT/outside/o.txt', 'out/o.txt', './out/./o.txt', 'up/outside/o.txt', 'here/out/o.txt', 'src/../../outside/o.txt', '/proc/self/root$ROOT/outside/o.txt', '$P/../outside/o.txt', '$P/out/o.txt'],
  },
  {
    name: 'protected files are asked about, whatever is allowed',
    lists: EVERYTHING,
    mode: 'acceptEdits',
    tools: ['Write', 'Edit'],
    harm: 'changed',
    paths: [
      '.git/config',
      './.git/config',
      '.git/hooks/pre-commit',
      '.git/hooks/README',
      'src/../.git/config',
      'src/gitlink/config',
      'src/gitlink/hooks/post-merge',
      'src/new-hook',
      'here/.git/config',
      'up/project/.git/config',
      '$P/.git/./config',
      '/proc/self/root$P/.git/config',
      '.claude/settings.json',
      './.claude/settings.local.json',
      '.claude/new.md',
      'here/.claude/settings.json',
      '.mcp.json',
      'src/mcplink',
      'src/.mcp.json',
      '$P/.mcp.json',
      'here/here/.mcp.json',
      '.envrc',
      '.npmrc',
      '.gitmodules',
      '$ROOT/home/.bashrc',
      '../home/.bashrc',
      'up/home/.bashrc',
      'src/rc',
    ],
  },
  {
    name: 'some files must not be changed',
    lists: { ...EVERYTHING, deny: ['Edit(*.lock)'] },
    mode: 'bypassPermissions',
    tools: ['Write', 'Edit', 'NotebookEdit'],
    harm: 'changed',
    paths: ['a.lock', './a.lock', 'src/../a.lock', 'src/locklink', 'here/a.lock', 'up/project/a.lock', 'src/x.lock', 'src/new-lock', '$P/a.lock', 'here/src/locklink', '/proc/self/root$P/a.lock'],
  },
] // prettier-ignore

/** Accesses that must stay allowed: whoever refuses everything has proved nothing. */
export const FINE_ACCESSES: readonly [tool: string, path: string, lists: Lists][] = [
  ['Read', 'README.md', { deny: ['Read(./.env)'] }],
  ['Read', 'src/a.ts', {}],
  ['Read', 'src/.env', { deny: ['Read(/.env)'] }],
  ['Read', '.env', { deny: ['Edit(.env)'] }],
  ['Read', 'here/src/a.ts', { deny: ['Read(secrets/**)'] }],
  ['Edit', 'src/a.ts', { allow: ['Edit(src/**)'] }],
  ['Write', 'src/new.ts', { allow: ['Edit(src/**)'], deny: ['Edit(*.lock)'] }],
  ['Write', 'src/deep/new.ts', { allow: ['Edit'] }],
  ['NotebookEdit', 'src/x.ipynb', { allow: ['Edit(src/**)'] }],
]
