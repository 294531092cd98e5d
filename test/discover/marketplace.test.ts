import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Discovery } from '../../compiler/discover/discover.ts'
import { codes, find, lay, type Leaf } from './tree.ts'

const MARKET = 'shop/.claude-plugin/marketplace.json'

function shop(market: unknown, files: Record<string, Leaf> = {}, enabledPlugins: [string, boolean][] = []): Discovery {
  const root = lay({ [MARKET]: typeof market === 'string' ? market : JSON.stringify(market), ...files })
  return find(root, { pluginDirs: [join(root, 'shop')], layers: ['plugin'], enabledPlugins: new Map(enabledPlugins) })
}

const names = (found: Discovery) => found.files.map((file) => `${file.namespace} ${file.origin.path}`)
const kit = { name: 'kit', source: './plugins/kit' }

test('each plugin that a marketplace lists and that lies in it is a plugin', () => {
  const files = {
    'shop/plugins/kit/agents/a.md': '',
    'shop/plugins/two/agents/deep/b.md': '',
    'shop/plugins/unlisted/agents/c.md': '',
    'shop/agents/d.md': '',
  }
  const found = shop({ name: 'shop', plugins: [kit, { name: 'two', source: './plugins/two' }] }, files)
  expect([names(found), codes(found)]).toEqual([['kit agents/a.md', 'two:deep agents/deep/b.md'], []])
})

test('a plugin.json says what the plugin is called and where its agents are; without one the entry may', () => {
  const files = {
    'shop/plugins/kit/.claude-plugin/plugin.json': '{"name": "own"}',
    'shop/plugins/kit/agents/a.md': '',
    'shop/two/extra/b.md': '',
    'shop/two/agents/no.md': '',
  }
  const found = shop({ name: 'shop', plugins: [kit, { name: 'two', source: './two', agents: './extra' }] }, files)
  expect([names(found), codes(found)]).toEqual([['own agents/a.md', 'two extra/b.md'], []])
})

test('a folder with a plugin.json is a plugin, whatever its marketplace.json lists', () => {
  const files = { 'shop/.claude-plugin/plugin.json': '{"name": "me"}', 'shop/agents/a.md': '', 'shop/plugins/kit/agents/b.md': '' }
  expect(names(shop({ name: 'shop', plugins: [kit] }, files))).toEqual(['me agents/a.md'])
})

test('the settings switch single plugins off', () => {
  const files = { 'shop/plugins/kit/agents/a.md': '', 'shop/two/agents/b.md': '' }
  const market = { name: 'market', plugins: [kit, { name: 'two', source: './two' }] }
  expect(names(shop(market, files, [['kit@market', false]]))).toEqual(['two agents/b.md'])
  expect(
    names(
      shop(market, files, [
        ['kit@other', false],
        ['two@market', true],
      ]),
    ),
  ).toEqual(['kit agents/a.md', 'two agents/b.md'])
})

test('a folder for relative sources may be named once', () => {
  const files = { 'shop/plugins/kit/agents/a.md': '' }
  const market = { name: 'shop', metadata: { pluginRoot: './plugins' }, plugins: [{ name: 'kit', source: 'kit' }] }
  expect(names(shop(market, files))).toEqual(['kit agents/a.md'])
})

test('a plugin that lies elsewhere is said, and nothing is fetched', () => {
  const found = shop({ name: 'shop', plugins: [{ name: 'far', source: { source: 'github', repo: 'a/b' } }] })
  expect(codes(found)).toEqual(['plugin/remote .claude-plugin/marketplace.json'])
})

test.each([
  ['{', 'is not JSON'],
  ['[]', 'is not a JSON object'],
  [{ name: 'shop' }, 'has no list'],
  [{ plugins: [7] }, 'without a "name"'],
  [{ plugins: [{ name: 'a:b', source: './plugins/kit' }] }, 'without a "name"'],
  [{ plugins: [{ name: 'kit' }] }, 'has no "source"'],
  [{ plugins: [{ name: 'kit', source: '../kit' }] }, 'does not start with'],
  [{ plugins: [{ name: 'kit', source: './../kit' }] }, 'leads out of'],
  [{ plugins: [{ name: 'kit', source: '/etc' }] }, 'does not start with'],
  [{ metadata: { pluginRoot: '../..' }, plugins: [{ name: 'kit', source: './kit' }] }, 'leads out of'],
  [{ plugins: [{ name: 'kit', source: './none' }] }, 'is no folder'],
])('%j is reported, and nothing outside is read', (market, reason) => {
  const found = shop(market, { 'kit/agents/x.md': '', 'shop/plugins/kit/agents/a.md': '' })
  expect(names(found)).toEqual([])
  expect(found.diagnostics).toMatchObject([{ code: 'plugin/invalid-marketplace', message: expect.stringContaining(reason) }])
})

test('two plugins of one name are reported; one folder that is given twice is not', () => {
  const root = lay({ 'a/kit/agents/x.md': '', 'b/kit/agents/y.md': '' })
  const found = find(root, { pluginDirs: ['a/kit', 'b/kit', 'a/kit'].map((path) => join(root, path)), layers: ['plugin'] })
  expect([names(found), codes(found)]).toEqual([
    ['kit agents/x.md', 'kit agents/y.md'],
    ['plugin/duplicate-name .claude-plugin/plugin.json'],
  ])
})

test('hooks of a plugin are found in hooks/hooks.json, where its manifest says, and in the manifest', () => {
  const root = lay({
    'kit/hooks/hooks.json': '{}',
    'kit/more.json': '{}',
    'kit/.claude-plugin/plugin.json': '{"hooks": ["./more.json", "/etc/passwd"]}',
    'two/.claude-plugin/plugin.json': '{"hooks": {"Stop": []}}',
  })
  const found = find(root, { pluginDirs: [join(root, 'kit'), join(root, 'two')], layers: ['plugin'] })
  expect(found.pluginHooks.map(({ kind, origin }) => [kind, origin.plugin, origin.path])).toEqual([
    ['hooks', 'kit', 'hooks/hooks.json'],
    ['hooks', 'kit', 'more.json'],
    ['hooks', 'two', '.claude-plugin/plugin.json'],
  ])
  expect(codes(found)).toEqual(['plugin/invalid-path .claude-plugin/plugin.json'])
})
