import { expect, test } from 'vitest'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import { keptRun } from '../../../runner/commands/kept.ts'
import { agentcRun, kinds, resultOf, runId } from '../kept.ts'
import { manifestText } from '../manifest-fixture.ts'
import { fakeApi, folder } from '../stage.ts'

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { files: { type: 'array', items: { type: 'string' } } },
  required: ['files'],
  additionalProperties: false,
}
const ARGS = ['worker', 'list them', '--output-schema', 'out.json']
const files = { 'out.json': JSON.stringify(SCHEMA) }

test('an answer that fits is in the result as a value', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'Here:\n```json\n{"files":["a"]}\n```' }] })
  const { code, result } = await resultOf(ARGS, { cwd: await folder(files), url })
  expect([code, result.structured_output, result.subtype]).toEqual([0, { files: ['a'] }, 'success'])
  expect(JSON.stringify((await requests())[0]!.messages[0])).toContain('<output-schema>')
})

test('an answer that does not fit is asked for again, and the run can be derived from its transcript', async () => {
  const turns = [{ text: 'I found a.' }, { text: '{"files":"a"}' }, { text: '{"files":["a"]}' }]
  const { url, requests } = await fakeApi({ turns })
  const cwd = await folder(files)
  const { code, result } = await resultOf(ARGS, { cwd, url })
  expect([code, result.structured_output, result.num_turns]).toEqual([0, { files: ['a'] }, 3])
  const repairs = (await requests()).slice(1).map(({ messages }) => JSON.stringify(messages.at(-1)))
  expect(repairs).toEqual([expect.stringContaining('it holds no JSON value'), expect.stringContaining('files must be array')])
  expect(kinds(cwd).filter((kind) => kind === 'repair')).toHaveLength(2)
  const kept = keptRun(cwd, cwd, runId(cwd))
  expect(verifyRun(kept.transcript, kept.manifest)).toMatchObject({ difference: undefined, requests: 3 })
})

test('after two repairs the run has failed, with its own subtype and exit code', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'no' }] })
  const { code, result } = await resultOf(ARGS, { cwd: await folder(files), url })
  expect([code, result.subtype, result.terminal_reason]).toEqual([6, 'error_max_structured_output_retries', 'structured_output'])
  expect(result).not.toHaveProperty('structured_output')
  expect(await requests()).toHaveLength(3)
})

test('a repair does not go beyond the limit of turns', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'no' }] })
  const { result } = await resultOf([...ARGS, '--max-turns', '1'], { cwd: await folder(files), url })
  expect([result.terminal_reason, (await requests()).length]).toEqual(['structured_output', 1])
})

test.each([
  ['[]', 'wants a JSON Schema that is an object'],
  ['{', 'is not JSON'],
  ['{"type":"object","properties":{"a":{"$ref":"#/nowhere"}}}', 'cannot be used'],
])('%s is no schema: wrong usage', async (text, why) => {
  const cwd = await folder({ 'out.json': text })
  const { code, stderr } = await agentcRun(ARGS, { cwd, manifest: manifestText({ worker: {} }) })
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
})
