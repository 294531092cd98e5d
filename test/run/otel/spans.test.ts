import { expect, test } from 'vitest'
import type { RunEvent } from '../../../runner/index.ts'
import { type Attributes, type Span, spansOf, type Tracer } from '../../../runner/otel/spans.ts'
import { startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, runToEnd } from '../stage.ts'

interface Recorded {
  name: string
  parent: string | undefined
  attributes: Attributes
  status?: { code: number; message?: string }
  ended: number
  at: number
}

function recording() {
  const spans: Recorded[] = []
  const tracer: Tracer = {
    start(name, { attributes, parent, at }) {
      const span: Recorded = {
        name,
        parent: (parent as unknown as { span: Recorded } | undefined)?.span.name,
        attributes: { ...attributes },
        ended: 0,
        at,
      }
      spans.push(span)
      return {
        span,
        setAttributes: (more: Attributes) => Object.assign(span.attributes, more),
        setStatus: (status: { code: number; message?: string }) => void (span.status = status),
        addEvent: () => undefined,
        end: () => void (span.ended += 1),
      } as Span
    },
  }
  return { spans, tracer }
}

function spansFor(events: readonly RunEvent[], contents: boolean): Recorded[] {
  const { spans, tracer } = recording()
  let time = 0
  const take = spansOf(tracer, () => ++time, contents)
  for (const event of events) take(event)
  take(undefined)
  return spans
}

const eventsOf = async (turns: unknown[]) => {
  const { url } = await fakeApi({ turns })
  return (await runToEnd(startOf({ tools: ['Read'] }, 'go'), { cwd: await folder({ 'a.txt': 'secret text' }), url })).events
}

test('a run is one span over its requests and calls, each ended once, with the names and counts of the conventions', async () => {
  const spans = spansFor(await eventsOf([{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'Done.' }]), false)
  expect(spans.map(({ name, parent, ended }) => [name, parent, ended])).toEqual([
    ['invoke_agent worker', undefined, 1],
    ['chat claude-haiku-5-5', 'invoke_agent worker', 1],
    ['execute_tool Read', 'invoke_agent worker', 1],
    ['chat claude-haiku-5-5', 'invoke_agent worker', 1],
  ])
  expect(spans[0]!.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': 'session-1',
    'agentc.turns': 2,
  })
  expect(spans[1]!.attributes).toMatchObject({
    'gen_ai.response.finish_reasons': ['tool_use'],
    'gen_ai.usage.output_tokens': expect.any(Number),
  })
  expect(spans.every(({ status }) => status === undefined)).toBe(true)
})

test('texts and inputs are in the spans only where they were asked for', async () => {
  const events = await eventsOf([{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'The answer.' }])
  expect(JSON.stringify(spansFor(events, false))).not.toMatch(/a\.txt|The answer/)
  expect(JSON.stringify(spansFor(events, true))).toMatch(/a\.txt.*The answer/)
})

test('a request is one span from when it was sent, and one that was never sent is none', async () => {
  const { url } = await fakeApi({ turns: [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'Never.' }] })
  const parts = { tools: ['Read'], maxTurns: 1 }
  const { events } = await runToEnd(startOf(parts, 'go'), { cwd: await folder({ 'a.txt': 'x' }), url })
  const limited = spansFor(events, false)
  expect(limited.map(({ name, status }) => [name, status?.code])).toEqual([
    ['invoke_agent worker', 2],
    ['chat claude-haiku-5-5', undefined],
  ])
  expect(limited[1]!.at).toBe(limited[0]!.at)
  const refused = spansFor(await eventsOf([{ text: 'x', fault: { type: '401' } }]), false)
  expect(refused.map(({ name, status }) => [name, status?.code])).toEqual([
    ['invoke_agent worker', 2],
    ['chat claude-haiku-5-5', 2],
  ])
})

test('a run that fails and one that is left in the middle leave no span open', async () => {
  const failing = spansFor(await eventsOf([{ text: 'x', fault: { type: '401' } }]), false)
  expect(failing.map(({ ended }) => ended)).toEqual(failing.map(() => 1))
  expect(failing[0]!.status).toEqual({ code: 2, message: 'api_error' })
  const events = await eventsOf([{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'Done.' }])
  const cut = spansFor(events.slice(0, events.findIndex((event) => event.type === 'system' && event.subtype === 'tool_start') + 1), false)
  expect(cut.map(({ ended, status }) => [ended, status?.code])).toEqual([
    [1, 2],
    [1, undefined],
    [1, 2],
  ])
})
