import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DISK } from '../../compiler/discover/file-system.ts'
import type { Discovery } from '../../compiler/discover/discover.ts'
import { codes, diskWith, find, lay, refusal, shown, type Leaf } from './tree.ts'

const MANIFEST = '.claude-plugin/plugin.json'

/** Reads one plugin in the folder `kit`. */
function kit(files: Record<string, Leaf>, beside: Record<string, Leaf> = {}): Discovery {
  const root = lay({ 'kit/': '', ...beside, ...Object.fromEntries(Object.entries(files).map(([path, leaf]) => [`kit/${path}`, leaf])) })
  return find(root, { pluginDirs: [join(root, 'kit')], layers: ['plugin'] })
}

const names = (found: Discovery) => found.files.map((file) => `${file.namespace} ${file.origin.path}`)

test('agents of a plugin carry its name and the folders below agents', () => {
  const found = kit({ 'agents/security.md': '', 'agents/review/deep/security.md': '', [MANIFEST]: '{"name": "my-plugin"}', 'other.md': '' })
  expect(names(found)).toEqual(['my-plugin:review:deep agents/review/deep/security.md', 'my-plugin agents/security.md'])
  expect(found.files[0]?.origin).toEqual({ source: 'plugin', path: 'agents/review/deep/security.md', plugin: 'my-plugin' })
  expect(found.diagnostics).toEqual([])
})

test('without a manifest, or a name in it, the plugin is called as its folder', () => {
  for (const manifest of [{}, { [MANIFEST]: '{}' }, { [MANIFEST]: '\ufeff{"version": "1"}' }]) {
    const found = kit({ 'agents/a.md': '', ...manifest })
    expect([names(found), codes(found)]).toEqual([['kit agents/a.md'], []])
  }
})

test('a plugin without agents is fine', () => {
  expect(kit({ 'skills/x/SKILL.md': '' })).toMatchObject({ files: [], diagnostics: [] })
})

test('a folder that holds no part of a plugin is reported, such as the one above several', () => {
  for (const files of [{}, { 'one/agents/a.md': '', 'two/.claude-plugin/plugin.json': '{}' }, { 'README.md': '' }]) {
    expect(codes(kit(files))).toEqual(['plugin/empty .'])
  }
  for (const part of ['commands/c.md', 'hooks/hooks.json', '.mcp.json', 'settings.json', 'SKILL.md', MANIFEST]) {
    expect(codes(kit({ [part]: '{}' }))).toEqual([])
  }
})

test('plugins come in the order given', () => {
  const root = lay({ 'b/agents/x.md': '', 'a/agents/x.md': '', 'c/agents/x.md': '' })
  const pluginDirs = ['b', 'a', 'c', 'a'].map((name) => join(root, name))
  expect(find(root, { pluginDirs, layers: ['plugin'] }).files.map((file) => file.namespace)).toEqual(['b', 'a', 'c'])
})

test('agents in the manifest replaces the default folder; files get the name of the plugin only', () => {
  const files = { 'agents/no.md': '', 'extra/z/AGENT.md': '', 'extra/a/AGENT.md': '' }
  const list = kit({ ...files, [MANIFEST]: '{"agents": ["./extra/z/AGENT.md", "./extra/a/AGENT.md"]}' })
  expect(names(list)).toEqual(['kit extra/a/AGENT.md', 'kit extra/z/AGENT.md'])
  expect(names(kit({ ...files, [MANIFEST]: '{"agents": "./extra/z/AGENT.md"}' }))).toEqual(['kit extra/z/AGENT.md'])
  expect(names(kit({ ...files, [MANIFEST]: '{"agents": []}' }))).toEqual([])
})

test('a folder in the manifest is read with all below it', () => {
  const files = { 'extra/a.md': '', 'extra/sub/b.md': '' }
  for (const path of ['./extra', './extra/', './x/../extra']) {
    expect(names(kit({ ...files, [MANIFEST]: JSON.stringify({ agents: path }) }))).toEqual(['kit extra/a.md', 'kit:sub extra/sub/b.md'])
  }
  expect(names(kit({ 'top.md': '', ...files, [MANIFEST]: '{"agents": "./"}' }))).toEqual([
    'kit:extra extra/a.md',
    'kit:extra:sub extra/sub/b.md',
    'kit top.md',
  ])
})

test.each(['../other/a.md', './../other/a.md', './../kit2/a.md', '/etc', 'agents/a.md', '', './none.md', './note.txt', './a\0.md'])(
  'the path %j in a manifest is reported and left out, the others are read',
  (path) => {
    const manifest = JSON.stringify({ agents: [path, './agents/a.md'] })
    const found = kit({ 'agents/a.md': '', 'note.txt': '', [MANIFEST]: manifest }, { 'other/a.md': '', 'kit2/a.md': '' })
    expect([names(found), codes(found)]).toEqual([['kit agents/a.md'], [`plugin/invalid-path ${MANIFEST}`]])
    expect(found.diagnostics[0]).toMatchObject({
      severity: 'warning',
      at: { text: manifest },
      message: expect.stringContaining(JSON.stringify(path)),
    })
  },
)

test.each([
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{"name": 7}',
  '{"name": ""}',
  '{"name": "a:b"}',
  '{"agents": 1}',
  '{"agents": [1]}',
  '{"agents": {}}',
])('the manifest %j is reported, and the default scan goes on under the name of the folder', (manifest) => {
  const found = kit({ 'agents/a.md': '', [MANIFEST]: manifest })
  expect([names(found), codes(found)]).toEqual([['kit agents/a.md'], [`plugin/invalid-manifest ${MANIFEST}`]])
})

test('a manifest that is a folder, too large, not UTF-8 or refused stops nothing', () => {
  const agents = { 'agents/a.md': '' }
  expect(codes(kit({ ...agents, [`${MANIFEST}/x`]: '' }))).toEqual([`plugin/invalid-manifest ${MANIFEST}`])
  expect(codes(kit({ ...agents, [MANIFEST]: ' '.repeat(1_048_577) }))).toEqual([`plugin/invalid-manifest ${MANIFEST}`])
  expect(codes(kit({ ...agents, [MANIFEST]: Buffer.from([0xff]) }))).toEqual([`plugin/invalid-manifest ${MANIFEST}`])
  const root = lay({ 'kit/agents/a.md': '', [`kit/${MANIFEST}`]: '{}' })
  const fs = diskWith({
    read: (path, size, atMost) => {
      if (path.endsWith('.json')) throw refusal('EACCES')
      return DISK.read(path, size, atMost)
    },
  })
  const found = find(root, { pluginDirs: [join(root, 'kit')] }, fs)
  expect([names(found), codes(found)]).toEqual([['kit agents/a.md'], [`plugin/invalid-manifest ${MANIFEST}`]])
})

test('a plugin folder that is not there or is a file is an error, and the others are read', () => {
  const root = lay({ file: '', 'kit/agents/a.md': '' })
  const found = find(root, { pluginDirs: ['none', 'file', 'kit'].map((name) => join(root, name)), layers: ['plugin'] })
  expect(shown(found)).toEqual(['plugin agents/a.md'])
  expect(found.diagnostics).toMatchObject(
    ['none', 'file'].map((plugin) => ({
      code: 'plugin/missing',
      severity: 'error',
      at: { origin: { source: 'plugin', path: '.', plugin } },
    })),
  )
})

test('links in a plugin are followed and tell where they lead', () => {
  const found = kit(
    { 'agents/in.md': { link: '../lib/in.md' }, 'agents/sub': { link: '../../shared' }, 'lib/in.md': '' },
    { 'shared/x.md': '' },
  )
  expect(found.files.map((file) => [file.namespace, file.origin.path, file.origin.link])).toEqual([
    ['kit', 'agents/in.md', 'lib/in.md'],
    ['kit:sub', 'agents/sub/x.md', '<outside>'],
  ])
})
