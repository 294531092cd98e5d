import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashOf } from '../../schemas/canonical.ts'
import { readManifest } from '../../schemas/manifest.ts'
import type { Message, ModelRequest } from '../../runner/message.ts'
import { deltas, rebuilt, requestHasher } from '../../runner/transcript/delta.ts'
import type { ToolStartLine } from '../../runner/transcript/line.ts'
import { redactor, sameButRedacted } from '../../runner/transcript/redact.ts'
import { bash, read, write } from './calls.ts'
import { agentcRun, kinds, linesOf, resultOf, runFolder, transcriptOf } from './kept.ts'
import { manifestText } from './manifest-fixture.ts'
import { fakeApi, folder } from './stage.ts'

test('a transcript has a line before and after each request and each call, in the order in which things happen', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'Looking.', tools: [read('a.txt'), write('b.txt', 'B')] }, { text: 'Done.' }] })
  const cwd = await folder({ 'a.txt': 'A' })
  const { result } = await resultOf(['worker', 'go'], { cwd, url })
  expect(kinds(cwd)).toEqual([
    'start',
    'request',
    'assistant',
    'tool_start',
    'tool_end',
    'tool_start',
    'tool_end',
    'request',
    'assistant',
    'end',
  ])
  expect(result).toMatchObject({
    run_id: result.session_id,
    run_folder: `.agentc/runs/${result.session_id}`,
    stray_processes: 0,
    denied: false,
  })
  expect(linesOf(cwd).at(-1)).toMatchObject({ kind: 'end', result: { session_id: result.session_id, result: 'Done.' } })
  const effects = linesOf(cwd).find((line): line is ToolStartLine => line.kind === 'tool_start' && line.name === 'Write')
  expect(effects).toMatchObject({ call: 1, effects: [{ path: 'b.txt', before: null, after: expect.stringMatching(/^sha256:/) as string }] })
  const after = linesOf(cwd).find((line) => line.kind === 'tool_end' && line.name === 'Write')
  expect(after).toMatchObject({ files: [{ path: 'b.txt', hash: effects!.effects![0]!.after }] })
})

test('the line that says that a call begins is on the disk before the call does anything', async () => {
  const { url } = await fakeApi({ turns: [{ tools: [bash('cp .agentc/runs/*/transcript.jsonl seen.txt')] }, { text: 'Done.' }] })
  const cwd = await folder()
  await agentcRun(['worker', 'go'], { cwd, url })
  const seen = (await readFile(join(cwd, 'seen.txt'), 'utf8')).trimEnd().split('\n')
  expect(JSON.parse(seen.at(-1)!)).toMatchObject({ kind: 'tool_start', name: 'Bash' })
})

test('a run keeps the manifest of its agent alone, readable as a manifest, and a new .agentc folder keeps itself out of git', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'Done.' }] })
  const cwd = await folder()
  const manifest = manifestText({ worker: {}, reviewer: {} })
  await agentcRun(['worker', 'go'], { cwd, url, manifest })
  const kept = readManifest(await readFile(join(runFolder(cwd), 'manifest.json'), 'utf8'))
  expect(kept.names).toEqual(['worker'])
  expect(kept.agents.get('worker')).toEqual(readManifest(manifest).agents.get('worker'))
  expect(linesOf(cwd)[0]).toMatchObject({ manifest: readManifest(manifest).header.hash, closure: kept.header.hash })
  expect(await readFile(join(cwd, '.agentc/.gitignore'), 'utf8')).toBe('*\n')
  expect(readdirSync(runFolder(cwd)).sort()).toEqual(['manifest.json', 'transcript.jsonl'])
})

test('a folder .agentc that was there stays as it is, and --no-transcript keeps nothing', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'Done.' }] })
  const cwd = await folder()
  const { result } = await resultOf(['worker', 'go', '--no-transcript'], { cwd, url })
  expect(existsSync(join(cwd, '.agentc'))).toBe(false)
  expect(result).not.toHaveProperty('run_id')
  await mkdir(join(cwd, '.agentc'))
  await agentcRun(['worker', 'go'], { cwd, url })
  expect(readdirSync(join(cwd, '.agentc'))).toEqual(['runs'])
})

test('a place where no run can be kept stops the run before anything is sent', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'Done.' }] })
  const cwd = await folder({ '.agentc': 'a file' })
  expect(await agentcRun(['worker', 'go'], { cwd, url })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be kept in .agentc/runs') as string,
  })
  expect(await requests()).toEqual([])
})

test('a link that somebody has put in the place of the runs is not followed', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'Done.' }] })
  const [cwd, elsewhere] = [await folder({ '.agentc/manifest.json': '' }), await folder()]
  await symlink(elsewhere, join(cwd, '.agentc/runs'))
  expect(await agentcRun(['worker', 'go'], { cwd, url })).toMatchObject({
    code: 1,
    stderr: 'agentc: .agentc/runs is a link to another place; runs are kept in the project itself.\n',
  })
  expect(readdirSync(elsewhere)).toEqual([])
  expect(await requests()).toEqual([])
})

test('from the lines of a transcript every request can be made again as it was sent, and the file does not grow with their square', async () => {
  const turns = Array.from({ length: 40 }, (_, at) => ({ text: `Turn ${at}`, tools: [read('a.txt'), read('a.txt')] }))
  const { url, requests } = await fakeApi({ turns: [...turns, { text: 'Done.' }] })
  const cwd = await folder({ 'a.txt': 'a line of some length\n'.repeat(20) })
  await agentcRun(['worker', 'go'], { cwd, url })
  let last: ModelRequest | undefined
  const made = linesOf(cwd).flatMap((line) => (line.kind === 'request' ? [(last = rebuilt(line, last))!] : []))
  expect(made.map((request) => JSON.stringify({ ...request, stream: true }))).toEqual(
    (await requests()).map((request) => JSON.stringify(request)),
  )
  for (const [at, line] of linesOf(cwd)
    .filter((line) => line.kind === 'request')
    .entries())
    expect(line.sha256).toBe(hashOf(made[at]))
  const sizes = linesOf(cwd).flatMap((line) => (line.kind === 'request' ? [JSON.stringify(line).length] : []))
  expect(Math.max(...sizes.slice(1))).toBeLessThan(2 * Math.min(...sizes.slice(1)))
})

test('the hash that remembers what it has written out is the hash of the whole', () => {
  const block = fc.record({ type: fc.constant('text'), text: fc.string() })
  const message = fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.array(block, { maxLength: 3 }) })
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), fc.string(), (messages, model) => {
      const hash = requestHasher()
      const request = { model, max_tokens: 5, output_config: undefined, messages: messages as Message[] } as unknown as ModelRequest
      expect(hash(request)).toBe(hashOf(request))
      expect(hash({ ...request, messages: messages.slice(1) as Message[] })).toBe(hashOf({ ...request, messages: messages.slice(1) }))
    }),
  )
})

test('deltas follow a conversation through another model and through messages that change', () => {
  const user = (text: string, mark = false): Message => ({
    role: 'user',
    content: [{ type: 'text', text, ...(mark ? { cache_control: { type: 'ephemeral' as const } } : {}) }],
  })
  const base = { model: 'a', max_tokens: 5 }
  const requests: ModelRequest[] = [
    { ...base, messages: [user('one', true)] },
    { ...base, messages: [user('one'), user('two', true)] },
    { ...base, model: 'b', messages: [user('one', true), user('two'), user('three', true)] },
    { ...base, model: 'b', messages: [user('compacted', true)] },
  ]
  const delta = deltas()
  let last: ModelRequest | undefined
  for (const request of requests) expect((last = rebuilt(delta(request), last))).toEqual(request)
  expect(rebuilt({ base: 3, tail: [], marks: [] }, last)).toBeUndefined()
})

test('two runs on one recording send the same bytes and write the same transcript, in the same folder too', async () => {
  const { url } = await fakeApi({ turns: [{ tools: [read('a.txt')] }, { text: 'Done.' }] })
  const files = { 'a.txt': 'A' }
  const first = await folder(files)
  const manifest = manifestText({ worker: {} })
  await agentcRun(['worker', 'go', '--record', 'r.jsonl'], { cwd: first, url, manifest })
  const recording = await readFile(join(first, 'r.jsonl'), 'utf8')
  const transcripts = [transcriptOf(first)]
  for (let at = 0; at < 2; at++) {
    const cwd = await folder({ ...files, 'r.jsonl': recording })
    expect(await agentcRun(['worker', 'go', '--replay', 'r.jsonl'], { cwd, manifest })).toMatchObject({ code: 0 })
    transcripts.push(transcriptOf(cwd))
  }
  expect(transcripts[1]).toBe(transcripts[0])
  expect(transcripts[2]).toBe(transcripts[0])
  await agentcRun(['worker', 'go', '--replay', 'r.jsonl'], { cwd: first, manifest })
  const [id, second] = readdirSync(join(first, '.agentc/runs')).sort()
  expect(second).toBe(`${id}-2`)
})

const SECRETS = {
  anthropic: `sk-ant-api03-${'Ab1_'.repeat(6)}`,
  github: `ghp_${'a1B2'.repeat(9)}`,
  aws: 'AKIAABCDEFGHIJKLMNOP',
  jwt: 'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4fw',
  own: 'the value of a variable',
}

test('no secret comes into the folder of a run: not the key, not a variable that looks like one, not what has the form of one', async () => {
  const key = 'key-of-this-test-0123'
  const text = `${Object.values(SECRETS).join('\n')}\n${key}\npostgres://me:hunter2secret@host/db\n`
  const { url, requests } = await fakeApi({
    turns: [{ tools: [read('a.txt'), bash(`echo ${SECRETS.github}`)] }, { text: `It is ${SECRETS.own}.` }],
  })
  const cwd = await folder({ 'a.txt': text })
  const env = { ANTHROPIC_API_KEY: key, DEPLOY_TOKEN: SECRETS.own, PLAIN: 'Read', SOME_KEY: '/home/x/key' }
  await agentcRun(['worker', `go with ${key}`], { cwd, url, env })
  const all = transcriptOf(cwd)
  for (const secret of [key, 'hunter2secret', ...Object.values(SECRETS)]) expect(all).not.toContain(secret)
  expect(all).toContain('[redacted]')
  expect(all).toContain('postgres://me:[redacted]@host/db')
  expect(
    linesOf(cwd)
      .filter((line) => line.redacted)
      .map((line) => line.kind),
  ).toContain('request')
  // What the model reads is what is in the file.
  expect(JSON.stringify(await requests())).toContain(SECRETS.own)
})

test('a text without secrets is not touched, and redacting is the same for a whole and its parts', () => {
  const redact = redactor({
    ANTHROPIC_MODEL: 'claude-haiku-5-5',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    SHORT_KEY: 'abc',
    MY_SECRET: 's3cr3t-value',
  })
  const plain = { model: 'claude-haiku-5-5', text: ['http://127.0.0.1:9 abc', { deep: 1 }] }
  expect(redact(plain)).toBe(plain)
  const whole = { a: ['x s3cr3t-value y', 'z'], b: null }
  expect(redact(whole)).toEqual({ a: ['x [redacted] y', 'z'], b: null })
  expect(redact(redact(whole))).toEqual(redact(whole))
  expect(redact(whole.a)).toEqual(redact(whole).a)
})

test.each([
  ['a [redacted] b', 'a xyz b', true],
  ['[redacted]', 'anything', true],
  ['a [redacted] b [redacted]', 'a 1 b 2', true],
  ['a [redacted] b', 'a xyz c', false],
  ['a [redacted]b b', 'a b', false],
  ['plain', 'plain', true],
  ['plain', 'other', false],
])('%j agrees with %j: %s', (redacted, text, same) => {
  expect(sameButRedacted(redacted, text)).toBe(same)
})

test('an output that is too long is cut with a note and kept whole where the agent can read it', async () => {
  const limits = { spawnDepth: 1, parallelReads: 10, resultChars: 1000 }
  const cwd = await folder({ 'a.txt': 'x'.repeat(5000) })
  const { url } = await fakeApi({ turns: [{ tools: [read('a.txt')] }, { text: 'Done.' }] })
  await agentcRun(['worker', 'go'], { cwd, url, manifest: manifestText({ worker: {} }, { limits }) })
  const end = linesOf(cwd).find((line) => line.kind === 'tool_end')
  const note = /\n\[(\d+) more characters left out; the whole output is in (\.agentc\/runs\/.+\.txt)\]$/.exec(end!.text)
  expect(note).not.toBeNull()
  const whole = await readFile(join(cwd, note![2]!), 'utf8')
  expect(whole.length).toBe(1000 + Number(note![1]))
  expect(end!.text.startsWith(whole.slice(0, 1000))).toBe(true)
})
