import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { liveClock } from '../../../runner/clock.ts'
import { resumed } from '../../../runner/commands/resumed.ts'
import type { Person } from '../../../runner/person.ts'
import { manifestText } from '../manifest-fixture.ts'
import { fakeApi } from '../stage.ts'
import { saying, system, talk, texts } from './saying.ts'

test('two prompts are one run: the second request holds the first exchange, and every request can be derived again', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'First answer.' }, { text: 'Second answer.' }] })
  const { events, result, verdict } = await talk(saying('one', 'two'), url)
  const sent = await requests()
  expect(sent.map(({ messages }) => texts(messages))).toEqual([['one'], ['one', 'First answer.', 'two']])
  expect(result).toMatchObject({ terminal_reason: 'completed', num_turns: 2, result: 'Second answer.' })
  expect(verdict).toEqual({ requests: 2, ended: true, difference: undefined })
  expect(system(events, 'prompt_end')).toHaveLength(2)
  expect(events.filter(({ type }) => type === 'result')).toHaveLength(1)
})

test('a person who says nothing ends a run without a request', async () => {
  const { url, requests } = await fakeApi({ turns: [] })
  const { result, events } = await talk(saying(), url)
  expect([result.terminal_reason, result.num_turns, await requests()]).toEqual(['completed', 0, []])
  expect(system(events, 'prompt_end')).toEqual([])
})

test('the initial prompt is worked on before the person is asked, and the reminder of the agent stays last', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'A' }, { text: 'B' }] })
  const { verdict } = await talk(saying('two'), url, { initialPrompt: 'one', reminder: 'be brief' })
  const reminder = '<system-reminder>\nbe brief\n</system-reminder>'
  expect((await requests()).map(({ messages }) => texts(messages))).toEqual([
    ['one', reminder],
    ['one', reminder, 'A', 'two', reminder],
  ])
  expect(verdict.difference).toBeUndefined()
})

test('the reminder stands once, behind the first prompt, where nothing was said before', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'A' }] })
  await talk(saying('one'), url, { reminder: 'be brief' })
  expect(texts((await requests())[0]!.messages)).toEqual(['one', '<system-reminder>\nbe brief\n</system-reminder>'])
})

test('an interrupted reply ends no run: what had arrived of it stands before the next prompt', async () => {
  const slow = { text: 'The answer is long and never ends.', fault: { type: 'hang_mid', after_events: 4, times: 1 } }
  const { url, requests } = await fakeApi({ turns: [slow, { text: 'Better.' }], options: { chunk: 8 } })
  const { events, result, verdict, lines } = await talk(
    saying('one', (event) => JSON.stringify(event).includes('The answ'), 'two'),
    url,
  )
  const [, second] = await requests()
  expect(texts(second!.messages)).toEqual(['one', expect.stringMatching(/^The answ.{0,8}$/), '[Request interrupted by user]', 'two'])
  expect(system(events, 'prompt_end')[0]).toMatchObject({ result: { terminal_reason: 'interrupted', is_error: true } })
  expect(lines.find((line, at) => line.kind === 'prompt' && at > 3)).toMatchObject({ after: 'interrupted' })
  expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Better.' })
  expect(verdict).toMatchObject({ difference: undefined, requests: 2 })
})

test('an interrupted command has a result, is at work no more, and the conversation goes on', async () => {
  const calls = {
    tools: [
      { name: 'Bash', input: { command: 'sleep 60' } },
      { name: 'Bash', input: { command: 'touch never' } },
    ],
  }
  const { url, requests } = await fakeApi({ turns: [calls, { text: 'Well.' }] })
  const { cwd, verdict, result } = await talk(
    saying('one', (event) => event.type === 'system' && event.subtype === 'tool_start', 'two'),
    url,
    { tools: ['Bash'] },
  )
  const last = (await requests()).at(-1)!.messages.at(-1)!.content as { type: string; content?: string; text?: string }[]
  expect(last.map(({ content, text }) => content ?? text)).toEqual([
    '[The run was interrupted, and the command was ended]',
    'Not run: the run was interrupted.',
    '[Request interrupted by user]',
    'two',
  ])
  expect(existsSync(join(cwd, 'never'))).toBe(false)
  expect([result.terminal_reason, verdict.difference]).toEqual(['completed', undefined])
})

test('a fault of the API ends the work on a prompt and not the conversation', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'x' }], faults: [{ type: '403', times: 1 }] })
  const { events, result, verdict } = await talk(saying('one', 'two'), url)
  expect(system(events, 'prompt_end')[0]).toMatchObject({ result: { terminal_reason: 'api_error' } })
  expect([result.terminal_reason, verdict.difference]).toEqual(['completed', undefined])
})

const glob = { tools: [{ name: 'Glob', input: { pattern: '*' } }] }
const other = { tools: [{ name: 'Glob', input: { pattern: 'b*' } }] }

test('each prompt has all turns to itself', async () => {
  const { url } = await fakeApi({ turns: [glob, other, { text: 'done' }] })
  const { events, result, verdict } = await talk(saying('one', 'two'), url, { maxTurns: 2 })
  expect(system(events, 'prompt_end').map((event) => (event as { result: { terminal_reason: string } }).result.terminal_reason)).toEqual([
    'max_turns',
    'completed',
  ])
  expect([result.num_turns, verdict.difference]).toEqual([3, undefined])
})

test('the turns that the project gives a run are those of each prompt too', async () => {
  const limits = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { turns: 2 } }
  const { url } = await fakeApi({ turns: [{ text: 'a' }, glob, { text: 'c' }] })
  const { result } = await talk(saying('one', 'two'), url, {}, {}, { limits })
  expect([result.terminal_reason, result.num_turns]).toEqual(['completed', 3])
})

test('tokens are those of the whole conversation, and when they are used up it ends', async () => {
  const usage = { input_tokens: 600, output_tokens: 10 }
  const { url } = await fakeApi({ turns: [{ text: 'a', usage }, { text: 'b', usage }, { text: 'c' }] })
  const person = saying('one', 'two', 'three')
  const limits = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { tokens: 1000 } }
  const { result } = await talk(person, url, {}, {}, { limits })
  expect([result.terminal_reason, result.num_turns, person.asked]).toEqual(['token_limit', 1, 2])
})

test('a prompt goes through the input router: files are attached, and what is refused is told and not sent', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  const { events, verdict } = await talk(saying('/nothing', 'see @a.txt', '!echo hi'), url, { tools: ['Bash', 'Read'] })
  // Where bubblewrap does not work, that is told too.
  const refused = system(events, 'notice').filter((event) => 'code' in event && event.code === 'input')
  expect(refused).toMatchObject([{ message: 'There is no skill or command /nothing. There are: none.' }])
  const all = texts((await requests()).at(-1)!.messages)
  expect(all[0]).toContain('the text of a')
  expect(all.at(-1)).toContain('<bash-stdout>\nhi\n')
  expect(verdict.difference).toBeUndefined()
})

test('a skill that a prompt calls for outlives a compaction, and the requests can be derived', async () => {
  const commands = {
    review: { content: 'Review with care.', hash: `sha256:${'0'.repeat(64)}`, origin: { source: 'project' as const, path: 'r.md' } },
  }
  const { url, requests } = await fakeApi({
    rules: [
      { when: { last_user: 'has grown too long' }, turns: [{ text: 'SUMMARY' }] },
      { turns: ['a', 'b', 'c', 'd', 'e'].map((text) => ({ text })) },
    ],
  })
  const start = { limits: { compact: { messages: 6 } } } as never
  const { verdict, lines } = await talk(saying('one', '/review', 'three', 'four', 'five'), url, {}, { start }, { commands })
  expect(lines.map(({ kind }) => kind)).toContain('compact')
  expect(JSON.stringify((await requests()).at(-1)!.messages[0])).toContain('<skill name=')
  expect(verdict.difference).toBeUndefined()
})

test('a run that has ended is gone on with as a conversation, in the same context', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }] })
  const first = await talk(saying('one'), url)
  const resume = resumed({ id: first.id, folder: '', transcript: first.transcript, manifest: first.manifest }, {}, true)
  const again = await talk(saying('two', 'three'), url, {}, { cwd: first.cwd, resume, start: resume.history.start, keep: undefined })
  expect(texts((await requests()).at(-1)!.messages)).toEqual(['one', 'First.', 'two', 'Second.', 'three'])
  expect(again.id).toBe(first.id)
  expect(again.result.num_turns).toBe(3)
  expect(again.verdict).toEqual({ requests: 3, ended: true, difference: undefined })
})

test('what a hook says of a prompt reaches the model, and a prompt that it refuses does not', async () => {
  const command = `grep -q forbidden && { echo no >&2; exit 2; }; echo '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"HOOK"}}'`
  const origin = { source: 'user' as const, path: 'settings.json', line: 1, column: 1 }
  const hooks = { UserPromptSubmit: [{ handlers: [{ type: 'command' as const, command }], origin }] }
  const { url, requests } = await fakeApi({ turns: [{ text: 'A' }, { text: 'B' }] })
  const { events, verdict } = await talk(saying('one', 'forbidden', 'two'), url, {}, {}, { hooks })
  expect(system(events, 'notice')).toMatchObject([{ message: expect.stringContaining('a hook refuses the prompt') as string }])
  const all = texts((await requests()).at(-1)!.messages)
  expect(all).toHaveLength(3)
  expect(all[0]).toMatch(/^one\n\n[^]*HOOK/)
  expect(all[2]).toMatch(/^two\n\n[^]*HOOK/)
  expect(verdict.difference).toBeUndefined()
})

test('what an agent in the background reports while the person is silent is worked on at once', async () => {
  const launch = {
    content: [
      { type: 'tool_use', name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'helper', run_in_background: true } },
    ],
  }
  const { url } = await fakeApi({
    rules: [
      { when: { system: 'You are worker' }, turns: [launch, { text: 'Started.' }, { text: 'It has reported.' }] },
      { when: { system: 'You are helper' }, turns: [{ text: 'REPORT', delay_ms: 300 }] },
    ],
  })
  const { agents } = readManifest(manifestText({ worker: { tools: ['Agent'] }, helper: {} }))
  let leave: (() => void) | undefined
  const later = new Promise<undefined>((resolve) => (leave = () => resolve(undefined)))
  const said = ['one']
  const ends: number[] = []
  const person: Person = {
    next: (signal) => {
      const text = said.shift()
      ends.push(1)
      if (ends.length > 2) leave!()
      if (text !== undefined) return Promise.resolve(text)
      return Promise.race([later, new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)))])
    },
    begin: () => new AbortController().signal,
  }
  const { result, verdict } = await talk(person, url, { tools: ['Agent'] }, { agents, clock: liveClock })
  expect([result.result, result.num_turns, verdict.difference]).toEqual(['It has reported.', 3, undefined])
})
