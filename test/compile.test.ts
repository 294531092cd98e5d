import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { build } from '../compiler/commands/build.ts'
import type { Io } from '../compiler/commands/io.ts'
import { list } from '../compiler/commands/list.ts'
import { readManifest } from '../schemas/manifest.ts'
import { ROOT, temporary } from './support/tree.ts'

/**
 * A folder a case: `in` holds `project/`, `home/`, `managed/`, `plugins/<name>/`, `flag/agents.json`, and `out` what comes of it.
 * A `.git` folder is made in `project/`, or instead wherever a file `GITROOT` stands. `in/options.json`: `{ cwd, flags }`.
 * `UPDATE=1 npx vitest run test/compile.test.ts` writes `out` anew; read the difference before you keep it.
 */
const CASES = join(ROOT, 'test/compile')
const cases = temporary()

interface Options {
  cwd?: string
  flags?: string[]
}

/** Built-in agents would stand in every manifest here; only the cases about them take them in. */
const LAYERS = ['--layers', 'plugin,user,project,flag,policy']

function lay(name: string): string {
  const root = join(cases, name)
  cpSync(join(CASES, name, 'in'), root, { recursive: true, verbatimSymlinks: true })
  for (const folder of ['project', 'home', 'managed']) mkdirSync(join(root, folder), { recursive: true })
  const marks = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('GITROOT'))
  for (const mark of marks) rmSync(join(root, mark))
  for (const folder of marks.length > 0 ? marks.map(dirname) : ['project']) mkdirSync(join(root, folder, '.git'))
  return root
}

async function outputs(name: string): Promise<Record<string, string | undefined>> {
  const root = lay(name)
  const options = textOf(join(root, 'options.json'))
  const { cwd = '.', flags = [] } = (options === undefined ? {} : JSON.parse(options)) as Options
  const plugins = existsSync(join(root, 'plugins')) ? readdirSync(join(root, 'plugins')).sort() : []
  const where = [
    ...(flags.includes('--layers') ? [] : LAYERS),
    ...plugins.flatMap((plugin) => ['--plugin-dir', join(root, 'plugins', plugin)]),
    ...(existsSync(join(root, 'flag/agents.json')) ? ['--agents', join(root, 'flag/agents.json')] : []),
  ]
  let out = ''
  const io: Io = {
    out: (text) => void (out += text),
    err: (text) => void (out += text),
    env: {},
    cwd: join(root, 'project', cwd),
    home: join(root, 'home'),
    platform: 'linux',
    terminal: false,
    columns: 80,
    builtinDir: join(ROOT, 'agents'),
    schemaDir: join(ROOT, 'schemas'),
    version: '0.0.0',
  }
  const managed = ['--managed-dir', join(root, 'managed')]
  const code = await build([...where, ...managed, ...flags], io)
  const diagnostics = `${out}exit code ${code}\n`
  out = ''
  const forList = flags.filter((flag, i) => !['--keep-going', '--strict'].includes(flag) || flags[i - 1] === '--layers')
  await list([...where, ...managed, ...forList, '--format', 'json'], io)
  return { 'diagnostics.txt': diagnostics, 'list.json': out, 'manifest.json': textOf(join(io.cwd, '.agentc/manifest.json')) }
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function rewrite(folder: string, made: Record<string, string | undefined>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [file, text] of Object.entries(made)) if (text !== undefined) writeFileSync(join(folder, file), text)
}

describe.each(readdirSync(CASES).sort())('%s', (name) => {
  const folder = join(CASES, name, 'out')

  test('gives the manifest, the findings and the list that are kept beside it', async () => {
    const made = await outputs(name)
    if (process.env['UPDATE'] === '1') rewrite(folder, made)
    for (const [file, text] of Object.entries(made)) expect(text, `${file}; UPDATE=1 writes it anew`).toBe(textOf(join(folder, file)))
  })

  test('gives a manifest that can be read back whole, and nothing of this machine in any output', () => {
    const manifest = textOf(join(folder, 'manifest.json'))
    if (manifest !== undefined) expect(readManifest(manifest).agents.size).toBe(readManifest(manifest).names.length)
    for (const file of readdirSync(folder))
      expect(textOf(join(folder, file)), file).not.toMatch(/\/tmp\/|\/home\/|\/Users\/|agentc-compile-/)
  })
})

/** What has to be the same whatever bytes surround the text: all but the name and what is made from it, and the hashes. */
function withoutNames(manifest: string): unknown[] {
  return [...readManifest(manifest).agents.values()].map((agent) =>
    JSON.parse(
      JSON.stringify(agent, (key, value: unknown) => (key === 'hash' || key === 'path' || key === 'description' ? undefined : value)),
    ),
  )
}

test('a byte order mark, CRLF and blanks after the fence give the same agent as the plain file, places included', () => {
  const [first, ...others] = withoutNames(readFileSync(join(CASES, 'encodings/out/manifest.json'), 'utf8'))
  expect(others).toHaveLength(4)
  for (const other of others) expect(other).toEqual(first)
})
