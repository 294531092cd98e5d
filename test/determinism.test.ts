import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { discover } from '../compiler/discover/discover.ts'
import { DISK, type FileSystem } from '../compiler/discover/file-system.ts'
import { agent, agentc } from './support/bin.ts'
import { link, optionsFor, put, temporary } from './support/tree.ts'

/** Same inputs, same bytes: on every machine, for every user, wherever the tree lies (design 4). */

const NAMES = ['a', 'B', 'ä', 'z', 'Z', 'i', 'İ', 'ı', '1', '10', '2', '日本', '_x', '-y'.slice(1), 'é']

/** Agents of all layers, some of them broken, in folders deep and flat, with links inside and outside. */
function files(): [path: string, text: string][] {
  const one = (path: string, name: string, ...lines: string[]): [string, string] => [`${path}.md`, agent(name, ...lines)]
  return [
    ...NAMES.map((name, i) => one(`project/repo/.claude/agents/${name}`, `agent ${name}`, ...(i % 2 ? ['tools: Read, Grpe'] : []))),
    ...NAMES.map((name) => one(`project/repo/.claude/agents/deep/${name}/inner`, `inner ${name}`, 'color: red')),
    one('project/repo/app/.claude/agents/near', 'agent a', 'disallowedTools: bash'),
    ['project/repo/.claude/agents/broken.md', '---\nname: broken\ndescription: "half" quoted\n---\n'],
    one('home/.claude/agents/user', 'agent a', 'model: haiku'),
    one('managed/.claude/agents/policy', 'agent z'),
    one('plugins/kit/agents/sub/tool', 'tool', 'permissionMode: plan'),
    ['flag.json', '{ "quick": { "description": "Is quick.", "prompt": "Be quick.", "tools": ["Read", "grep"] } }\n'],
    one('outside/shared', 'shared', 'mcpServers:', '  - db: { command: ./db, env: { TOKEN: "${TOKEN}" } }'),
  ]
}

function lay(order: (list: [string, string][]) => [string, string][]): string {
  const root = temporary()
  for (const [path, text] of order(files())) put(root, path, text)
  put(root, 'project/repo/.git/HEAD', 'ref: refs/heads/main\n')
  link(root, 'project/repo/.claude/agents/from-outside.md', join(root, 'outside/shared.md'))
  link(root, 'project/repo/.claude/agents/from-inside.md', 'deep/z/inner.md')
  link(root, 'project/repo/.claude/agents/dead.md', 'nowhere.md')
  return root
}

interface Outputs {
  json: string
  pretty: string
  list: string
  explain: string
  manifest: string
}

/** What every command prints and writes, started somewhere in the tree with paths as a person would give them. */
async function outputs(root: string, from: string, env: Record<string, string>): Promise<Outputs> {
  const cwd = join(root, from)
  const to = (path: string): string => relative(cwd, join(root, path)) || '.'
  const where = [
    '--project',
    to('project/repo/app'),
    '--home',
    to('home'),
    '--managed-dir',
    to('managed'),
    '--plugin-dir',
    to('plugins/kit'),
  ]
  const flags = [...where, '--agents', relative(join(root, 'project/repo/app'), join(root, 'flag.json'))]
  const run = async (command: string, ...more: string[]): Promise<string> => {
    const ran = await agentc([command, ...more, ...flags], { cwd, env })
    expect(ran.err).not.toContain('agentc has a bug')
    return ran.out
  }
  const json = await run('build', '--keep-going', '--format', 'json')
  const [pretty, list, explain] = await Promise.all([
    run('build', '--keep-going', '--out', join(root, 'project/repo/app/out.json')),
    run('list', '--format', 'json'),
    run('explain', 'agent a', '--format', 'json'),
  ])
  const manifest = readFileSync(join(root, 'project/repo/app/.agentc/manifest.json'), 'utf8')
  return { json, pretty: pretty.replace(/^(wrote|unchanged:) .*$/m, ''), list, explain, manifest }
}

describe('the same tree', () => {
  test('at two places, made in another order, for another user in another land, from another folder, gives the same bytes', async () => {
    const first = await outputs(
      lay((list) => list),
      'project/repo/app',
      { LANG: 'C', TZ: 'UTC', USER: 'ada' },
    )
    const second = await outputs(
      lay((list) => [...list].reverse()),
      'home',
      {
        LANG: 'tr_TR.UTF-8',
        LC_ALL: 'tr_TR.UTF-8',
        TZ: 'Asia/Kathmandu',
        USER: 'grace-hopper',
        HOME: '/home/grace-hopper',
        COLUMNS: '33',
      },
    )
    expect(second).toEqual(first)
    expect(JSON.parse(first.list)).toHaveLength(2 * NAMES.length + 9)

    const year = String(new Date().getFullYear())
    for (const [what, text] of Object.entries(second)) {
      for (const trace of ['/tmp', '/home', 'agentc-test-', 'grace-hopper', 'Kathmandu', year]) expect(text, what).not.toContain(trace)
      expect(text, what).not.toMatch(/\d{4}-\d{2}-\d{2}T|\d{2}:\d{2}:\d{2}/)
    }
  })

  test('is found alike whatever order the disk lists it in', () => {
    const root = lay((list) => list)
    const options = optionsFor(root, { cwd: join(root, 'project/repo/app'), pluginDirs: [join(root, 'plugins/kit')] })
    const plain = discover(options)
    let seed = 7
    const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
    const shuffled: FileSystem = { ...DISK, list: (path) => DISK.list(path).sort(() => random() - 0.5) }
    for (let round = 0; round < 20; round++) {
      const again = discover(options, shuffled)
      expect(again.files).toEqual(plain.files)
      expect(again.diagnostics).toEqual(plain.diagnostics)
    }
  })
})
