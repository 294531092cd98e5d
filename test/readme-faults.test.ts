import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../compiler/compile.ts'
import { positionOf } from '../compiler/position.ts'
import { copyOf, optionsFor, ROOT } from './support/tree.ts'

/** The published table of README: agentc's own column against a fresh compilation. The other columns need the other tools. */
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const TABLE = README.slice(README.indexOf('<!-- faults -->'), README.indexOf('<!-- /faults -->'))
const INDEX = readFileSync(join(ROOT, 'test/faults/INDEX.md'), 'utf8')

/** Of each fault: its folder, its line, the base names of its files. */
const FAULTS = new Map(
  [...INDEX.matchAll(/^\| (\d\dp?) \| (\S+) \| .* \| (\d+|-) \| (.*) \|$/gm)].map(([, id, folder, line, files]) => [
    id!,
    { folder: folder!, line: Number(line), files: files!.split(', ').map((file) => basename(file)) },
  ]),
)
const rows = [...TABLE.matchAll(/^\| (\d\d) \| (.*?) \| (\S+) \| \S+ \| \S+ \|$/gm)].map(
  ([, id, title, cell]) => [id!, title!, cell!] as const,
)

async function findingsOf(id: string): Promise<{ severity: string; line: number }[]> {
  const { folder, files } = FAULTS.get(id)!
  const project = copyOf(join(ROOT, 'test/faults', folder))
  const pluginDirs = existsSync(join(project, '.claude-plugin')) ? [project] : []
  const { diagnostics } = await compile(optionsFor(project, { cwd: project, pluginDirs }))
  const own = diagnostics.filter(({ at }) => files.includes(basename(at.origin.path)))
  return own.map(({ severity, at }) => ({ severity, line: positionOf(at.text, at.range[0]).line }))
}

describe('the table of faults in README', () => {
  test('has a row for every fault of the index, and none for the controls', () => {
    expect(rows.length).toBe(readdirSync(join(ROOT, 'test/faults')).length - 1 - 2)
    expect(rows.map(([id]) => id).sort()).toEqual([...FAULTS.keys()].filter((id) => !id.startsWith('00')).sort())
  })

  test.each(rows)('%s %s: agentc is said to answer %s, and does', async (id, _title, cell) => {
    const found = await findingsOf(id)
    const { line } = FAULTS.get(id)!
    if (cell === 'P') expect(found.some((item) => Number.isNaN(line) || item.line === line)).toBe(true)
    else if (cell === 'info') expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(['info']))
    else expect([cell, found]).toEqual(['-', []])
  })

  test('counts what its rows say', () => {
    const named = rows.filter(([, , cell]) => cell === 'P').length
    expect(TABLE).toContain(`| | **named at the right line, of ${named}** | ${named} |`)
  })
})
