import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { Node, Project, SyntaxKind } from 'ts-morph'
import { expect, test } from 'vitest'
import { compile, type Compilation } from '../compiler/compile.ts'
import { changedTools } from '../compiler/lock/compare.ts'
import { lockServers } from '../compiler/lock/lock.ts'
import { CLAUDE_CODE } from '../schemas/claude-code.ts'
import { CODES, type Code } from '../schemas/codes.ts'
import type { CodeDoc, Example } from '../schemas/codes/code-doc.ts'
import type { Diagnostic } from '../schemas/diagnostic.ts'
import { AGENTC, type Profile } from '../schemas/profile.ts'
import { add, lay, options } from './discover/tree.ts'

const BUILTIN = join(import.meta.dirname, '..', 'agents')
const FINDINGS = join(import.meta.dirname, '..', 'compiler', 'findings')
const TABLE = Object.entries(CODES) as [Code, CodeDoc][]

/** Where a path of an example lies: below the project, unless its first part names another layer. */
function placed(path: string): string {
  return /^(?:home|managed|plugins|flag)\//.test(path) ? path : `project/${path}`
}

async function findingsIn(code: Code, example: Example): Promise<Diagnostic[]> {
  const root = lay({ 'project/.git/': '', 'home/': '', 'managed/': '' })
  const files = Object.entries(typeof example === 'string' ? { '.claude/agents/example.md': example } : example)
  for (const [path, file] of files) {
    add(root, { [placed(path)]: typeof file === 'string' || 'link' in file ? file : 'bytes' in file ? Uint8Array.from(file.bytes) : '' })
    if (typeof file === 'object' && 'size' in file) truncateSync(join(root, placed(path)), file.size)
  }
  const plugins = new Set(files.flatMap(([path]) => /^plugins\/[^/]+/.exec(path) ?? []))
  const flag = files.find(([path]) => path === 'flag/agents.json')
  const compilation = await compile({
    ...options(root),
    profile: profileOf(code),
    builtinDir: BUILTIN,
    pluginDirs: [...plugins].map((path) => join(root, path)),
    ...(flag && { agentsFlag: join(root, 'flag/agents.json') }),
  })
  return LOCKING.has(code) ? foundByLocking(compilation) : compilation.diagnostics
}

/** Codes of `build --lock-mcp`, which starts servers and compares what they say with what they are locked to. */
const LOCKING = new Set<Code>(['server/tool-changed', 'server/not-locked'])

async function foundByLocking({ mcp, resolution, discovery, diagnostics }: Compilation): Promise<Diagnostic[]> {
  const where = {
    cwd: discovery.projectRoot,
    env: process.env,
    version: '0',
    kill: (pid: number, signal: NodeJS.Signals) => process.kill(pid, signal),
  }
  const { content, diagnostics: found } = await lockServers({ servers: mcp.servers, resolution }, where)
  return [...diagnostics, ...found, ...(mcp.lock ? changedTools(mcp.lock, content) : [])]
}

/** Findings about a host are made only when that host is the target. */
function profileOf(code: Code): Profile {
  if (code === 'agent/spawn-cycle') return { ...AGENTC, spawnDepth: 2 }
  return code.startsWith('host/') ? CLAUDE_CODE : AGENTC
}

const shown = (found: Diagnostic[]): string[] => [...new Set(found.map(({ severity, code }) => `${severity} ${code}`))]

test.each(TABLE)('the bad example of %s gives this code and no other', async (code, { bad, severity }) => {
  expect(shown(await findingsIn(code, bad))).toEqual([`${severity} ${code}`])
})

test.each(TABLE)('the good example of %s gives no finding', async (code, { good }) => {
  expect(shown(await findingsIn(code, good))).toEqual([])
})

test.each(TABLE)('message, help, places and fixes for the bad example of %s are well formed', async (code, { bad }) => {
  for (const { message, help, at, related = [], fix } of await findingsIn(code, bad)) {
    for (const text of [message, help ?? '?']) expect(text).toMatch(/^[^\n]*[.?]$/)
    expect(message).toMatch(/\.$/)
    for (const place of [at, ...related.map((other) => other.at)]) expectInside(place.range, place.text)
    for (const { range } of fix?.edits ?? []) expectInside(range, at.text)
  }
})

function expectInside([start, end]: readonly [number, number], text: string): void {
  expect(start).toBeGreaterThanOrEqual(0)
  expect(end).toBeGreaterThanOrEqual(start)
  expect(end).toBeLessThanOrEqual(text.length)
}

test.each(TABLE)('%s is explained in sentences', (_code, { what, why, todo }) => {
  expect(what).toMatch(/^[^\n]+\.$/)
  expect(what.replace(/`[^`]*`/g, '')).not.toMatch(/[.!?] [A-Z]/)
  for (const text of [why, todo]) expect(text).toMatch(/^[^\n]+\.$/)
})

test('every code that a constructor of a finding uses is in the table, and every code of the table is used', () => {
  const sources = readdirSync(FINDINGS).map((name) => readFileSync(join(FINDINGS, name), 'utf8'))
  const used = sources.flatMap((source) => [...source.matchAll(/'([a-z]+\/[a-z0-9-]+)'/g)].map((match) => match[1]!))
  expect([...new Set(used)].sort()).toEqual(Object.keys(CODES).sort())
})

test('every code stands in the file of its family, in the form family/words', () => {
  for (const code of Object.keys(CODES)) {
    const table = readFileSync(join(import.meta.dirname, '..', 'schemas', 'codes', `${code.split('/')[0]}.ts`), 'utf8')
    expect(table).toContain(`  '${code}': {`)
  }
})

test('every message and every help in the constructors ends like a sentence', () => {
  const project = new Project({ skipAddingFilesFromTsConfig: true })
  project.addSourceFilesAtPaths(join(FINDINGS, '*.ts'))
  for (const file of project.getSourceFiles()) {
    const helps = file.getDescendantsOfKind(SyntaxKind.PropertyAssignment).filter((property) => property.getName() === 'help')
    const calls = file.getDescendantsOfKind(SyntaxKind.CallExpression).filter((call) => call.getExpression().getText() === 'finding')
    const texts = [...helps.map((help) => help.getInitializer()), ...calls.map((call) => call.getArguments()[2])].flatMap(literalsIn)
    for (const text of texts) expect(text, file.getBaseName()).toMatch(/^.*[.?]$/)
  }
})

/** The texts an expression can be; a template without its marks, a variable not at all. */
function literalsIn(node: Node | undefined): string[] {
  if (Node.isConditionalExpression(node)) return [node.getWhenTrue(), node.getWhenFalse()].flatMap(literalsIn)
  return Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node) || Node.isTemplateExpression(node)
    ? [node.getText().slice(1, -1)]
    : []
}
