import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agent, agentc, project } from './support/bin.ts'
import { put, ROOT } from './support/tree.ts'

const DIST = join(ROOT, 'dist')
const pieces = readdirSync(DIST).filter((name) => /^\w+-[0-9a-f]{12}\.cjs$/.test(name))

test('there is one piece for each command that people wait for', () => {
  expect(pieces.map((name) => name.split('-')[0]).sort()).toEqual(['build', 'explain', 'list', 'run'])
})

/** In a process of its own: V8 takes code only under the flags that it was made under, and other tests set some. */
const TAKEN = `
  const { readFileSync } = require('node:fs')
  const { Script } = require('node:vm')
  const [file] = process.argv.slice(1)
  const source = readFileSync(file, 'latin1')
  const cachedData = readFileSync(file + '.code')
  const isRejected = (text) => new Script(text, { filename: 'x', cachedData }).cachedDataRejected
  console.log(JSON.stringify([isRejected(source), isRejected(source + ' ')]))`

test.each(pieces)('the code beside %s is taken by this V8', (piece) => {
  const file = join(DIST, piece)
  const source = readFileSync(file, 'latin1')
  expect(Buffer.from(source, 'latin1').toString('utf8') === source, 'it is ASCII, as it is read').toBe(true)
  expect(JSON.parse(execFileSync(process.execPath, ['-e', TAKEN, file], { encoding: 'utf8' }))).toEqual([false, true])
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
