import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { prepareForShortLife } from '../compiler/commands/piece.ts'
import { agent, agentc, project } from './support/bin.ts'
import { put, ROOT } from './support/tree.ts'

const DIST = join(ROOT, 'dist')
const [piece, ...others] = readdirSync(DIST).filter((name) => /^build-.*\.cjs$/.test(name))

test('the code beside the build piece is taken by this V8, under the flags that agentc sets', () => {
  expect(others).toEqual([])
  const source = `(function (exports, require, module, load) {${readFileSync(join(DIST, piece!), 'utf8')}\n})`
  const cachedData = readFileSync(join(DIST, `${piece}.code`))
  try {
    prepareForShortLife()
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
