import { expect, test } from 'vitest'
import { customTool } from '../../../runner/tools/custom.ts'
import { runTools } from '../../../runner/tools/registry.ts'
import type { Tool, ToolContext, ToolOutput } from '../../../runner/tools/tool.ts'
import { sha256 } from '../../../schemas/canonical.ts'
import type { ManifestHeader } from '../../../schemas/shapes/manifest.ts'
import { startOf } from '../manifest-fixture.ts'
import { folder } from '../stage.ts'
import { use } from './use.ts'

function headerWith(hash: string): Readonly<ManifestHeader> {
  const origin = { source: 'project' as const, path: '.claude/tools/mine.ts' }
  const mine = { description: 'Mine', input_schema: { type: 'object' }, traits: { readOnly: false }, code: { hash, origin } }
  return startOf({}, 'go', { tools: { mine } }).header
}

async function used(
  code: string,
  input: Record<string, unknown> = {},
  more: Partial<ToolContext> = {},
  timeout?: number,
): Promise<ToolOutput> {
  const tool = customTool('mine', headerWith(sha256(code)), () => Promise.resolve(code), timeout) as Tool
  return use(tool, await folder(), input, more)
}

test('a tool of the project gets its input and gives its answer, text as it is and the rest as JSON', async () => {
  expect(await used('export default async ({ a }) => `<${a}>`', { a: 'ü' })).toEqual({ text: '<ü>', isError: false })
  expect((await used('export default async () => ({ n: [1] })')).text).toBe('{\n  "n": [\n    1\n  ]\n}')
  expect((await used('export default async () => {}')).text).toBe('[no output]')
  expect((await used('import { basename } from "node:path"; export default async () => basename("/a/b")')).text).toBe('b')
})

test('it knows the working directory and the environment of the run, without credentials, and has no input', async () => {
  const env = { PATH: process.env.PATH, X: '1' }
  const cwd = await folder()
  const code = 'export default async () => JSON.stringify([process.cwd(), process.env.X, process.env.HOME ?? null, process.stdin.read()])'
  const tool = customTool('mine', headerWith(sha256(code)), () => Promise.resolve(code)) as Tool
  expect((await use(tool, cwd, {}, { env })).text).toBe(JSON.stringify([cwd, '1', null, null]))
})

test('whatever goes wrong in it is a result', async () => {
  expect(await used('export default async () => { throw new Error("no luck") }')).toEqual({ text: 'mine failed: no luck', isError: true })
  expect((await used('export default async () => { throw null }')).text).toBe('mine failed: null')
  expect((await used('export default async () => 1n')).text).toMatch(/^mine failed: .*BigInt/)
  expect((await used('syntax error')).text).toMatch(/^mine failed: /)
  expect((await used('export const x = 1')).text).toMatch(/^mine failed: .*not a function/)
  expect((await used('export default async () => process.exit(3)')).text).toBe('mine ended without an answer (exit code 3).')
  expect(
    (await used('export default async () => { setTimeout(() => { throw new Error("later") }); await new Promise(() => {}) }')).text,
  ).toBe('mine crashed: later')
  expect((await used('export default async () => { const x = []; for (;;) x.push(new Array(1e6).fill(1)) }')).text).toContain(
    'ERR_WORKER_OUT_OF_MEMORY',
  )
  expect((await used('export default async () => new Promise(() => {})')).text).toBe('mine ended without an answer (exit code 0).')
})

test('a tool that does not end is ended: after its time, and when the run is interrupted', async () => {
  const forever = 'export default async () => { for (;;); }'
  expect((await used(forever, {}, {}, 200)).text).toBe('mine timed out after 200 ms and was ended.')
  expect((await used(forever, {}, { signal: AbortSignal.timeout(200) })).text).toBe('The run was interrupted.')
})

test('what it prints mixes with nothing', async () => {
  expect((await used('export default async () => { console.log("noise"); console.error("noise"); return "answer" }')).text).toBe('answer')
})

test('it can import nothing but the modules of Node', async () => {
  expect((await used('import "./other.mjs"; export default async () => 1')).isError).toBe(true)
  expect((await used('import "yaml"; export default async () => 1')).isError).toBe(true)
})

test('code that does not fit its hash, or is not there, is not run', async () => {
  const header = headerWith(sha256('other'))
  const use1 = async (code: string | undefined) => use(customTool('mine', header, () => Promise.resolve(code)) as Tool, await folder(), {})
  expect((await use1('export default async () => 1')).text).toBe('The code of mine is not what the manifest was built with: build again.')
  expect((await use1(undefined)).text).toBe('The code of mine is not beside the manifest: build again.')
})

test('the tools of a run are those of the catalogue and those of the project', () => {
  const tools = runTools(headerWith(sha256('x')), undefined)
  expect(tools('mine')).toEqual({ absent: 'its code cannot be read here' })
  expect('absent' in tools('Read')).toBe(false)
  expect(tools('toString')).toEqual({ absent: 'this version of agentc does not know it' })
})
