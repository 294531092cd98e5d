import { expect, test } from 'vitest'
import { runAgent } from '../../runner/index.ts'
import type { Reply } from '../../runner/message.ts'
import { decide, nobody } from '../../runner/permission/decide.ts'
import { openProcesses } from '../../runner/processes.ts'
import { Scope } from '../../runner/scope.ts'
import { newToolState } from '../../runner/tools/state.ts'
import { noPerson, type Tool } from '../../runner/tools/tool.ts'
import { NO_TRANSCRIPT } from '../../runner/transcript/transcript.ts'
import { NO_USAGE } from '../../runner/usage.ts'
import { openWorkspace } from '../../runner/workspace.ts'
import { startOf } from './manifest-fixture.ts'
import { fakeApi, folder, runToEnd, stillClock, toolResults } from './stage.ts'

test('every call ends in one result, in the order of the calls, whatever becomes of it', async () => {
  const tools = [
    { name: 'Read', input: { file_path: 'a.txt' } },
    { name: 'Nonsense', input: {} },
    { name: 'WebSearch', input: { query: 'what' } },
    { name: 'Read', input: { path: 'a.txt', limit: 0 } },
    { name: 'Grep', input: { pattern: 'a', output_mode: 'lines' } },
    { name: 'Read', input: { file_path: 'none.txt' } },
    { name: 'constructor', input: {} },
  ]
  const { url, requests } = await fakeApi({ turns: [{ tools }, { text: 'done' }] })
  const start = startOf({ tools: ['Grep', 'Read', 'WebSearch'] }, 'go')
  const { events, result } = await runToEnd(start, { cwd: await folder({ 'a.txt': 'A' }), url })
  expect(toolResults(events)).toEqual([
    { text: '1\tA', isError: false },
    { text: 'No such tool available: Nonsense. It has Grep, Read.', isError: true },
    { text: 'This agent may not use WebSearch. It has Grep, Read.', isError: true },
    {
      text:
        "The input does not fit the schema of Read: the input must have required property 'file_path'; " +
        'the input must NOT have additional properties: path; limit must be >= 1.',
      isError: true,
    },
    {
      text:
        'The input does not fit the schema of Grep: output_mode must be equal to one of the allowed values: ' +
        'content, files_with_matches, count.',
      isError: true,
    },
    { text: 'none.txt does not exist; relative paths start at the working directory. Find it with Glob.', isError: true },
    { text: 'No such tool available: constructor. It has Grep, Read.', isError: true },
  ])
  expect(result.terminal_reason).toBe('completed')
  expect(await requests()).toHaveLength(2)
})

/** Runs a reply with these calls on tools that note when they run. */
async function watched(names: string[]) {
  const log: string[] = []
  let running = 0
  let most = 0
  const tool = (name: string): Tool => ({
    async run(input) {
      most = Math.max(most, ++running)
      log.push(`${name} starts`)
      await new Promise((resolve) => setTimeout(resolve, 5 + (30 - Number(input.limit ?? 0))))
      running -= 1
      if (name === 'WebSearch') throw new Error('no network')
      log.push(`${name} ends`)
      return { text: `${name} ${String(input.limit ?? '')}`.trim(), isError: false }
    },
  })
  const replies: Partial<Reply>[] = [
    { content: names.map(call), stop_reason: 'tool_use' },
    { content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn' },
  ]
  const events = []
  const run = runAgent(startOf({ tools: ['Read', 'Write', 'WebSearch'] }, 'go'), {
    // oxlint-disable-next-line require-yield -- a model that streams nothing
    model: async function* () {
      return { type: 'reply', id: 'm', model: 'm', usage: NO_USAGE, broken: {}, content: [], stop_reason: null, ...replies.shift() }
    },
    tools: tool,
    decide,
    workspace: await openWorkspace(await folder()),
    environment: { cwd: '/x', platform: 'linux', git: false },
    ask: nobody,
    askPerson: noPerson,
    state: newToolState(),
    scope: new Scope(openProcesses('m', {}, process)),
    transcript: NO_TRANSCRIPT,
    clock: stillClock(),
    ids: { session: () => 's' },
    signal: new AbortController().signal,
  })
  for await (const event of run) events.push(event)
  return { log, most, events, results: toolResults(events).map((item) => item.text) }
}

function call(name: string, at: number) {
  return { type: 'tool_use' as const, id: `c${at}`, name, input: inputOf(name, at) }
}

function inputOf(name: string, at: number): Record<string, unknown> {
  if (name === 'Read') return { file_path: 'x', limit: at + 1 }
  return name === 'Write' ? { file_path: 'x', content: 'y' } : { query: 'what' }
}

test('calls that only read run together, a write runs alone, and results keep the order of the calls', async () => {
  const { log, results } = await watched(['Read', 'Read', 'Write', 'Read'])
  expect(log).toEqual(['Read starts', 'Read starts', 'Read ends', 'Read ends', 'Write starts', 'Write ends', 'Read starts', 'Read ends'])
  expect(results).toEqual(['Read 1', 'Read 2', 'Write', 'Read 4'])
})

test('at most ten calls run at one time', async () => {
  const { most, results } = await watched(Array.from({ length: 25 }, () => 'Read'))
  expect(most).toBe(10)
  expect(results).toEqual(Array.from({ length: 25 }, (_, at) => `Read ${at + 1}`))
})

test('a tool that throws is a failed call and not the end of the run', async () => {
  const { results, events } = await watched(['WebSearch', 'Read'])
  expect(results).toEqual(['WebSearch failed: no network', 'Read 2'])
  expect(events.at(-1)).toMatchObject({ terminal_reason: 'completed' })
})
