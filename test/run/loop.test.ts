import { expect, test } from 'vitest'
import { manifestText, startOf } from './manifest-fixture.ts'
import { fakeApi, folder, runToEnd, stillClock, toolResults } from './stage.ts'
import { readManifest } from '../../schemas/manifest.ts'

const FILES = { 'src/a.ts': 'export const a = 1\n', 'notes.md': 'one\ntwo\n' }

test('a run reads, searches and answers, with real files and ripgrep', async () => {
  const cwd = await folder(FILES)
  const tools = [
    { name: 'Read', input: { file_path: 'notes.md' } },
    { name: 'Grep', input: { pattern: 'const', output_mode: 'content' } },
    { name: 'Glob', input: { pattern: '**/*.md' } },
  ]
  const { url, requests } = await fakeApi({ turns: [{ text: 'Looking.', tools }, { text: 'There are two lines.' }] })
  const { events, result } = await runToEnd(startOf({}, 'What is in the notes?'), { cwd, url })
  expect(toolResults(events)).toEqual([
    { text: '1\tone\n2\ttwo', isError: false },
    { text: 'src/a.ts:1:export const a = 1', isError: false },
    { text: 'notes.md', isError: false },
  ])
  expect(result).toMatchObject({
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    stop_reason: 'end_turn',
    result: 'There are two lines.',
    num_turns: 2,
    errors: [],
    session_id: 'session-1',
    agent: 'worker',
    model: 'claude-haiku-5-5',
  })
  expect(result.usage.output_tokens).toBeGreaterThan(0)
  expect(await requests()).toHaveLength(2)
})

test('the text of the model arrives piece by piece, before the reply is whole', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'a text of more than one piece' }], options: { chunk: 5 } })
  const { events } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  const kinds = events.map((event) => event.type)
  const pieces = events.filter((event) => event.type === 'stream_event' && event.event.type === 'content_block_delta')
  expect(pieces.length).toBeGreaterThan(3)
  expect(kinds.lastIndexOf('stream_event')).toBeLessThan(kinds.indexOf('assistant'))
  expect(events.at(-1)).toMatchObject({ type: 'result' })
})

test('the turn limit is no success and keeps the work so far', async () => {
  const turns = [
    { text: 'FINDING-1', tool: 'Glob', input: { pattern: '*' } },
    { text: 'FINDING-2', tool: 'Glob', input: { pattern: '*' } },
  ]
  const { url, requests } = await fakeApi({ turns })
  const { events, result } = await runToEnd(startOf({ maxTurns: 2 }, 'go'), { cwd: await folder(FILES), url })
  expect(await requests()).toHaveLength(2)
  expect(result).toMatchObject({ subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns', num_turns: 2 })
  expect(result.result).toBe('FINDING-1\n\nFINDING-2')
  expect(toolResults(events).at(-1)).toEqual({ text: 'Not run: the limit of turns was reached.', isError: true })
})

test('a reply that the output limit cuts is no success and keeps its text', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'PART-A', fault: { type: 'max_tokens' } }] })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'max_tokens', stop_reason: 'max_tokens', result: 'PART-A' })
})

test('a call that the output limit cuts is never run', async () => {
  const turn = { text: 'Reading.', tool: 'Read', input: { file_path: 'notes.md' }, fault: { type: 'max_tokens' } }
  const { url } = await fakeApi({ turns: [turn] })
  const { events, result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(FILES), url })
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'max_tokens', result: 'Reading.' })
  expect(toolResults(events)).toEqual([{ text: 'Not run: the reply that asks for it was cut off.', isError: true }])
  expect(events.some((event) => event.type === 'system' && event.subtype === 'tool_start')).toBe(false)
})

test('a refusal ends the run as a refusal', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'I would rather not.', fault: { type: 'refusal' } }] })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'refusal', result: 'I would rather not.' })
  expect(result.errors).toEqual(['the model refused to go on'])
})

test('a paused reply is sent back as it is and gone on with', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'First ', fault: { type: 'pause_turn' } }, { text: 'and second.' }] })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  const [, second] = await requests()
  expect(second!.messages.map((message) => message.role)).toEqual(['user', 'assistant'])
  expect(result).toMatchObject({ terminal_reason: 'completed', result: 'First and second.', num_turns: 2 })
})

test('an empty reply is not taken for an answer', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'x', fault: { type: 'empty' } }] })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'empty_reply', result: '' })
})

test('a prompt that is too long, and cannot be summarised either, ends as such, with the work so far', async () => {
  const turns = [
    { text: 'SO-FAR', tool: 'Glob', input: { pattern: '*' } },
    { text: 'x', fault: { type: 'prompt_too_long' } },
  ]
  const { url, requests } = await fakeApi({ turns })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  expect(await requests()).toHaveLength(3)
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'context_overflow', result: 'SO-FAR' })
  expect(result.errors[0]).toContain('prompt is too long')
})

test('a stop reason that is not known is not success', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'x', stop_reason: 'something_new' }] })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'unknown_stop' })
})

test('an interruption while the reply arrives keeps its text', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'a text that hangs in the middle', fault: { type: 'hang_mid', after_events: 4 } }] })
  const control = new AbortController()
  const started = Date.now()
  setTimeout(() => control.abort(), 300)
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url, signal: control.signal })
  expect(Date.now() - started).toBeLessThan(10_000)
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'interrupted', errors: ['the run was interrupted'] })
  expect(result.result).toMatch(/^a text/)
})

test('an interruption while tools run still gives every call a result', async () => {
  const cwd = await folder(FILES)
  const calls = [
    { name: 'Grep', input: { pattern: 'a' } },
    { name: 'Read', input: { file_path: 'notes.md' } },
  ]
  const { url, requests } = await fakeApi({ turns: [{ tools: calls }] })
  const control = new AbortController()
  const start = startOf({}, 'go')
  const { openRun } = await import('../../runner/index.ts')
  const run = await openRun({
    start,
    cwd,
    env: process.env,
    signal: control.signal,
    api: { apiKey: 'test-key-0123456789', authToken: undefined, baseURL: url },
    clock: stillClock(),
  })
  const events = []
  for await (const event of run.events) {
    events.push(event)
    if (event.type === 'assistant') control.abort()
  }
  expect(toolResults(events)).toHaveLength(2)
  expect(toolResults(events).every((item) => item.isError)).toBe(true)
  expect(events.at(-1)).toMatchObject({ terminal_reason: 'interrupted' })
  expect(await requests()).toHaveLength(1)
})

test('an agent whose required server cannot be started is not run at all', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'x' }] })
  const { result } = await runToEnd(startOf({ requiredServers: ['slack'] }, 'go'), { cwd: await folder(), url })
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'cannot_start', num_turns: 0 })
  expect(result.errors[0]).toContain('needs the MCP server slack')
  expect(await requests()).toHaveLength(0)
})

test('what an agent asks for and this version lacks is said once, at the start', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  const start = startOf(
    {
      tools: ['Agent', 'Read', 'WebSearch'],
      hooks: { Stop: [{ handlers: [{ type: 'command', command: 'true' }] }] },
      skills: ['pdf'],
      isolation: 'remote',
      servers: [{ ref: 'slack' }],
      effort: 40,
    },
    'go',
  )
  const { events } = await runToEnd(start, { cwd: await folder(), url })
  expect(events[0]).toMatchObject({ subtype: 'init', tools: ['Read'], unavailable_tools: [{ name: 'Agent' }, { name: 'WebSearch' }] })
  const codes = events.flatMap((event) => (event.type === 'system' && event.subtype === 'notice' ? [event.code] : []))
  expect(codes).toEqual(['mcp-server', 'skills', 'isolation', 'effort'])
  const [request] = await requests()
  expect(request).not.toHaveProperty('output_config')
  expect(request!.tools!.map((tool) => tool.name)).toEqual(['Read'])
})

test('a run from a manifest needs no other file', async () => {
  const text = manifestText({ worker: {}, other: {} })
  const open = readManifest(text, (name) => name === 'worker')
  const { url } = await fakeApi({ turns: [{ text: 'fine' }] })
  const start = { header: open.header, name: 'worker', agent: open.agents.get('worker')!, prompt: 'go' }
  const { result } = await runToEnd(start, { cwd: await folder(), url })
  expect(result.result).toBe('fine')
})
