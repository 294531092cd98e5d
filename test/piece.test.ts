import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { prepareForShortLife } from '../compiler/commands/piece.ts'
import { agent, agentc, project } from './support/bin.ts'
import { put, ROOT } from './support/tree.ts'

const DIST = join(ROOT, 'dist')
const pieces = readdirSync(DIST).filter((name) => /^\w+-[0-9a-f]{12}\.cjs$/.test(name))

test('there is one piece for each command that people wait for', () => {
  expect(pieces.map((name) => name.split('-')[0]).sort()).toEqual(['build', 'explain', 'list', 'run'])
})

test.each(pieces)('the code beside %s is taken by this V8, under the flags that agentc sets', (piece) => {
  const source = readFileSync(join(DIST, piece), 'latin1')
  expect(Buffer.from(source, 'latin1').toString('utf8') === source, 'it is ASCII, as it is read').toBe(true)
  const cachedData = readFileSync(join(DIST, `${piece}.code`))
  try {
    if (!piece.startsWith('run-')) prepareForShortLife()
    expect(new Script(source, { filename: 'x', cachedData }).cachedDataRejected).toBe(false)
    expect(new Script(`${source} `, { filename: 'x', cachedData }).cachedDataRejected).toBe(true)
  } finally {
    for (const flag of ['--interrupt-budget=67584', '--semi-space-growth-factor=2']) setFlagsFromString(flag)
  }
})

test('what lies outside the piece is found: locking, differences, custom tools', async () => {
  const cwd = project({ '.claude/agents/reviewer.md': agent('reviewer') })
  put(cwd, '.claude/tools/Hello.ts', '/** Says hello. */\nexport default async function hello(): Promise<string> {\n  return "hello"\n}\n')
  expect(await agentc(['build'], { cwd })).toMatchObject({ code: 0, out: expect.stringContaining('wrote .agentc/manifest.json') })
  put(cwd, '.claude/agents/reviewer.md', agent('reviewer', 'tools: Read'))
  expect(await agentc(['build', '--check'], { cwd })).toMatchObject({
    code: 1,
    out: expect.stringContaining('stale: .agentc/manifest.json'),
  })
  expect(await agentc(['build', '--lock-mcp'], { cwd })).toMatchObject({ code: 0, err: '' })
})
