import { expect, test } from 'vitest'
import { type FallbackEvent, type RunEvent } from '../../runner/index.ts'
import type { ModelRequest, Reply } from '../../runner/message.ts'
import { COOLDOWN_MS, forModel, withFallback } from '../../runner/model/fallback.ts'
import { NO_USAGE } from '../../runner/usage.ts'
import { startOf } from './manifest-fixture.ts'
import { fakeApi, folder, runToEnd, stillClock, toolResults } from './stage.ts'

const FIRST = 'claude-haiku-5-5'
const SECOND = 'claude-sonnet-5-5'

function fallbacks(events: readonly RunEvent[]): FallbackEvent[] {
  return events.filter((event) => event.type === 'system' && event.subtype === 'model_fallback')
}

test('a model that fails a turn three times is followed by the fallback model, at once for the turns after it', async () => {
  const turns = [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'done' }]
  const { url, requests } = await fakeApi({ turns, faults: [{ type: 529, when: { model: FIRST } }] })
  const clock = stillClock()
  const start = { ...startOf({}, 'go'), fallbackModel: 'sonnet' }
  const { events, result } = await runToEnd(start, { cwd: await folder({ 'a.txt': 'A' }), url, clock })
  expect((await requests()).map((request) => request.model)).toEqual([FIRST, FIRST, FIRST, SECOND, SECOND])
  expect(clock.waits).toEqual([1000, 2000])
  expect(fallbacks(events)).toEqual([
    {
      type: 'system',
      subtype: 'model_fallback',
      from: FIRST,
      to: SECOND,
      cooldown_ms: 60_000,
      message: 'the API answered 529 overloaded_error: Overloaded (after 3 attempts)',
    },
  ])
  expect(toolResults(events)).toEqual([{ text: '1\tA', isError: false }])
  expect(result).toMatchObject({ terminal_reason: 'completed', result: 'done' })
  expect(Object.keys(result.modelUsage)).toEqual([SECOND])
})

test('a fault that would meet the other model alike is no reason to ask it', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'x' }], faults: [{ type: 401 }] })
  const { result } = await runToEnd({ ...startOf({}, 'go'), fallbackModel: SECOND }, { cwd: await folder(), url })
  expect(await requests()).toHaveLength(1)
  expect(result.terminal_reason).toBe('api_error')
})

test('when both models fail, the run ends with the fault of the fallback', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'x' }], faults: [{ type: 529 }] })
  const { result } = await runToEnd({ ...startOf({}, 'go'), fallbackModel: SECOND }, { cwd: await folder(), url })
  expect(await requests()).toHaveLength(3 + 7)
  expect(result).toMatchObject({ terminal_reason: 'api_error', num_turns: 0 })
})

const THOUGHT = { type: 'thinking', thinking: 'Hm.', signature: 's' } as const
const SAID = { type: 'text', text: 'ok' } as const
const REQUEST: ModelRequest = {
  model: FIRST,
  max_tokens: 1,
  messages: [
    { role: 'user', content: [SAID] },
    { role: 'assistant', content: [THOUGHT, SAID] },
    { role: 'assistant', content: [THOUGHT] },
  ],
}

test('thinking is signed for its model, so another one does not get it, and what it thinks is not kept', async () => {
  expect(forModel(REQUEST, SECOND)).toEqual({
    model: SECOND,
    max_tokens: 1,
    messages: [REQUEST.messages[0], { role: 'assistant', content: [SAID] }, REQUEST.messages[2]],
  })
  const { outcome } = await asked(() => 0)
  expect((outcome as Reply).content).toEqual([SAID])
})

test('after a minute of the clock the first model is tried again', async () => {
  let now = 0
  const { models, client } = await asked(() => now)
  await drained(client(REQUEST, new AbortController().signal))
  now = COOLDOWN_MS
  await drained(client(REQUEST, new AbortController().signal))
  expect(models).toEqual([FIRST, SECOND, SECOND, FIRST, SECOND])
})

/** A first model that always fails and a second one that thinks, asked once. */
async function asked(now: () => number) {
  const models: string[] = []
  const content = [THOUGHT, SAID]
  // oxlint-disable require-yield -- models that stream nothing
  const client = withFallback(
    async function* (request) {
      models.push(request.model)
      return { type: 'fault', kind: 'transient', message: 'busy', partial: '' }
    },
    async function* (request) {
      models.push(request.model)
      return { type: 'reply', id: 'm', model: request.model, content, stop_reason: 'end_turn', usage: NO_USAGE, broken: {} }
    },
    SECOND,
    { now, sleep: () => Promise.resolve() },
  )
  // oxlint-enable require-yield
  return { models, client, outcome: await drained(client(REQUEST, new AbortController().signal)) }
}

async function drained<T>(turn: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const step = await turn.next()
    if (step.done) return step.value
  }
}
