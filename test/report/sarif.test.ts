import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { Log, Result } from 'sarif'
import { beforeAll, describe, expect, test } from 'vitest'
import { CODES, type Code } from '../../schemas/codes.ts'
import { agent, agentc, project } from '../support/bin.ts'
import { ROOT } from '../support/tree.ts'

/** `build --format sarif` against the schema of SARIF 2.1.0, as it stands in @microsoft/jest-sarif. */
const SCHEMA = join(ROOT, 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
const FAULTY = agent('faulty', 'tools: Read, Grpe, Grpe, Glbo', 'disallowedTools: bash', 'color: 7')

const FILES = {
  '.claude/agents/faulty.md': FAULTY,
  '.claude/agents/two words ü%.md': '---\nname: dup\ndescription: "half" quoted\n---\nText.\n',
  '.claude/agents/one.md': agent('same'),
  '.claude/agents/two.md': agent('same'),
  '.claude/settings.json': '{ "permissions": { "allow": ["Bash("], "deny": [7] } }',
}

let cwd = ''
beforeAll(() => void (cwd = project(FILES)))

async function sarif(...argv: string[]): Promise<Log> {
  const { out } = await agentc(['build', '--format', 'sarif', ...argv], { cwd })
  return JSON.parse(out) as Log
}

const results = (log: Log): Result[] => log.runs[0]!.results!
const prints = (log: Log): string[] => results(log).map(({ partialFingerprints }) => partialFingerprints!['agentc/v1']!)

describe('SARIF', () => {
  test('is valid by its schema, with findings of every level, related places and fixes', async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false })
    // It is of draft 4, of which it uses nothing that later drafts read otherwise.
    const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8')) as Record<string, unknown>
    const isValid = ajv.compile(schema)
    for (const log of [await sarif(), await sarif('--target', 'claude-code')]) {
      isValid(log)
      expect(isValid.errors).toBeNull()
      expect(new Set(results(log).map(({ level }) => level))).toEqual(new Set(['error', 'warning', 'note']))
    }
    const all = results(await sarif())
    expect(all.some(({ relatedLocations }) => relatedLocations?.length)).toBe(true)
    expect(all.some(({ fixes }) => fixes?.length)).toBe(true)
    isValid({ version: '2.1.0', runs: [{ tool: {} }] })
    expect(isValid.errors).not.toBeNull()
  })

  test('the rules carry the documentation of their codes, and each result points at its rule', async () => {
    const log = await sarif()
    const rules = log.runs[0]!.tool.driver.rules!
    for (const { ruleId, ruleIndex } of results(log)) expect(rules[ruleIndex!]!.id).toBe(ruleId)
    for (const { id, shortDescription, help } of rules) {
      expect(shortDescription!.text).toBe(CODES[id as Code].what)
      expect(help!.text).toBe(CODES[id as Code].todo)
    }
  })

  test('places are those of the file, and the names of files are URI references', async () => {
    const all = results(await sarif())
    const place = (of: Result) => of.locations![0]!.physicalLocation!
    const unknown = all.find(({ ruleId }) => ruleId === 'tool/unknown')!
    expect(place(unknown)).toEqual({
      artifactLocation: { uri: '.claude/agents/faulty.md' },
      region: { startLine: 4, startColumn: 14, endLine: 4, endColumn: 18 },
    })
    const uris = all.map((one) => place(one).artifactLocation!.uri!)
    expect(uris).toContain('.claude/agents/two%20words%20%C3%BC%25.md')
    for (const uri of uris) expect(() => new URL(uri, 'file:///root/')).not.toThrow()
  })

  test('fingerprints are unique, and stay what they are when lines move and other findings come and go', async () => {
    const before = await sarif()
    expect(new Set(prints(before)).size).toBe(prints(before).length)
    const file = join(cwd, '.claude/agents/faulty.md')
    writeFileSync(file, FAULTY.replace('tools:', '# a remark\n# and one more\nmaxTurns: ten\ntools:'))
    const after = await sarif()
    expect(prints(after)).toEqual(expect.arrayContaining(prints(before)))
    expect(prints(after).length).toBe(prints(before).length + 1)
    writeFileSync(file, FAULTY.replace('Glbo', 'Raed'))
    expect(prints(await sarif())).not.toEqual(expect.arrayContaining(prints(before)))
    writeFileSync(file, FAULTY)
    renameSync(file, join(cwd, '.claude/agents/moved.md'))
    expect(prints(await sarif())).not.toEqual(expect.arrayContaining(prints(before)))
    renameSync(join(cwd, '.claude/agents/moved.md'), file)
  })
})
