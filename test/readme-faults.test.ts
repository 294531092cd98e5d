import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faults, findingsIn } from './support/faults.ts'
import { ROOT } from './support/tree.ts'

/** The published table of README: agentc's own column against a fresh compilation. The other columns need the other tools. */
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const TABLE = README.slice(README.indexOf('<!-- faults -->'), README.indexOf('<!-- /faults -->'))
const FAULTS = new Map(faults.map((fault) => [fault.id, fault]))
const rows = [...TABLE.matchAll(/^\| (\d\d) \| (.*?) \| (\S+) \| \S+ \| \S+ \|$/gm)].map(
  ([, id, title, cell]) => [id!, title!, cell!] as const,
)

describe('the table of faults in README', () => {
  test('has a row for every fault of the index, and none for the controls', () => {
    expect(rows.length).toBe(readdirSync(join(ROOT, 'test/faults')).length - 1 - 2)
    expect(rows.map(([id]) => id).sort()).toEqual([...FAULTS.keys()].filter((id) => !id.startsWith('00')).sort())
  })

  test.each(rows)('%s %s: agentc is said to answer %s, and does', async (id, _title, cell) => {
    const fault = FAULTS.get(id)!
    const found = (await findingsIn(fault)).filter(({ file }) => fault.files.includes(file))
    if (cell === 'P') expect(found.some(({ line }) => fault.line === undefined || line === fault.line)).toBe(true)
    else if (cell === 'info') expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(['info']))
    else expect([cell, found]).toEqual(['-', []])
  })

  test('counts what its rows say', () => {
    const named = rows.filter(([, , cell]) => cell === 'P').length
    expect(TABLE).toContain(`| | **named at the right line, of ${named}** | ${named} |`)
  })
})
