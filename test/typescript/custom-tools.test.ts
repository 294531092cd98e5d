import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { customTools } from '../../compiler/typescript/custom-tools.ts'
import { sha256 } from '../../schemas/canonical.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { AGENTC } from '../../schemas/profile.ts'
import type { Source } from '../../schemas/source.ts'
import { agent, agentc, project } from '../support/bin.ts'
import { link, optionsFor, put, temporary } from '../support/tree.ts'

const COUNT = `import { readFile } from 'node:fs/promises'

interface Input {
  /** The file to count in. */
  path: string
  unit?: 'lines' | 'words'
}

/**
 * Counts the lines or words of a file.
 *
 * @readOnly
 */
export default async function (input: Input): Promise<string> {
  const text: string = await readFile(input.path, 'utf8')
  return String(text.split(input.unit === 'words' ? /\\s+/ : '\\n').length)
}
`

test('a tool is described to the model by its comment, its types and its annotations', async () => {
  const root = temporary()
  put(root, 'project/.git/HEAD', '')
  put(root, 'project/.claude/tools/CountIn.ts', COUNT)
  put(root, 'project/.claude/agents/reviewer.md', agent('reviewer', 'tools: Read, CountIn'))
  const compilation = await compile(optionsFor(root))
  expect(compilation.diagnostics).toEqual([])
  const { header, agents } = readManifest(manifestText(compilation))
  expect(header.tools['CountIn']).toEqual({
    description: 'Counts the lines or words of a file.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file to count in.' },
        unit: { type: 'string', enum: ['lines', 'words'] },
      },
      required: ['path'],
      additionalProperties: false,
    },
    traits: { readOnly: true },
    code: { hash: [...compilation.code.keys()][0], origin: { source: 'project', path: '.claude/tools/CountIn.ts' } },
  })
  expect(agents.get('reviewer')!.toolViews.sub.tools).toEqual(['Read', 'CountIn'])
  expect(agents.get('reviewer')!.toolViews.background.tools).toEqual(['Read'])
})

test('what is stored is plain JavaScript under its own hash, and does what was written', async () => {
  const cwd = project({ '.claude/tools/CountIn.ts': COUNT, 'three.txt': 'a\nb\nc' })
  expect(await agentc(['build'], { cwd })).toMatchObject({ code: 0 })
  const { header } = readManifest(readFileSync(join(cwd, '.agentc/manifest.json'), 'utf8'))
  const { hash } = header.tools['CountIn']!.code!
  const file = join(cwd, '.agentc/tools', `${hash.slice('sha256:'.length)}.mjs`)
  expect(sha256(readFileSync(file))).toBe(hash)
  const { default: run } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default: (input: unknown) => Promise<string> }
  expect(await run({ path: join(cwd, 'three.txt') })).toBe('3')
  expect(await agentc(['build', '--check'], { cwd })).toMatchObject({ code: 0 })
})

test('--check fails when the stored code is gone', async () => {
  const cwd = project({ '.claude/tools/CountIn.ts': COUNT })
  await agentc(['build', '--out', 'out/manifest.json'], { cwd })
  expect(await agentc(['build', '--out', 'out/manifest.json', '--check'], { cwd })).toMatchObject({ code: 0 })
  const text = readFileSync(join(cwd, 'out/manifest.json'), 'utf8')
  put(cwd, 'elsewhere/manifest.json', text)
  const moved = await agentc(['build', '--out', 'elsewhere/manifest.json', '--check'], { cwd })
  expect(moved).toMatchObject({ code: 1, out: expect.stringContaining('the code of custom tools is not beside elsewhere') as string })
})

test('no code of a tool runs while it is built, whatever stands at its top level', async () => {
  const trap = `import { writeFileSync } from 'node:fs'\nwriteFileSync('sprung', 'x')\nprocess.exit(7)\n`
  const cwd = project({ '.claude/tools/Trap.ts': `${trap}/** Is a trap. */\nexport default async function () { return '' }\n` })
  const built = await agentc(['build'], { cwd })
  expect(built).toMatchObject({ code: 0, err: '' })
  expect(existsSync(join(cwd, 'sprung'))).toBe(false)
  expect(readFileSync(join(cwd, '.agentc/manifest.json'), 'utf8')).toContain('"Trap"')
})

test('the nearest project folder wins, then the root, then the person; the replaced file has no effect', async () => {
  const root = temporary()
  const text = (who: string): string => `/** Of the ${who}. */\nexport default async function () { return '' }\n`
  put(root, 'project/.git/HEAD', '')
  put(root, 'home/.claude/tools/A.ts', text('person'))
  put(root, 'home/.claude/tools/B.ts', text('person'))
  put(root, 'project/.claude/tools/A.ts', text('root'))
  put(root, 'project/app/.claude/tools/A.ts', text('app'))
  const { profile, diagnostics } = await compile(optionsFor(root, { cwd: join(root, 'project/app') }))
  expect(diagnostics).toEqual([])
  expect(profile.byName.get('A')!.description).toBe('Of the app.')
  expect(profile.byName.get('B')!.description).toBe('Of the person.')
  const { profile: without } = await compile(optionsFor(root, { layers: ['project'] }))
  expect([...without.byName.keys()].filter((name) => name === 'A' || name === 'B')).toEqual(['A'])
})

test('declarations, tests and folders beside the tools are no tools', async () => {
  const root = temporary()
  for (const name of ['a.d.ts', 'a.test.ts', 'a.spec.ts', 'lib/b.ts', 'notes.md']) put(root, `project/.claude/tools/${name}`, 'not code (')
  const { profile, diagnostics, discovery } = await compile(optionsFor(root))
  expect(diagnostics).toEqual([])
  expect(discovery.tools).toEqual([])
  expect(profile).toBe(AGENTC)
})

test('a tool, or a folder of tools, that is not to be had is said to be missing in the words for tools', async () => {
  const said = async (prepare: (root: string) => void, layers?: Source[]): Promise<string[]> => {
    const root = temporary()
    put(root, 'project/.git/HEAD', '')
    prepare(root)
    const { diagnostics } = await compile(optionsFor(root, layers && { layers }))
    return diagnostics.map(({ code, message }) => `${code} ${message}`)
  }
  const behind = (path: string): string => `file/broken-link The link ${path} leads nowhere, so the tools behind it are missing.`
  expect(
    await said((root) => {
      link(root, 'project/.claude/tools/gone.ts', 'nowhere.ts')
      link(root, 'project/.claude/tools/.#open.ts', 'who@where.1')
      link(root, 'project/.claude/tools/gone.test.ts', 'nowhere.ts')
    }),
  ).toEqual([behind('.claude/tools/gone.ts')])
  expect(await said((root) => link(root, 'project/.claude/tools', '../shared'))).toEqual([behind('.claude/tools')])
  expect(await said((root) => put(root, 'project/.claude/tools', 'a file'))).toEqual([
    'file/unreadable .claude/tools cannot be read (it is not a folder), so the tools in it are missing.',
  ])
  const ofThePerson = (root: string): void => link(root, 'home/.claude/tools/gone.ts', 'nowhere.ts')
  expect(await said(ofThePerson)).toEqual([behind('tools/gone.ts')])
  expect(await said(ofThePerson, ['project']), 'of a layer that is left out nothing is said').toEqual([])
})

test.each([
  ['a function declaration', 'export default async function count(input: { a: string }) { return input.a }'],
  ['an arrow function', 'export default async (input: { a: string }) => input.a'],
  ['a named function', 'async function count(input: { a: string }) { return input.a }\nexport default count'],
  ['a constant', 'const count = async (input: { a: string }) => input.a\nexport default count'],
])('%s can be the tool', (_title, text) => {
  const { tools, diagnostics } = toolsOf(`/** Counts. */\n${text}\n`)
  expect(diagnostics).toEqual([])
  expect(tools[0]).toMatchObject({ name: 'Count', description: 'Counts.', inputSchema: { required: ['a'] } })
})

test('annotations give traits', () => {
  const text = (tags: string): string => `/** Counts.\n${tags} */\nexport default async function () { return '' }\n`
  const plain = { readOnly: false, subAgents: true, customAgents: true, background: false }
  expect(toolsOf(text('')).tools[0]!.traits).toEqual(plain)
  expect(toolsOf(text('@readOnly @background')).tools[0]!.traits).toEqual({ ...plain, readOnly: true, background: true })
  expect(toolsOf(text('@mainOnly')).tools[0]!.traits).toEqual({ ...plain, subAgents: false })
  expect(toolsOf(text('@returns a number\n@constructor')).diagnostics).toEqual([])
})

test('only modules of Node are loaded; imports of types load nothing', () => {
  const body = "/** Counts. */\nexport default async function () { return '' }\n"
  const heads = (head: string): string[] =>
    toolsOf(`${head}\n${body}`).diagnostics.map(({ code, at }) => `${code} ${at.text.slice(...at.range)}`)
  expect(heads("import type { A } from './a.ts'\nimport { type B } from 'b'\nimport { EOL } from 'node:os'")).toEqual([])
  expect(heads("import a from 'a'\nexport { b } from './b.js'\nimport 'fs'")).toEqual([
    "typescript/import 'a'",
    "typescript/import './b.js'",
    "typescript/import 'fs'",
  ])
  expect(heads('const name = "x"\nvoid import(name)\nvoid import("node:os")')).toEqual(['typescript/import name'])
  expect(heads("import a = require('node:fs')")).toHaveLength(1)
})

test('a tool with an error is missing, stops the build, and is left out with --keep-going', async () => {
  const cwd = project({
    '.claude/tools/Bad.ts': 'export default async function (input: Date) { return "" }\n',
    '.claude/tools/CountIn.ts': COUNT,
  })
  expect(await agentc(['build'], { cwd })).toMatchObject({
    code: 1,
    out: expect.stringContaining('error[typescript/unsupported-type]') as string,
  })
  await agentc(['build', '--keep-going'], { cwd })
  const { header } = readManifest(readFileSync(join(cwd, '.agentc/manifest.json'), 'utf8'))
  expect(Object.keys(header.tools)).toContain('CountIn')
  expect(Object.keys(header.tools)).not.toContain('Bad')
})

test('a file that is nested beyond measure is a finding and no crash', () => {
  const deep = `export default async function (input: ${'{ a: '.repeat(20_000)}string${' }'.repeat(20_000)}) { return '' }\n`
  const { tools, diagnostics } = toolsOf(deep)
  expect(tools).toEqual([])
  expect(diagnostics.map(({ code }) => code)).toEqual(['typescript/syntax'])
})

function toolsOf(text: string, name = 'Count'): ReturnType<typeof customTools> {
  const origin = { source: 'project' as const, path: `.claude/tools/${name}.ts` }
  return customTools([{ kind: 'tool', form: 'typescript', origin, text }], AGENTC)
}
