import { spawn } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { manifestText } from './manifest-fixture.ts'
import { fakeApi, folder } from './stage.ts'

const ROOT = new URL('../..', import.meta.url).pathname

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
  await symlink(join(ROOT, 'node_modules'), join(cwd, 'node_modules'))
  await build({
    stdin: { contents: ENTRY, resolveDir: ROOT, loader: 'ts' },
    outdir: join(cwd, 'dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['@vscode/ripgrep'],
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'error',
  })
  return cwd
}

function start(cwd: string, url: string, argv: string[]) {
  const env = { ...process.env, ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: url }
  const child = spawn(process.execPath, ['dist/stdin.mjs', ...argv], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const seen = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (seen.stderr += text))
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, ...seen }))
  })
  return { child, ended }
}

test('the bundled command runs all tools in a process of its own, and ends by itself', async () => {
  const tools = [
    { name: 'Grep', input: { pattern: 'needle' } },
    { name: 'Glob', input: { pattern: '*.txt' } },
    { name: 'Read', input: { file_path: 'a.txt' } },
  ]
  const { url } = await fakeApi({ turns: [{ tools }, { text: '{{last_tool_result}}' }] })
  const cwd = await bundled()
  const { ended } = start(cwd, url, ['worker', 'go', '--manifest', 'm.json'])
  expect(await ended).toEqual({ code: 0, stdout: 'a.txt\na.txt\n1\tneedle\n', stderr: '  Read 1 file, searched 2 times\n' })
})

test('an interrupted process ends with code 130 and says what it had', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'a text that hangs in the middle', fault: { type: 'hang_mid', after_events: 5 } }] })
  const cwd = await bundled()
  const { child, ended } = start(cwd, url, ['worker', 'go', '--manifest', 'm.json', '--format', 'json'])
  setTimeout(() => child.kill('SIGINT'), 1500)
  const { code, stdout } = await ended
  expect(code).toBe(130)
  expect(JSON.parse(stdout)).toMatchObject({ terminal_reason: 'interrupted', is_error: true, num_turns: 0 })
  expect((JSON.parse(stdout) as { result: string }).result).toContain('a text')
})
