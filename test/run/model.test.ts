import { expect, test } from 'vitest'
import type { RetryEvent, RunEvent } from '../../runner/index.ts'
import { faultOf } from '../../runner/model/faults.ts'
import { startOf } from './manifest-fixture.ts'
import { fakeApi, folder, runToEnd, stillClock, toolResults } from './stage.ts'

function retries(events: readonly RunEvent[]): RetryEvent[] {
  return events.filter((event) => event.type === 'system' && event.subtype === 'api_retry')
}

const LONG = 'a text that is long enough to be cut in the middle of the stream'

for (const type of [408, 409, 429, 529, 500, '502html', 'reset_before', 'reset_mid', 'truncate', 'malformed_sse', 'error_event']) {
  test(`a run goes on after ${type}, with one retry that is told and the text once`, async () => {
    const clock = stillClock()
    const { url } = await fakeApi({ turns: [{ text: LONG }], faults: [{ type, times: 1 }] })
    const { events, result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url, clock })
    expect(result).toMatchObject({ terminal_reason: 'completed', result: LONG, num_turns: 1 })
    expect(retries(events)).toHaveLength(1)
    expect(clock.waits).toEqual([1000])
  })
}

test('a fault between two turns with tools repeats no call', async () => {
  const turns = [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: LONG }]
  const { url } = await fakeApi({ turns, faults: [{ type: 'reset_mid', turn: 1, times: 2 }] })
  const { events, result } = await runToEnd(startOf({}, 'go'), { cwd: await folder({ 'a.txt': 'A' }), url })
  expect(toolResults(events)).toEqual([{ text: '1\tA', isError: false }])
  expect(retries(events).map((event) => event.wait_ms)).toEqual([1000, 2000])
  expect(result.result).toBe(LONG)
})

test('the wait that the API asks for is kept', async () => {
  const clock = stillClock()
  const faults = [
    { type: 429, times: 1, retry_after: 7 },
    { type: 429, times: 1, retry_after: 60 },
    { type: 429, times: 1, retry_after_ms: 30 },
  ]
  const { url } = await fakeApi({ turns: [{ text: 'ok' }], faults })
  await runToEnd(startOf({}, 'go'), { cwd: await folder(), url, clock })
  expect(clock.waits).toEqual([7000, 60_000, 30])
})

test('an API that asks to wait for more than a minute is not waited for, and the error says so', async () => {
  const clock = stillClock()
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }], faults: [{ type: 429, times: 1, retry_after: 61 }] })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url, clock })
  expect(clock.waits).toEqual([])
  expect(await requests()).toHaveLength(1)
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'api_error' })
  expect(result.errors[0]).toMatch(/it asks to wait 61 s, which is more than the 60 s that a run waits/)
})

test('a date to wait for counts from the date of the same answer', () => {
  const headers = new Headers({ date: 'Mon, 30 Nov 2026 12:00:00 GMT', 'retry-after': 'Mon, 30 Nov 2026 12:00:09 GMT' })
  expect(faultOf({ status: 503, headers }, '')).toMatchObject({ kind: 'transient', retryAfterMs: 9000 })
  headers.delete('date')
  expect(faultOf({ status: 503, headers }, '')).not.toHaveProperty('retryAfterMs')
})

test('seven attempts are the most, without jitter, and the error says what the API said', async () => {
  const clock = stillClock()
  const { url, requests } = await fakeApi({ turns: [{ text: 'never' }], faults: [{ type: 529 }] })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url, clock })
  expect(await requests()).toHaveLength(7)
  expect(clock.waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000])
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'api_error', num_turns: 0 })
  expect(result.errors).toEqual(['the API answered 529 overloaded_error: Overloaded (after 7 attempts)'])
})

test('an error event of a kind that stays is not asked again', async () => {
  const faults = [{ type: 'error_event', error_type: 'invalid_request_error', message: 'no such thing' }]
  const { url, requests } = await fakeApi({ turns: [{ text: LONG }], faults })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  expect(await requests()).toHaveLength(1)
  expect(result.errors).toEqual(['the API answered invalid_request_error: no such thing'])
})

test('pings count as a sign of life, and a stream that dies between them does not hang', async () => {
  const { url } = await fakeApi({ turns: [{ text: LONG }], options: { event_delay_ms: 60 } })
  const api = { apiKey: 'test-key-0123456789', authToken: undefined, baseURL: url, idleMs: 600 }
  const { events, result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), api })
  expect(retries(events)).toEqual([])
  expect(result.result).toBe(LONG)
})

test('a refusal tells its category and its explanation', async () => {
  const stop_details = { type: 'refusal', category: 'cyber', explanation: 'This would be an attack.' }
  const { url } = await fakeApi({ turns: [{ text: 'No.', stop_reason: 'refusal', stop_details }] })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  expect(result.errors).toEqual(['the model refused to go on: cyber, This would be an attack.'])
})

for (const type of [401, 403, 404, 413]) {
  test(`${type} fails at once`, async () => {
    const { url, requests } = await fakeApi({ turns: [{ text: 'never' }], faults: [{ type }] })
    const { events, result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
    expect(await requests()).toHaveLength(1)
    expect(retries(events)).toEqual([])
    expect(result).toMatchObject({ is_error: true, terminal_reason: 'api_error' })
    expect(result.errors[0]).toContain(`the API answered ${type}`)
  })
}

test('an API that says not to retry is obeyed', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'never' }], faults: [{ type: 529, should_retry: false }] })
  await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  expect(await requests()).toHaveLength(1)
})

test('a stream that falls silent is given up and asked for again', async () => {
  const { url } = await fakeApi({ turns: [{ text: LONG }], faults: [{ type: 'hang_mid', times: 1 }] })
  const api = { apiKey: 'test-key-0123456789', authToken: undefined, baseURL: url, idleMs: 300 }
  const { events, result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), api })
  expect(retries(events)[0]!.message).toBe('the API was silent for 300 ms')
  expect(result.result).toBe(LONG)
})

test('an API that cannot be reached is an error of the run, not an exception', async () => {
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url: 'http://127.0.0.1:9' })
  expect(result).toMatchObject({ is_error: true, terminal_reason: 'api_error' })
  expect(result.errors[0]).toMatch(/^the connection to the API failed/)
})

test('tool input that is not JSON goes back to the model and the turn is kept', async () => {
  const turns = [{ text: 'Reading.', tool: 'Read', input: { file_path: 'a.txt' }, fault: { type: 'bad_tool_json' } }, { text: 'done' }]
  const { url, requests } = await fakeApi({ turns })
  const { events, result } = await runToEnd(startOf({}, 'go'), { cwd: await folder({ 'a.txt': 'A' }), url })
  const [answer] = toolResults(events)
  expect(answer!.isError).toBe(true)
  expect(answer!.text).toContain('not valid JSON')
  expect(answer!.text).toContain('{"file_path":"a.txt", oops')
  expect(retries(events)).toEqual([])
  expect((await requests()).length).toBe(2)
  expect(result.result).toBe('done')
})

test('thinking goes back to the API unchanged', async () => {
  const content = [
    { type: 'thinking', thinking: 'I should look.', signature: 'sig' },
    { type: 'tool_use', name: 'Glob', input: { pattern: '*' } },
  ]
  const { url, requests } = await fakeApi({ turns: [{ content }, { text: 'done' }] })
  await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  const [, second] = await requests()
  expect(second!.messages[1]!.content[0]).toEqual(content[0])
})
