import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { agent } from './support/bin.ts'
import { put, ROOT, temporary } from './support/tree.ts'

/** The package as npm makes it, installed into an empty folder as people do it. */

const CACHE = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
const QUIET = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error']

describe('the package', () => {
  const folder = temporary()
  const installed = join(folder, 'node_modules/agentc')
  let size = 0

  const run = (command: string, ...argv: string[]): string =>
    execFileSync(command, argv, { cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: folder, npm_config_cache: CACHE } })

  beforeAll(() => {
    const packed = join(folder, 'packed')
    mkdirSync(packed)
    // `npm test` has built dist/ already, and a build now would change it below the feet of other tests.
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', packed, ...QUIET], { cwd: ROOT, stdio: 'pipe' })
    const tarball = join(packed, readdirSync(packed)[0]!)
    size = statSync(tarball).size
    put(folder, 'package.json', '{ "name": "empty", "private": true }\n')
    put(folder, '.claude/agents/reviewer.md', agent('reviewer', 'tools: Read'))
    run('npm', 'install', tarball, ...QUIET)
  }, 120_000)

  test('brings ripgrep and ts-morph, and runs with what it holds', () => {
    expect(run('npx', 'agentc', 'build')).toBe('6 agents: no findings\nwrote .agentc/manifest.json\n')
    expect(run('npx', 'agentc', 'explain', 'Explore')).toContain('<builtin>/agents/explore.md')
    expect(run('npx', 'agentc', 'schema', 'manifest')).toContain('"title": "agentc manifest"')
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
    expect(Object.keys(dependencies)).toEqual(['@vscode/ripgrep', 'ts-morph'])
  })

  test('can be imported, with types', () => {
    const program =
      "const { compile } = await import('agentc/compiler'); const { runAgent } = await import('agentc/runner'); console.log(typeof compile, typeof runAgent)"
    expect(run(process.execPath, '--input-type=module', '-e', program)).toBe('function function\n')
    for (const file of ['compiler', 'runner']) expect(existsSync(join(installed, `dist/types/${file}/index.d.ts`)), file).toBe(true)
  })

  test.skipIf(!existsSync(join(ROOT, 'demo/demo.mjs')))('holds the demo, which goes the whole way without a key', () => {
    expect(run(process.execPath, 'node_modules/agentc/demo/demo.mjs')).toContain('Explore')
  })

  test('holds what it needs and nothing else: no tests, no maps, no sources, nothing of this machine', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name).slice(installed.length + 1)] : [],
    )
    for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'agents/explore.md', 'schemas/agent.schema.json'])
      expect(files).toContain(name)
    const strays = files.filter((file) => /\.map$|(?:^|\/)(?:test|node_modules|\.env|\.git)|\.ts$/.test(file) && !file.endsWith('.d.ts'))
    expect(strays).toEqual([])
    for (const file of files) expect(readFileSync(join(installed, file), 'utf8').includes(ROOT), file).toBe(false)
    // Most of it is the grammar of bash, by which permissions are judged, and the code that Node would else compile at each start.
    expect(size).toBeLessThan(3_500_000)
  })
})
