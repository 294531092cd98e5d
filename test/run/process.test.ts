import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ended } from '../support/bin.ts'
import { ROOT } from '../support/tree.ts'
import { manifestText } from './manifest-fixture.ts'
import { bundle } from './processes.ts'
import { fakeApi, folder } from './stage.ts'

const ENTRY = `
import { run } from './runner/commands/run.ts'
const control = new AbortController()
process.once('SIGINT', () => control.abort())
const { stdout, stderr, stdin, env } = process
const io = { stdout, stderr, stdin, env, cwd: process.cwd(), signal: control.signal }
process.exitCode = await run(process.argv.slice(2), io, () => Promise.reject(new Error('not asked for')))
`

/** The command bundled as it ships, in a folder with the manifest and nothing else of the project. */
async function bundled(): Promise<string> {
  const cwd = await folder({ 'a.txt': 'needle\n', 'm.json': manifestText({ worker: {} }) })
  await bundle(join(cwd, 'dist'), { stdin: { contents: ENTRY, resolveDir: ROOT, loader: 'ts' } })
  return cwd
}

function start(cwd: string, url: string, argv: string[]) {
  const env = { ...process.env, ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: url }
  const child = spawn(process.execPath, ['dist/stdin.mjs', ...argv], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, over: ended(child) }
}

test('the bundled command runs all tools in a process of its own, and ends by itself', async () => {
  const tools = [
    { name: 'Grep', input: { pattern: 'needle' } },
    { name: 'Glob', input: { pattern: '*.txt' } },
    { name: 'Read', input: { file_path: 'a.txt' } },
  ]
  const { url } = await fakeApi({ turns: [{ tools }, { text: '{{last_tool_result}}' }] })
  const cwd = await bundled()
  const { over } = start(cwd, url, ['worker', 'go', '--manifest', 'm.json'])
  expect(await over).toEqual({ code: 0, out: 'a.txt\na.txt\n1\tneedle\n', err: '  Read 1 file, searched 2 times\n' })
})

test('an interrupted process ends with code 130 and says what it had', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'a text that hangs in the middle', fault: { type: 'hang_mid', after_events: 5 } }] })
  const cwd = await bundled()
  const { child, over } = start(cwd, url, ['worker', 'go', '--manifest', 'm.json', '--format', 'json'])
  setTimeout(() => child.kill('SIGINT'), 1500)
  const { code, out } = await over
  expect(code).toBe(130)
  expect(JSON.parse(out)).toMatchObject({ terminal_reason: 'interrupted', is_error: true, num_turns: 0 })
  expect((JSON.parse(out) as { result: string }).result).toContain('a text')
})
