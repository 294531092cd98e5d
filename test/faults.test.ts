import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Code } from '../schemas/codes.ts'
import { FAULTS, faults, findingsIn } from './support/faults.ts'

/** The code that names the fault. */
const EXPECTED: Record<string, Code> = {
  '01': 'field/missing-name',
  '02': 'field/missing-description',
  '03': 'field/unknown-model',
  '04': 'tool/unknown',
  '05': 'field/lost-restriction',
  '06': 'tool/type',
  '07': 'field/color',
  '08': 'agent/duplicate-name',
  '10': 'yaml/tab',
  '11': 'yaml/duplicate-key',
  '12': 'yaml/unclosed',
  '16': 'field/invalid-value',
  '17': 'field/invalid-value',
  '18': 'field/invalid-value',
  '19': 'field/invalid-value',
  '20': 'reference/unknown-server',
  '22': 'hook/incomplete',
  '23': 'reference/unknown-skill',
  '24': 'field/ignored-in-plugin',
  '26': 'field/invalid-value',
  '27': 'field/empty-body',
  '28': 'tool/granted-and-denied',
  '29': 'tool/wildcard-mix',
  '32': 'field/blank-description',
  '36': 'file/invalid-utf8',
  '37': 'yaml/alias-limit',
  '38': 'yaml/proto-key',
  '41': 'file/no-frontmatter',
  '42': 'field/invalid-name',
  '43': 'hook/type',
  '44': 'agent/overrides-builtin',
  '46': 'field/name-type',
  '49': 'permission/bypass',
  '50': 'file/empty',
  '51': 'security/invisible-text',
  '52': 'agent/near-duplicate',
  '53': 'security/plain-secret',
  '54': 'permission/plan-with-write',
}
const CONTROLS = ['00', '00p']
const LEGAL = ['13', '14', '31', '39']

describe('the fault folders', () => {
  it.each(faults.filter(({ id }) => id in EXPECTED))('$id: $title is named, on its line', async (fault) => {
    const found = await findingsIn(fault)
    const named = found.filter(({ code }) => code === EXPECTED[fault.id])
    expect(named.length, JSON.stringify(found)).toBeGreaterThan(0)
    if (fault.line !== undefined) expect(named.map(({ line }) => line)).toContain(fault.line)
  })

  it.each(faults.filter(({ id }) => LEGAL.includes(id)))('$id: $title gives no error and no warning', async (fault) => {
    expect((await findingsIn(fault)).filter(({ severity }) => severity !== 'info')).toEqual([])
  })

  it.each(faults.filter(({ id }) => CONTROLS.includes(id)))('$id: $title gives nothing at all', async (fault) => {
    expect(await findingsIn(fault)).toEqual([])
  })

  it('every fault is expected, legal or a control', () => {
    const known = [...Object.keys(EXPECTED), ...CONTROLS, ...LEGAL].sort()
    expect(known).toEqual(faults.map(({ id }) => id).sort())
    expect(
      readdirSync(FAULTS)
        .filter((name) => name !== 'INDEX.md')
        .sort(),
    ).toEqual(faults.map(({ folder }) => folder).sort())
  })
})
