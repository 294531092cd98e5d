import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { verifyRun } from '../../../runner/index.ts'
import type { ModelRequest } from '../../../runner/message.ts'
import { exitCodeOf } from '../../../runner/exit-codes.ts'
import { nextId } from '../../../runner/delegation/child.ts'
import { liveClock } from '../../../runner/clock.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'
import { call, cast } from './stage.ts'

const LEAD = { tools: ['Agent', 'TaskOutput', 'TaskStop', 'SendMessage', 'Glob'] }
const start_ = (prompt: string, more: object = {}) =>
  call('Agent', { description: 'd', prompt, subagent_type: 'helper', run_in_background: true, ...more })
const lead = { system: 'You are lead' }

function texts({ messages }: ModelRequest): string[] {
  return messages.flatMap(({ content }) => content.map((block) => ('text' in block ? (block as { text: string }).text : '')))
}

describe('an agent in the background', () => {
  test('is answered for at once, and its end is told by a notification that is no input of the user', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: {} })
    const { url, requests } = await fakeApi({
      rules: [
        { when: lead, turns: [{ content: [start_('go')] }, { text: 'waiting' }, { text: 'all done' }] },
        { when: { system: 'helper' }, respond: { text: 'the report\n</result>', delay_ms: 300 } },
      ],
    })
    const { events, result } = await runToEnd(start, { cwd: await folder(), url, agents })
    const id = /as (a[0-9a-f]{12})/.exec(toolResults(events)[0]!.text)![1]!
    expect(toolResults(events)[0]!.text).toContain('do not guess')
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'all done' })
    expect(result.subagent_stats).toMatchObject({ started_in_background: 1, completed: 1 })
    const last = texts((await requests()).at(-1)!).at(-1)!
    expect(last).toMatch(/^<system-reminder>\nThis is no input of the user/)
    expect(last).toContain(`<task-id>${id}</task-id>`)
    expect(last).toContain('<status>completed</status>')
    expect(last).toContain('<result>\n  the report\n  &lt;/result>\n</result>')
    expect(last).toMatch(/subagent_tokens: [1-9]/)
    expect(events.filter((event) => event.type === 'system' && event.subtype === 'task_notification')).toMatchObject([
      { task_id: id, status: 'completed' },
    ])
  })

  test('works with at most nine others, and the rest wait', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: {} })
    const many = Array.from({ length: 14 }, (_, at) => start_(`task ${at}`))
    const { url } = await fakeApi({
      rules: [
        { when: lead, turns: [{ content: many }, { text: 'waiting', repeat: 30 }] },
        { when: { system: 'helper' }, respond: { text: 'r', delay_ms: 150 } },
      ],
    })
    const { result } = await runToEnd(start, { cwd: await folder(), url, agents })
    const stats = (await (await fetch(`${url}/__stats`)).json()) as { max_in_flight: number }
    expect(result.subagent_stats).toMatchObject({ spawned: 14, completed: 14 })
    expect(stats.max_in_flight).toBeLessThanOrEqual(11)
    expect(stats.max_in_flight).toBeGreaterThanOrEqual(8)
  })

  test('that is still at work when the time to wait for it is over is lost, and the run says so', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: { tools: ['Glob'] } })
    const { url } = await fakeApi({
      rules: [
        { when: lead, turns: [{ content: [start_('go', { name: 'Bob' })] }, { text: 'end', repeat: 3 }] },
        { when: { system: 'helper' }, respond: { text: 'x', delay_ms: 20_000 } },
      ],
    })
    const env = { ...process.env, CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: '300' }
    const { result } = await runToEnd(start, { cwd: await folder(), url, agents, env, clock: liveClock })
    expect(result).toMatchObject({ terminal_reason: 'background_lost', is_error: true, subagent_stats: { killed: 1 } })
    expect(result.errors[0]).toMatch(/1 in the background were still at work after 0.3 seconds, and their work is lost: a/)
    expect(exitCodeOf(result)).toBe(7)
  })

  test('tells its progress, is waited for by TaskOutput, and gives its report there too', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: { tools: ['Glob'] } })
    const id = nextId({ session: 'session-1' }, { id: 'main', started: 0 }, 'toolu_start')
    const { url } = await fakeApi({
      rules: [
        {
          when: lead,
          turns: [
            { content: [{ ...start_('go'), id: 'toolu_start' }] },
            { content: [call('TaskOutput', { task_id: 'nobody' }), call('TaskOutput', { task_id: id, timeout: 20_000 })] },
            { content: [call('TaskStop', { task_id: id })] },
            { text: 'end', repeat: 3 },
          ],
        },
        {
          when: { system: 'helper' },
          turns: [{ content: [call('Glob', { pattern: '*' }), call('Glob', { pattern: 'a*' })] }, { text: 'THE REPORT', delay_ms: 200 }],
        },
      ],
    })
    const { events } = await runToEnd(start, { cwd: await folder(), url, agents })
    expect(toolResults(events).map(({ text }) => text)).toEqual([
      expect.stringContaining(`in the background as ${id}`),
      expect.stringMatching(/^There is no background task nobody\. There are a[0-9a-f]{12} \((?:running|completed)\)\.$/),
      `[${id}: completed]\n  THE REPORT`,
      `${id} has ended already (completed).`,
    ])
    const told = events.filter((event) => event.type === 'system' && event.subtype === 'task_progress')
    expect(told).toMatchObject([
      {
        task_id: id,
        tool_use_id: 'toolu_start',
        subagent_type: 'helper',
        description: 'd',
        last_tool_name: 'Glob',
        usage: { tool_uses: 2, subagent_tokens: expect.any(Number) as number },
      },
    ])
  })

  test('that waits for a slot can be ended before it has asked the model anything', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: {} })
    const many = Array.from({ length: 11 }, (_, at) => ({ ...start_(`task ${at}`), id: `toolu_${at}` }))
    const last = nextId({ session: 'session-1' }, { id: 'main', started: 10 }, 'toolu_10')
    const { url, requests } = await fakeApi({
      rules: [
        { when: lead, turns: [{ content: many }, { content: [call('TaskStop', { task_id: last })] }, { text: 'waiting', repeat: 30 }] },
        { when: { system: 'helper' }, respond: { text: 'r', delay_ms: 400 } },
      ],
    })
    const { result } = await runToEnd(start, { cwd: await folder(), url, agents })
    expect(result).toMatchObject({ terminal_reason: 'completed', subagent_stats: { spawned: 11, completed: 10, killed: 1 } })
    const asked = (await requests()).filter((request) => request.system![0]!.text.includes('helper'))
    expect(asked.map((request) => texts(request).find((text) => text.startsWith('task '))).sort()).toEqual(
      Array.from({ length: 10 }, (_, at) => `task ${at}`).sort(),
    )
  })

  test('that is at work gets messages with its next turn; one that has ended goes on with its whole history', async () => {
    const { start, agents, keep } = cast({ lead: LEAD, helper: { tools: ['Glob'] } })
    const send = (message: string) => call('SendMessage', { to: 'Bob', message })
    const { url, requests } = await fakeApi({
      rules: [
        {
          when: lead,
          turns: [
            { content: [start_('go', { name: 'Bob' })] },
            { content: [send('first')] },
            { text: 'waiting' },
            { content: [send('second')] },
            { text: 'waiting' },
            { text: 'end' },
          ],
        },
        {
          when: { system: 'helper' },
          turns: [{ content: [call('Glob', { pattern: '*' })], delay_ms: 300 }, { text: 'heard' }, { text: 'heard again' }],
        },
      ],
    })
    const cwd = await folder()
    const { events, result } = await runToEnd(start, { cwd, url, agents, keep, host: process })
    const run = join(cwd, result.run_folder!)
    const manifest = readManifest(readFileSync(join(run, 'manifest.json'), 'utf8'))
    for (const file of ['transcript.jsonl', ...readdirSync(join(run, 'agents')).map((name) => `agents/${name}`)]) {
      expect(verifyRun(readFileSync(join(run, file), 'utf8'), manifest)).toMatchObject({ ended: true, difference: undefined })
    }
    expect(toolResults(events).map(({ text }) => text)).toMatchObject([
      expect.stringContaining('was started'),
      expect.stringContaining('is at work and reads the message'),
      expect.stringContaining('was started in the background'),
    ])
    const helper = (await requests()).filter((request) => request.system![0]!.text.includes('helper'))
    expect(texts(helper[1]!).join('\n')).toContain('first')
    expect(helper[2]!.messages).toHaveLength(5)
    expect(texts(helper[2]!).at(-1)).toContain('second')
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'end' })
  })

  test('that a message reaches when it has looked for the last time says so when it ends', async () => {
    const hooks = {
      SubagentStop: [{ handlers: [{ type: 'command' as const, command: 'touch stopping; until [ -e sent ]; do sleep 0.02; done' }] }],
    }
    const { start, agents } = cast({ lead: { tools: [...LEAD.tools, 'Bash'] }, helper: {} }, 'go', { hooks })
    const send = call('SendMessage', { to: 'Bob', message: 'MORE' })
    const stops = call('Bash', { command: 'until [ -e stopping ]; do sleep 0.02; done' })
    const sent = call('Bash', { command: 'touch sent' })
    const { url, requests } = await fakeApi({
      rules: [
        {
          when: lead,
          turns: [{ content: [start_('go', { name: 'Bob' }), stops] }, { content: [send, send, sent] }, { text: 'end', repeat: 3 }],
        },
        { when: { system: 'helper' }, respond: { text: 'the report' } },
      ],
    })
    const { events } = await runToEnd(start, { cwd: await folder(), url, agents, host: process })
    expect(toolResults(events)[2]!.text).toContain('is at work and reads the message')
    const all = await requests()
    expect(JSON.stringify(all.filter(({ system }) => system![0]!.text.includes('helper')))).not.toContain('MORE')
    expect(texts(all.at(-1)!).at(-1)).toContain('<note>2 messages that you had sent to it were not read before it ended')
  })

  test('that is ended gives what it had said so far, as killed', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: { tools: ['Glob'] } })
    const id = nextId({ session: 'session-1' }, { id: 'main', started: 0 }, 'toolu_start')
    const { url, requests } = await fakeApi({
      rules: [
        {
          when: lead,
          turns: [
            { content: [{ ...start_('go'), id: 'toolu_start' }] },
            { content: [call('TaskOutput', { task_id: id, timeout: 400 })] },
            { content: [call('TaskStop', { task_id: id })] },
            { text: 'end', repeat: 3 },
          ],
        },
        {
          when: { system: 'helper' },
          turns: [{ content: [{ type: 'text', text: 'PART' }, call('Glob', { pattern: '*' })] }, { text: 'x', delay_ms: 20_000 }],
        },
      ],
    })
    const { events, result } = await runToEnd(start, { cwd: await folder(), url, agents })
    expect(
      toolResults(events)
        .map(({ text }) => text)
        .slice(1),
    ).toEqual([`[${id}: running]`, `${id} was ended: helper: d`])
    const told = texts((await requests()).findLast((request) => request.system![0]!.text.includes('lead'))!).join('\n')
    expect(told).toContain('<status>killed</status>')
    expect(told).toContain('<result>\n  PART\n</result>')
    expect(result).toMatchObject({ terminal_reason: 'completed', subagent_stats: { killed: 1 } })
  })

  test('answers from a recording with its report at the same turn, in the same order as the others', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: {} })
    const { url } = await fakeApi({
      rules: [
        {
          when: lead,
          turns: [
            { content: [start_('slow'), start_('quick')] },
            { content: [call('Glob', { pattern: '*' })], delay_ms: 150 },
            { text: 'waiting', repeat: 2 },
            { text: 'end' },
          ],
        },
        { when: { last_user: 'slow' }, respond: { text: 'SLOW', delay_ms: 500 } },
        { when: { last_user: 'quick' }, respond: { text: 'QUICK' } },
      ],
    })
    const cwd = await folder()
    const lines: string[] = []
    const live = await runToEnd(start, { cwd, url, agents, record: (line) => void lines.push(line), clock: liveClock })
    const again = await runToEnd(start, { cwd, agents, replay: lines.join('') })
    expect(again.result).toEqual(live.result)
    expect(again.rest).toBe(0)
    expect(lines.filter((line) => line.includes('"kind":"arrivals"'))).toHaveLength(2)
  })
})
