import { trace } from '@opentelemetry/api'
import { expect, onTestFinished, test } from 'vitest'
import { agentcRun } from '../kept.ts'
import { manifestText } from '../manifest-fixture.ts'
import { fakeApi, folder } from '../stage.ts'

test('with --otel the spans of a run go to the SDK that is registered, and what is printed stays the same', async () => {
  const names: string[] = []
  const noop = trace.getTracer('none').startSpan('none')
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan: (name: string) => (names.push(name), noop), startActiveSpan: () => undefined as never }),
  })
  onTestFinished(() => trace.disable())
  const { url } = await fakeApi({ turns: [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'Done.' }] })
  const stage = { cwd: await folder({ 'a.txt': 'A' }), url, manifest: manifestText({ worker: { tools: ['Read'] } }) }
  const plain = await agentcRun(['worker', 'go'], stage)
  expect(names).toEqual([])
  const { code, stdout } = await agentcRun(['worker', 'go', '--otel'], stage)
  expect([code, stdout]).toEqual([0, plain.stdout])
  expect(names).toEqual(['invoke_agent worker', 'chat claude-haiku-5-5', 'execute_tool Read', 'chat claude-haiku-5-5'])
})
