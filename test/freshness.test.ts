import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../compiler/compile.ts'
import type { CompileOptions } from '../compiler/options.ts'
import { manifestText } from '../compiler/emit/manifest-of.ts'
import { writeAtomically } from '../compiler/emit/write.ts'
import { isFresh } from '../compiler/freshness/check.ts'
import { readRecord, recordParts } from '../compiler/freshness/record.ts'
import { now } from '../compiler/commands/unchanged.ts'
import { agent, project } from './support/bin.ts'
import { link, optionsFor, put, temporary } from './support/tree.ts'

const FILE = '.claude/agents/reviewer.md'
const VERSION = '1.2.3'

interface Built {
  cwd: string
  options: CompileOptions
  record: string
  manifest: string
}

/** A project that was built, as `.agentc` would hold it. */
async function built(more: Partial<CompileOptions> = {}): Promise<Built> {
  const cwd = project({ [FILE]: agent('reviewer'), 'CLAUDE.md': '@docs/how.md\n@docs/later.md\n', 'docs/how.md': 'Like this.\n' })
  link(cwd, '.claude/agents/linked.md', '../../shared/linked.md')
  put(cwd, 'shared/linked.md', agent('linked'))
  const options = optionsFor(join(cwd, '..'), more)
  const compilation = await compile(options)
  const manifest = manifestText(compilation)
  const result = { agents: compilation.resolution.agents.size, errors: 0, left: [], diagnostics: [] }
  const facts = { inputs: compilation.discovery.inputs, outputs: [], head: manifest, options, version: VERSION, began: now(), result }
  return { cwd, options, manifest, record: Buffer.concat([...recordParts(facts)]).toString() }
}

/** Lets a file look as if it had been written at another time. */
function touch(file: string): void {
  const { atimeMs, mtimeMs } = statSync(file)
  utimesSync(file, atimeMs / 1000, mtimeMs / 1000 - 100)
}

const isStill = (record: string | undefined, manifest: string | undefined, options: CompileOptions, version: string): boolean =>
  isFresh(readRecord(record, version), manifest, options, now())
const filesIn = (folder: string): string[] => readdirSync(folder).sort()
const fresh = ({ record, manifest, options }: Built): boolean => isStill(record, manifest, options, VERSION)

describe('a manifest is fresh', () => {
  const cases: [what: string, change: (built: Built) => void, still: boolean][] = [
    ['if nothing changed', () => undefined, true],
    ['if a file was only touched', ({ cwd }) => touch(join(cwd, FILE)), true],
    ['not if a file has other text', ({ cwd }) => put(cwd, FILE, agent('reviewer', 'tools: Read')), false],
    [
      'not if a file has other text of the same length and is dated otherwise',
      ({ cwd }) => (put(cwd, FILE, agent('reviewEr')), touch(join(cwd, FILE))),
      false,
    ],
    ['not if what a link leads to has other text', ({ cwd }) => put(cwd, 'shared/linked.md', agent('linked', 'tools: Read')), false],
    ['not if there is a new file', ({ cwd }) => put(cwd, '.claude/agents/new.md', agent('new')), false],
    ['not if there is a new file in a new folder', ({ cwd }) => put(cwd, '.claude/agents/deep/new.md', agent('new')), false],
    ['not if a CLAUDE.md has other text', ({ cwd }) => put(cwd, 'CLAUDE.md', '@docs/how.md\n@docs/later.md\nOther.\n'), false],
    ['not if what it imports has other text', ({ cwd }) => put(cwd, 'docs/how.md', 'Otherwise.\n'), false],
    ['not if what it imports and was not there appears', ({ cwd }) => put(cwd, 'docs/later.md', 'Later.\n'), false],
    ['not if there is a new CLAUDE.md of the person', ({ cwd }) => put(cwd, '../home/.claude/CLAUDE.md', 'Mine.\n'), false],
    ['not if there is a new CLAUDE.md of policy', ({ cwd }) => put(cwd, '../managed/CLAUDE.md', 'Ours.\n'), false],
    ['not if there is a new CLAUDE.local.md', ({ cwd }) => put(cwd, 'CLAUDE.local.md', 'Here.\n'), false],
    ['not if there is a new rule', ({ cwd }) => put(cwd, '.claude/rules/deep/one.md', 'A rule.\n'), false],
    ['not if there is a new CLAUDE.md above', ({ cwd }) => put(cwd, '../CLAUDE.md', 'Above.\n'), false],
    ['not if a file is gone', ({ cwd }) => rmSync(join(cwd, FILE)), false],
    ['not if a layer that was not there appears', ({ cwd }) => put(cwd, '../home/.claude/agents/mine.md', agent('mine')), false],
    ['not if the policy appears', ({ cwd }) => put(cwd, '../managed/.claude/agents/guard.md', agent('guard')), false],
    ['not if the project stops being a repository', ({ cwd }) => rmSync(join(cwd, '.git'), { recursive: true }), false],
    ['if something beside the agents folders changed', ({ cwd }) => put(cwd, 'src/main.ts', ''), true],
  ]

  test.each(cases)('%s', async (_what, change, still) => {
    const before = await built()
    change(before)
    expect(fresh(before)).toBe(still)
  })

  test('not for other options, another version of agentc, or a manifest from elsewhere', async () => {
    const before = await built()
    const { record, manifest, options } = before
    expect(isStill(record, manifest, { ...options, layers: ['project'] }, VERSION)).toBe(false)
    expect(isStill(record, manifest, { ...options, pluginDirs: ['/kit'] }, VERSION)).toBe(false)
    expect(isStill(record, manifest, { ...options, agentsFlag: '{}' }, VERSION)).toBe(false)
    expect(isStill(record, manifest, options, '1.2.4')).toBe(false)
    expect(isStill(record, manifest.replace(/sha256:../, 'sha256:zz'), options, VERSION)).toBe(false)
    expect(isStill(record, undefined, options, VERSION)).toBe(false)
  })

  test('not if the record is missing, damaged or of another form', async () => {
    const before = await built()
    for (const record of [undefined, '', '{', 'null', '[]', '{"agentc":2}', before.record.slice(0, -20)]) {
      expect(isStill(record, before.manifest, before.options, VERSION)).toBe(false)
    }
  })

  test('also if the value of --agents is the same text, or the same file unchanged', async () => {
    const flag = await built({ agentsFlag: '{"quick":{"description":"Is quick.","prompt":"Be quick."}}' })
    expect(fresh(flag)).toBe(true)
    const file = await built({ agentsFlag: 'flag.json' })
    expect(fresh(file)).toBe(true)
    put(file.cwd, 'flag.json', '{"quick":{"description":"Is quick.","prompt":"Be quick."}}')
    expect(fresh(file)).toBe(false)
  })
})

describe('writeAtomically', () => {
  test('does not touch a file that holds the text already', () => {
    const file = join(temporary(), 'a.json')
    expect(writeAtomically(file, 'text')).toBe(true)
    utimesSync(file, 1000, 1000)
    expect(writeAtomically(file, 'text')).toBe(false)
    expect(statSync(file).mtimeMs).toBe(1_000_000)
    expect(writeAtomically(file, 'other')).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('other')
  })

  test('leaves the old file whole and nothing beside it when writing fails', () => {
    const folder = temporary()
    mkdirSync(join(folder, 'target/inside'), { recursive: true })
    expect(() => writeAtomically(join(folder, 'target'), 'text')).toThrow()
    put(folder, 'kept.json', 'old')
    const unwritable = { toString: () => 'text' } as unknown as string
    expect(() => writeAtomically(join(folder, 'kept.json'), unwritable)).toThrow()
    expect(readFileSync(join(folder, 'kept.json'), 'utf8')).toBe('old')
    expect(filesIn(folder)).toEqual(['kept.json', 'target'])
  })

  test('is not disturbed by what an interrupted write left behind', () => {
    const folder = temporary()
    put(folder, 'a.json.tmp-XXXXXX/a.json', 'half a ma')
    writeFileSync(join(folder, 'a.json.tmp'), 'half a ma')
    expect(writeAtomically(join(folder, 'a.json'), 'text')).toBe(true)
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('text')
  })

  test('writes every byte of a text that is larger than any buffer', () => {
    const file = join(temporary(), 'large.json')
    const text = 'ä🦊'.repeat(2_000_000)
    writeAtomically(file, text)
    expect(readFileSync(file, 'utf8') === text).toBe(true)
  })
})
