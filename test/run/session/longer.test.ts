import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { liveClock } from '../../../runner/clock.ts'
import { resumed } from '../../../runner/commands/resumed.ts'
import type { RunEvent } from '../../../runner/index.ts'
import { readTranscript } from '../../../runner/transcript/read.ts'
import { timelineOf } from '../../../runner/timeline/timeline.ts'
import { manifestText } from '../manifest-fixture.ts'
import { skill } from '../skills/stage.ts'
import { fakeApi } from '../stage.ts'
import { saying, system, talk, texts } from './saying.ts'

test('a recording holds what was said, and a replay of it asks nobody: equal requests and events', async () => {
  const launch = {
    content: [
      {
        type: 'tool_use',
        id: 'toolu_1',
        name: 'Agent',
        input: { description: 'd', prompt: 'p', subagent_type: 'helper', run_in_background: true },
      },
    ],
  }
  const { url, requests } = await fakeApi({
    rules: [{ when: { system: 'You are helper' }, turns: [{ text: 'REPORT', delay_ms: 200 }] }],
    turns: [
      { text: 'First.' },
      { text: 'half of it, and so on and on', fault: { type: 'hang_mid', after_events: 5, times: 1 } },
      launch,
      { text: 'Started.' },
      { text: 'It has reported.' },
      { text: 'Bye.' },
    ],
    options: { chunk: 4 },
  })
  const { agents } = readManifest(manifestText({ worker: { tools: ['Agent'] }, helper: {} }))
  let text = ''
  const left = ['one', 'two', 'three', '', 'four']
  let stop = new AbortController()
  const person = {
    next: (signal: AbortSignal) => {
      const said = left.shift()
      if (said !== '') return Promise.resolve(said)
      return new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
    },
    begin: () => (stop = new AbortController()).signal,
    see: (event: RunEvent) => void (JSON.stringify(event).includes('half') && stop.abort()),
  }
  const options = { agents, clock: liveClock }
  const live = await talk(person, url, { tools: ['Agent'] }, { ...options, record: (line) => void (text += line) })
  const sent = (await requests()).length
  expect([live.result.terminal_reason, live.result.num_turns, live.verdict.difference]).toEqual(['completed', 5, undefined])
  const again = await talk(
    { next: () => expect.fail('somebody was asked'), begin: person.begin },
    url,
    { tools: ['Agent'] },
    { ...options, replay: text },
  )
  expect(JSON.stringify(again.lines.filter(({ kind }) => kind === 'request' || kind === 'prompt'))).toBe(
    JSON.stringify(live.lines.filter(({ kind }) => kind === 'request' || kind === 'prompt')),
  )
  expect([again.result.result, again.rest, (await requests()).length]).toEqual(['Bye.', 0, sent])
})

test('an interruption ends the agents that are waited for, and not those in the background', async () => {
  const call = (prompt: string, more = {}) => ({ name: 'Agent', input: { description: prompt, prompt, subagent_type: 'helper', ...more } })
  const { url, requests } = await fakeApi({
    rules: [
      { when: { system: 'You are helper', last_user: 'behind' }, turns: [{ text: 'BACKGROUND', delay_ms: 1500 }] },
      { when: { system: 'You are helper' }, turns: [{ text: 'never', fault: { type: 'hang' } }] },
    ],
    turns: [
      { tools: [call('behind', { run_in_background: true })] },
      { tools: [call('before')] },
      { text: 'Well.' },
      { text: 'It has reported.' },
    ],
  })
  const { agents } = readManifest(manifestText({ worker: { tools: ['Agent'] }, helper: {} }))
  const waitedFor = (event: RunEvent) => event.type === 'system' && event.subtype === 'task_started' && event.description === 'before'
  const person = saying('one', waitedFor, 'two')
  const answers: string[] = []
  const reported = (): boolean => answers.includes('It has reported.')
  const patient = {
    ...person,
    // Leaves when the report has been worked on.
    async next(signal: AbortSignal) {
      const said = await person.next(signal)
      if (said !== undefined) return said
      while (!reported() && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20))
      return undefined
    },
    see(event: RunEvent) {
      person.see(event)
      if (event.type === 'system' && event.subtype === 'prompt_end') answers.push(event.result.result)
    },
  }
  const { result, verdict } = await talk(patient, url, { tools: ['Agent'] }, { agents, clock: liveClock })
  expect(result).toMatchObject({
    terminal_reason: 'completed',
    result: 'It has reported.',
    subagent_stats: { spawned: 2, completed: 1, killed: 1 },
  })
  const said = texts((await requests()).findLast(({ system: [first] = [] }) => first?.text.startsWith('You are worker'))!.messages).join(
    '\n',
  )
  expect(said).toContain('[Request interrupted by user]')
  expect(said).toContain('BACKGROUND')
  expect(verdict.difference).toBeUndefined()
})

/** Waits until the API is at work on a reply; the question counts as one. */
async function summarising(url: string): Promise<void> {
  while (((await (await fetch(`${url}/__stats`)).json()) as { in_flight: number }).in_flight < 2)
    await new Promise((resolve) => setTimeout(resolve, 20))
}

test('an interruption while the conversation is summarised leaves it as it was', async () => {
  const { url, requests } = await fakeApi({
    rules: [
      {
        when: { last_user: 'has grown too long' },
        turns: [{ text: 'half a summary', fault: { type: 'hang_mid', after_events: 4, times: 1 } }],
      },
    ],
    turns: ['a', 'b', 'c', 'd', 'e'].map((text) => ({ text })),
  })
  const start = { limits: { compact: { messages: 6 } } } as never
  const said = ['one', 'two', 'three', 'four', 'five']
  let stop = new AbortController()
  const person = {
    next: () => Promise.resolve(said.shift()),
    begin() {
      stop = new AbortController()
      if (said.length === 1) void summarising(url).then(() => stop.abort())
      return stop.signal
    },
  }
  const { events, verdict, lines } = await talk(person, url, {}, { start })
  const asked = (await requests()).at(-1)!
  expect(texts(asked.messages)).not.toContain('half a summary')
  expect(events.at(-1)).toMatchObject({ terminal_reason: 'completed' })
  expect(lines.map(({ kind }) => kind)).toContain('compact')
  expect(verdict.difference).toBeUndefined()
})

test('a conversation that was cut off in the middle of its work does that first, then the person is asked', async () => {
  const tools = [{ name: 'Read', input: { file_path: 'a.txt' } }]
  const { url, requests } = await fakeApi({ turns: [{ text: 'A.' }, { tools }, { text: 'Read it.' }, { text: 'Bye.' }] })
  const first = await talk(saying('one', 'two'), url, { tools: ['Read'] })
  const cut = first.transcript.slice(0, first.transcript.indexOf('\n', first.transcript.indexOf('"kind":"tool_start"')) + 1)
  writeFileSync(join(first.cwd, first.result.run_folder!, 'transcript.jsonl'), cut)
  const before = (await requests()).length
  const resume = resumed({ id: first.id, folder: '', transcript: cut, manifest: first.manifest }, {}, true)
  const again = await talk(saying('three'), url, {}, { cwd: first.cwd, resume, start: resume.history.start, keep: undefined })
  const sent = (await requests()).slice(before)
  expect(sent.map(({ messages }) => texts(messages).at(-1))).toEqual(['tool_result', 'three'])
  expect(again.result).toMatchObject({ result: 'Bye.', num_turns: 4 })
  expect(again.verdict.difference).toBeUndefined()
})

test('the timeline of a conversation shows what was said', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'A.' }, { text: 'B.' }] })
  const { transcript } = await talk(saying('one', 'two'), url)
  const steps = timelineOf(readTranscript(transcript).lines)
  expect(steps.map(({ kind, what }) => `${kind} ${what}`)).toEqual(['prompt one', 'turn A.', 'prompt two', 'turn B.', 'end completed'])
})

test('a skill with an agent of its own reports to the conversation; one that was interrupted is not run again by the next prompt', async () => {
  const { url, requests } = await fakeApi({
    rules: [
      { when: { system: 'You are helper', any: 'ants' }, turns: [{ text: 'never', fault: { type: 'hang' } }] },
      { when: { system: 'You are helper' }, turns: [{ text: 'All about moths.' }] },
    ],
    turns: [{ text: 'A.' }, { text: 'B.' }],
  })
  const study = skill('study', { context: 'fork', agent: 'helper', content: 'Study $1.' })
  const { agents } = readManifest(manifestText({ worker: {}, helper: {} }, { skills: { study } }))
  const atAnts = (event: RunEvent) => event.type === 'system' && event.subtype === 'task_started'
  const { events, result, verdict } = await talk(
    saying('/study moths', '/study ants', atAnts, 'go on'),
    url,
    {},
    { agents },
    { skills: { study } },
  )
  expect([result.terminal_reason, verdict.difference]).toEqual(['completed', undefined])
  const sent = await requests()
  expect(system(events, 'task_started')).toHaveLength(2)
  const said = texts(sent.at(-1)!.messages)
  expect(said.join('\n')).toContain('All about moths.')
  expect(said.slice(-2)).toEqual(['[Request interrupted by user]', 'go on'])
})
