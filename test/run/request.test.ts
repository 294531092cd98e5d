import { expect, test } from 'vitest'
import type { ToolResultBlock } from '../../runner/message.ts'
import { startOf } from './manifest-fixture.ts'
import { fakeApi, folder, runToEnd } from './stage.ts'

const READ_SCHEMA = {
  type: 'object',
  properties: {
    file_path: { type: 'string', description: 'Path of the file, absolute or relative to the working directory' },
    offset: { type: 'integer', minimum: 1, description: 'First line to read, counted from 1' },
    limit: { type: 'integer', minimum: 1, description: 'How many lines to read' },
  },
  required: ['file_path'],
  additionalProperties: false,
}

test('the first request holds the manifest, the prompt and the environment block, and not a byte more', async () => {
  const cwd = await folder({ '.git/HEAD': '' })
  const { url, log } = await fakeApi({ turns: [{ text: 'ok' }] })
  await runToEnd(startOf({ tools: ['Read'], effort: 'high', reminder: 'Stay calm.' }, 'What now?'), { cwd, url })
  const [entry] = await log()
  const golden = {
    model: 'claude-haiku-5-5',
    max_tokens: 16384,
    system: [{ type: 'text', text: 'You are worker. Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'Read', description: 'Reads a file and returns its lines with numbers.', input_schema: READ_SCHEMA }],
    output_config: { effort: 'high' },
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: `<environment>\nWorking directory: ${cwd}\nPlatform: ${process.platform}\nGit repository: yes\n</environment>`,
          },
          { type: 'text', text: 'What now?' },
          { type: 'text', text: '<system-reminder>\nStay calm.\n</system-reminder>', cache_control: { type: 'ephemeral' } },
        ],
      },
    ],
    stream: true,
  }
  expect(JSON.stringify(entry!.body)).toBe(JSON.stringify(golden))
})

test('the prefix of every request is the same, and the cache is read from the second request on', async () => {
  const call = { tool: 'Glob', input: { pattern: '*' } }
  const { url, requests } = await fakeApi({ turns: [call, call, { text: 'done' }], options: { min_cache_tokens: 1 } })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder({ 'a.txt': '' }), url })
  const sent = await requests()
  const prefixes = sent.map((request) => JSON.stringify({ ...request, messages: undefined }))
  expect(new Set(prefixes).size).toBe(1)
  expect(result.usage.cache_read_input_tokens).toBeGreaterThan(result.usage.input_tokens)
})

test('a reply with more calls than a cache mark looks back over still reads the cache', async () => {
  const tools = Array.from({ length: 24 }, (_, at) => ({ name: 'Glob', input: { pattern: `*.${at}` } }))
  const { url, requests } = await fakeApi({ turns: [{ tools }, { text: 'done' }], options: { min_cache_tokens: 1 } })
  const { result } = await runToEnd(startOf({}, 'go'), { cwd: await folder(), url })
  const [, second] = await requests()
  const blocks = second!.messages.flatMap((message): readonly unknown[] => message.content)
  const marks = blocks.filter((block) => (block as ToolResultBlock).cache_control)
  expect(marks).toHaveLength(2)
  expect(result.usage.cache_read_input_tokens).toBeGreaterThan(0)
})

test('an agent that inherits its model runs on the default of the manifest, and a given model wins', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  const cwd = await folder()
  const start = startOf({ model: 'inherit' }, 'go')
  await runToEnd(start, { cwd, url })
  await runToEnd({ ...start, model: 'sonnet' }, { cwd, url })
  await runToEnd({ ...start, model: 'claude-some-9' }, { cwd, url })
  expect((await requests()).map((request) => request.model)).toEqual(['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-some-9'])
})

test('initialPrompt comes before the prompt, and an hour of cache is asked for when the agent says so', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  await runToEnd(startOf({ initialPrompt: 'First this.', cacheTtl: '1h' }, 'Then that.'), { cwd: await folder(), url })
  const [request] = await requests()
  expect(request!.system![0]!.cache_control).toEqual({ type: 'ephemeral', ttl: '1h' })
  expect(request!.messages[0]!.content.slice(1)).toEqual([
    { type: 'text', text: 'First this.' },
    { type: 'text', text: 'Then that.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ])
})

test("an agent's own model is pinned already, and is sent as it stands, even if it is called like an alias", async () => {
  const cwd = await folder()
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  await runToEnd(startOf({ model: 'default' }, 'go'), { cwd, url })
  expect((await requests()).map((request) => request.model)).toEqual(['default'])
})
