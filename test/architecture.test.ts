import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectPart } from './support/document.ts'
import { importsOf, pathOf, programFiles, usesGlobal, type Import } from './support/imports.ts'
import { ROOT } from './support/tree.ts'

/** The rules that keep the tree readable (design 2). Each says itself what to do when it fails. */

const files = programFiles()
const imports = files.flatMap(importsOf)
const paths = files.map(pathOf)

/** `compiler/parse`, `runner/tools`, …; a file directly in `compiler` is a place of its own, those directly in `runner` are one. */
function placeOf(path: string): string {
  const [top, folder, ...rest] = path.split('/')
  if (top === 'schemas') return 'schemas'
  if (rest.length > 0) return `${top}/${folder}`
  return top === 'runner' ? 'runner' : path
}

describe('the sides', () => {
  test('schemas imports zod, ajv, zod-to-json-schema, node:crypto and itself, and nothing else', () => {
    const allowed = new Set(['zod/v3', 'ajv', 'ajv/dist/standalone/index.js', 'zod-to-json-schema', 'node:crypto'])
    const wrong = from('schemas').filter(({ to, own }) => (own ? !to.startsWith('schemas/') : !allowed.has(to)))
    expect(shown(wrong)).toEqual([])
  })

  test('compiler and runner never import each other, and nothing imports agentc.ts', () => {
    const crossing = imports.filter(({ from, to }) => isCrossing(from, to) || to === 'agentc.ts')
    expect(shown(crossing)).toEqual([])
  })

  test('agentc.ts is under 150 lines', () => {
    expect(lines('agentc.ts')).toBeLessThan(150)
  })

  test('zod is never loaded at run time: only schemas/shapes takes code from schemas/shapes', () => {
    const loading = imports.filter(
      ({ from, to, typeOnly }) => to.startsWith('schemas/shapes/') && !from.startsWith('schemas/shapes/') && !typeOnly,
    )
    expect(shown(loading)).toEqual([])
  })
})

describe('the stages', () => {
  test('each place imports exactly what the table in ARCHITECTURE.md says; UPDATE=1 writes it anew, and a person reads the difference', () => {
    expectPart('ARCHITECTURE.md', 'imports', importTable())
  })

  test('no two places of the compiler import each other, on whatever way', () => {
    expect(importRows().circular.filter(({ place }) => place.startsWith('compiler/'))).toEqual([])
  })

  test('there are no import cycles, not even of types', () => {
    expect(cycles()).toEqual([])
  })
})

/** Package to the one file that takes its code. Where there are two, the second is the generator, which no command loads. */
const DOORS: Record<string, string[]> = {
  // What lies outside the piece that `agentc build` is.
  '(computed)': ['compiler/commands/piece.ts'],
  '@anthropic-ai/sdk': ['runner/model/sdk.ts'],
  // Two, one a side: compiler and runner never import each other, and schemas may not know processes and network.
  '@opentelemetry/api': ['runner/otel/observed.ts'],
  '@modelcontextprotocol/sdk': ['compiler/lock/client.ts', 'runner/mcp/client.ts'],
  '@vscode/ripgrep': ['runner/tools/ripgrep.ts'],
  diff: ['compiler/diff/lines.ts', 'runner/tools/change.ts'],
  ajv: ['runner/tools/input.ts', 'schemas/shapes/derive.ts'],
  chokidar: ['compiler/watch/watcher.ts'],
  'get-east-asian-width': ['compiler/report/frame.ts'],
  'jsonc-parser': ['compiler/parse/json-document.ts'],
  'gray-matter': ['compiler/skills/matter.ts'],
  picomatch: ['compiler/instructions/excluder.ts', 'runner/path-pattern.ts'],
  'ts-morph': ['compiler/typescript/syntax.ts'],
  yaml: ['compiler/parse/yaml-document.ts'],
  'web-tree-sitter': ['runner/permission/shell/parser.ts'],
  'zod-to-json-schema': ['schemas/shapes/derive.ts'],
}

describe('packages', () => {
  const packages = imports.filter(({ to, own, typeOnly }) => !own && !typeOnly && !to.startsWith('node:'))

  test('each package has one door, the file that takes its code', () => {
    const doors: Record<string, string[]> = {}
    for (const { from, to } of packages) {
      const name = packageOf(to)
      if (name !== 'zod') doors[name] = [...new Set([...(doors[name] ?? []), from])].sort()
    }
    expect(doors).toEqual(DOORS)
  })

  test('zod is taken as zod/v3, in schemas/shapes only', () => {
    const wrong = imports.filter(({ from, to }) => packageOf(to) === 'zod' && (to !== 'zod/v3' || !from.startsWith('schemas/shapes/')))
    expect(shown(wrong)).toEqual([])
  })

  test('what stays outside the bundle is a dependency, everything else is none', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    const external = /external: \[([^\]]*)\]/
      .exec(read('scripts/build.mjs'))![1]!
      .match(/'([^']+)'/g)!
      .map((name) => name.slice(1, -1))
    expect(Object.keys(dependencies)).toEqual(external)
  })
})

describe('names and files', () => {
  test('no folder or file is called util, helper, common, manager or service', () => {
    const vague = /^(?:utils?|helpers?|commons?|managers?|services?|misc|shared)$/i
    const names = tree('').filter((path) => path.split('/').some((part) => part.split(/[.-]/).some((word) => vague.test(word))))
    expect(names).toEqual([])
  })

  test('there are no barrels but compiler/index.ts and runner/index.ts', () => {
    const barrels = files.filter((file) => {
      const wildcard = file.getExportDeclarations().some((node) => node.isNamespaceExport())
      return wildcard || basename(file.getFilePath()) === 'index.ts' || file.getStatements().every((node) => isReexport(node.getText()))
    })
    expect(barrels.map(pathOf)).toEqual(['compiler/index.ts', 'runner/index.ts'])
  })

  test('a file over 300 lines says in its first comment why it is long', () => {
    const code = new Set(['.ts', '.js', '.mjs'])
    const long = tree('').filter((path) => code.has(extname(path)) && lines(path) > 300)
    expect(long.filter((path) => !/\blong because\b/.test(read(path).split('\n').slice(0, 20).join('\n')))).toEqual([])
  })
})

describe('the outside', () => {
  test('process and console appear in agentc.ts and the command files only', () => {
    const commands = /^(?:agentc\.ts|(?:compiler|runner)\/commands\/.*)$/
    const outside = files.filter((file) => !commands.test(pathOf(file)))
    expect(outside.filter((file) => usesGlobal(file, 'process') || usesGlobal(file, 'console')).map(pathOf)).toEqual([])
  })

  test('schemas knows no disk, process, network or clock', () => {
    const clocks = files.filter(
      (file) => pathOf(file).startsWith('schemas/') && /\bDate\b|performance\.|setTimeout|fetch\(/.test(file.getText()),
    )
    expect(clocks.map(pathOf).filter((path) => !path.startsWith('schemas/generated/') && !path.startsWith('schemas/codes/'))).toEqual([])
  })
})

test('what is to happen after tests stands in test files and in test/support/setup.ts: files of tests share all other modules', () => {
  const shared = tree('test').filter((path) => path.endsWith('.ts') && !/\.test\.ts$|^test\/support\/setup\.ts$/.test(path))
  expect(shared.filter((path) => /^(?:before|after)(?:All|Each)\(/m.test(read(path)))).toEqual([])
})

test('what is generated from the shapes is up to date; if this fails, run `npm run generate`', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentc-generated-'))
  try {
    execFileSync(process.execPath, [join(ROOT, 'scripts/generate.mjs'), folder])
    const fresh = readdirSync(join(folder, 'schemas'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const names = fresh.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort()
    expect(names).toEqual(tree('schemas').filter((path) => /\.schema\.json$|^schemas\/generated\/.*\.js(?:on)?$/.test(path)))
    for (const name of names) expect(read(name), name).toBe(readFileSync(join(folder, name), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

interface Row {
  place: string
  code: string[]
  types: string[]
}

/** What each place imports of the others, each below those that it imports. `schemas` is left out: everything may import it. */
function importRows(): { ordered: Row[]; circular: Row[] } {
  const places = [...new Set(paths.map(placeOf))].filter((place) => place !== 'schemas').sort()
  const waiting = places.map(rowOf)
  const ordered: Row[] = []
  for (let next = 0; next >= 0;) {
    next = waiting.findIndex(({ code, types }) => [...code, ...types].every((name) => ordered.some((row) => row.place === name)))
    if (next >= 0) ordered.push(...waiting.splice(next, 1))
  }
  return { ordered, circular: waiting }
}

function rowOf(place: string): Row {
  const own = imports.filter((item) => item.own && placeOf(item.from) === place)
  const others = (list: Import[]): string[] =>
    [...new Set(list.map(({ to }) => placeOf(to)))].filter((name) => name !== place && name !== 'schemas').sort()
  const code = others(own.filter(({ typeOnly }) => !typeOnly))
  return { place, code, types: others(own.filter(({ typeOnly }) => typeOnly)).filter((name) => !code.includes(name)) }
}

function importTable(): string {
  const { ordered, circular } = importRows()
  const cell = (names: string[]): string => names.map((name) => `\`${name}\``).join(', ')
  const rows = [...ordered, ...circular].map(({ place, code, types }) => `| \`${place}\` | ${cell(code)} | ${cell(types)} |`)
  return ['| place | uses the code of | and the types of |', '|---|---|---|', ...rows].join('\n')
}

function cycles(): string[] {
  const next = new Map<string, string[]>()
  for (const { from, to, own } of imports) if (own) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, way: string[]): void => {
    if (way.includes(file)) return void found.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const target of next.get(file) ?? []) visit(target, [...way, file])
    done.add(file)
  }
  for (const path of paths) visit(path, [])
  return found
}

const from = (top: string): Import[] => imports.filter((item) => item.from.startsWith(`${top}/`))
const shown = (list: Import[]): string[] => list.map((item) => `${item.from} imports ${item.to}`)
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
const isReexport = (text: string): boolean => /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^;]*\bfrom\b/.test(text)
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const lines = (path: string): number => read(path).split('\n').length - 1

function isCrossing(from: string, to: string): boolean {
  return (from.startsWith('compiler/') && to.startsWith('runner/')) || (from.startsWith('runner/') && to.startsWith('compiler/'))
}

/** Folders that hold inputs of tests, or what tools wrote. */
const NOT_OURS = /^(?:node_modules|dist|\.git|\.agentc|coverage|test\/(?:cases|faults|fake-api|conformance)|test\/compile\/.+)$/

/** All files of the repository that people write, sorted. */
function tree(folder: string): string[] {
  const found = readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (NOT_OURS.test(path)) return []
    return entry.isDirectory() ? tree(path) : [path]
  })
  return found.sort()
}
