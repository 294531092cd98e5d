import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, type RunIo } from '../../runner/commands/run.ts'
import { textFace } from '../../runner/faces/text.ts'
import { ManifestFault, type RunResult } from '../../runner/index.ts'
import { manifestText, pathRule } from './manifest-fixture.ts'
import { fakeApi, folder } from './stage.ts'

interface Stage {
  url?: string
  stdin?: string
  cwd?: string
  project?: string
  manifest?: string
  tty?: boolean
  env?: Record<string, string>
  signal?: AbortSignal
}

/** Runs the command on streams that keep what is written. */
async function command(argv: string[], stage: Stage = {}) {
  const written = { stdout: '', stderr: '' }
  const stdin = (async function* () {
    if (stage.stdin !== undefined) yield Buffer.from(stage.stdin)
  })()
  const io: RunIo = {
    stdout: { write: (text) => (written.stdout += text), isTTY: stage.tty },
    stderr: { write: (text) => (written.stderr += text) },
    stdin: Object.assign(stdin, { isTTY: stage.stdin === undefined }),
    env: stage.env ?? { ...process.env, ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: stage.url ?? 'http://127.0.0.1:9' },
    cwd: stage.cwd ?? (await folder()),
    project: stage.project,
    signal: stage.signal ?? new AbortController().signal,
  }
  const code = await run(argv, io, () => Promise.resolve(stage.manifest ?? manifestText({ worker: {}, reviewer: {} })))
  return { code, ...written }
}

test('the answer goes to standard output and everything else to standard error', async () => {
  const cwd = await folder({ 'a.txt': 'A' })
  const { url } = await fakeApi({ turns: [{ text: 'Looking.', tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'It says A.' }] })
  const manifest = manifestText({ worker: { tools: ['Read', 'WebSearch'] } })
  expect(await command(['worker', 'What?'], { url, cwd, manifest })).toEqual({
    code: 0,
    stdout: 'It says A.\n',
    stderr: 'agentc: not available in this version, and not offered to the model: WebSearch\n  Read a.txt\n',
  })
})

test('on a terminal the text appears as it comes, without control characters', async () => {
  const { url } = await fakeApi({
    turns: [{ text: 'Looking\u001b[31m.', tool: 'Glob', input: { pattern: '*' } }, { text: 'Done.' }],
    options: { chunk: 4 },
  })
  const { stdout } = await command(['worker', 'go'], { url, tty: true })
  expect(stdout).toBe('Looking[31m.\nDone.\n')
})

test('a reply that breaks off on a terminal is begun again on a line of its own', () => {
  const face = textFace({ live: true, status: true })
  const delta = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'half' } }
  expect(face({ type: 'stream_event', event: delta })).toEqual([{ to: 'stdout', text: 'half' }])
  const retry = { type: 'system', subtype: 'api_retry', attempt: 1, max_attempts: 4, wait_ms: 1000, status: 529, message: 'busy' } as const
  expect(face(retry).slice(0, 2)).toEqual([
    { to: 'stdout', text: '\n' },
    { to: 'stderr', text: 'agentc: busy; asking again in 1 s (attempt 2 of 4)\n' },
  ])
  const plain = textFace({ live: true })
  expect(plain({ type: 'stream_event', event: delta })).toEqual([])
  expect(plain(retry).map(({ text }) => text)).toEqual(['half\n', 'agentc: busy; asking again in 1 s (attempt 2 of 4)\n'])
})

test('--format json prints one object and nothing else on standard output', async () => {
  const { url } = await fakeApi({ turns: [{ tool: 'Read', input: { file_path: 'secret.txt' } }, { text: 'ok' }] })
  const manifest = manifestText({ worker: { deny: [pathRule('Read', 'secret.txt')] } })
  const { code, stdout } = await command(['worker', 'go', '--format', 'json'], { url, manifest })
  expect(code).toBe(0)
  const result = JSON.parse(stdout) as RunResult
  expect(Object.keys(result)).toEqual([
    'type',
    'subtype',
    'is_error',
    'terminal_reason',
    'stop_reason',
    'result',
    'num_turns',
    'duration_ms',
    'usage',
    'modelUsage',
    'total_cost_usd',
    'permission_denials',
    'denied',
    'errors',
    'session_id',
    'run_id',
    'run_folder',
    'stray_processes',
  ])
  expect(result.permission_denials).toHaveLength(1)
  expect(result.session_id).toMatch(/^[0-9a-f-]{36}$/)
})

test('the exit code tells how the run ended', async () => {
  const call = { text: 'x', tool: 'Glob', input: { pattern: '*' } }
  const { url } = await fakeApi({ turns: [call], faults: [{ type: 401, when: { last_user: 'unknown' } }] })
  expect((await command(['worker', 'go', '--max-turns', '2'], { url })).code).toBe(3)
  const refused = await command(['worker', 'unknown'], { url })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('agentc: the API answered 401')
  expect((await command(['worker', 'go'], { url, signal: AbortSignal.abort() })).code).toBe(130)
})

test('the prompt is read from standard input when it is not an argument', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  await command(['worker'], { url, stdin: 'Do this.\nAnd that.\n' })
  expect((await requests())[0]!.messages[0]!.content[1]).toMatchObject({ text: 'Do this.\nAnd that.' })
  expect(await command(['worker'], { url, stdin: '  \n' })).toMatchObject({ code: 2 })
  expect(await command(['worker'], { url })).toMatchObject({ code: 2, stdout: '' })
})

test('an unknown agent is wrong usage, with the nearest name and the list', async () => {
  const { code, stderr } = await command(['reviewr', 'go'])
  expect(code).toBe(2)
  expect(stderr).toBe('agentc: There is no agent "reviewr". Did you mean reviewer? There are: reviewer, worker.\n')
})

const WRONG: [argv: string[], says: string][] = [
  [[], 'Which agent?'],
  [['worker', 'do', 'this'], 'put it in quotes'],
  [['worker', 'go', '--format', 'xml'], 'There is no format xml'],
  [['worker', 'go', '--max-turns', '0'], '--max-turns wants a whole number above 0, not 0.'],
  [['worker', 'go', '--record', 'a', '--replay', 'b'], 'exclude each other'],
  [['worker', 'go', '--nonsense'], '--nonsense'],
]
for (const [argv, says] of WRONG) {
  test(`"run ${argv.join(' ')}" is wrong usage`, async () => {
    const { code, stdout, stderr } = await command(argv)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(says)
  })
}

test('--help prints the help and does nothing', async () => {
  const { code, stdout } = await command(['--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: agentc run <agent> [prompt]')
})

test('a manifest that was changed, a missing file and a missing key are told in one line', async () => {
  const manifest = manifestText({ worker: {} }).replace('Be brief', 'Be rude')
  const changed = await command(['worker', 'go'], { manifest })
  expect(changed.code).toBe(1)
  expect(changed.stderr).toContain('was changed after the manifest was built')
  expect((await command(['worker', 'go', '--manifest', 'none.json'])).stderr).toBe(
    'agentc: none.json, the manifest, cannot be read (ENOENT).\n',
  )
  expect(await command(['worker', 'go'], { env: {} })).toMatchObject({ code: 1 })
  expect((await command(['worker', 'go'], { env: {} })).stderr).toContain('set ANTHROPIC_API_KEY')
  expect((await command(['worker', 'go', '--replay', 'none'])).stderr).toContain('none, the recording, cannot be read')
  expect(new ManifestFault('x')).toBeInstanceOf(Error)
})

test('a key or an address that cannot be used is told without showing the key', async () => {
  const broken = await command(['worker', 'go'], { env: { ANTHROPIC_API_KEY: 'sk-secret\nvalue' } })
  expect(broken).toEqual({ code: 1, stdout: '', stderr: 'agentc: ANTHROPIC_API_KEY holds characters that no key has.\n' })
  const address = await command(['worker', 'go'], { env: { ANTHROPIC_API_KEY: 'x', ANTHROPIC_BASE_URL: 'nonsense' } })
  expect(address).toMatchObject({ code: 1, stderr: 'agentc: ANTHROPIC_BASE_URL is not an address: nonsense\n' })
})

test('--record and --replay work without a key, in an empty folder with a copied manifest', async () => {
  const { url } = await fakeApi({ turns: [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'It says A.' }] })
  const files = { 'a.txt': 'A', 'manifest.json': manifestText({ worker: {} }) }
  const here = await folder(files)
  const argv = ['worker', 'What?', '--manifest', 'manifest.json', '--format', 'json']
  const first = await command([...argv, '--record', 'run.jsonl'], { url, cwd: here })
  const there = await folder({ ...files, 'run.jsonl': await readFile(join(here, 'run.jsonl'), 'utf8') })
  const second = await command([...argv, '--replay', 'run.jsonl'], { cwd: there, env: {} })
  expect(second).toEqual(first)
  const changed = await command([...argv, '--replay', 'run.jsonl'], {
    cwd: await folder({ ...files, 'a.txt': 'B', 'run.jsonl': await readFile(join(here, 'run.jsonl'), 'utf8') }),
    env: {},
  })
  expect(changed.code).toBe(1)
  expect(changed.stdout).toContain('messages[2].content[0].content')
})

test('the agent works in the project, and file arguments count from where the command was called', async () => {
  const { url } = await fakeApi({ turns: [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: '{{last_tool_result}}' }] })
  const cwd = await folder({ 'm.json': manifestText({ worker: {} }), 'sub/a.txt': 'A' })
  const argv = ['worker', 'go', '--manifest', 'm.json', '--record', 'run.jsonl']
  expect(await command(argv, { url, cwd, project: 'sub' })).toMatchObject({ code: 0, stdout: '1\tA\n' })
  expect(await readFile(join(cwd, 'run.jsonl'), 'utf8')).toContain('"kind":"turn"')
  expect(await command(argv, { url, cwd, project: 'none' })).toMatchObject({
    code: 1,
    stderr: 'agentc: none, where the agent is to work, is not a folder.\n',
  })
})

test('a replay that leaves recorded turns over is not a success', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'done' }] })
  const here = await folder()
  await command(['worker', 'go', '--record', 'run.jsonl'], { url, cwd: here })
  const line = (await readFile(join(here, 'run.jsonl'), 'utf8')).split('\n').find((text) => text.includes('"turn"'))
  const there = await folder({ 'run.jsonl': `${await readFile(join(here, 'run.jsonl'), 'utf8')}${line}\n` })
  const { code, stderr } = await command(['worker', 'go', '--replay', 'run.jsonl'], { cwd: there })
  expect(code).toBe(1)
  expect(stderr).toContain('the recording holds 1 more turns')
})
