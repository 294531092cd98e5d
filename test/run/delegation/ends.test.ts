import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { resumed } from '../../../runner/commands/resumed.ts'
import { liveClock } from '../../../runner/clock.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'
import { call, cast } from './stage.ts'

const LEAD = { tools: ['Agent'] }
const one = (more: object = {}) => call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper', ...more })
const lead = { system: 'You are lead' }
const helper = { system: 'You are helper' }

describe('a run with agents', () => {
  test('has one budget: what a child spends its parent has spent, and the child’s work so far is kept', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: { tools: ['Glob'] } }, 'go', {
      limits: { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { tokens: 5000 } },
    })
    const big = { usage: { input_tokens: 3000, output_tokens: 10 } }
    const { url, requests } = await fakeApi({
      rules: [
        { when: lead, turns: [{ content: [one()], usage: { input_tokens: 100, output_tokens: 10 } }, { text: 'end' }] },
        { when: helper, turns: [{ content: [{ type: 'text', text: 'PART' }, call('Glob', { pattern: '*' })], ...big, repeat: 9 }] },
      ],
    })
    const { events, result } = await runToEnd(start, { cwd: await folder(), url, agents })
    expect(toolResults(events)[0]).toMatchObject({ isError: true, text: expect.stringContaining('limit of 48') })
    expect(toolResults(events)[0]!.text).toContain('  PART')
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'end' })
    expect(await requests()).toHaveLength(4)
    expect(Object.values(result.modelUsage)[0]!.inputTokens).toBeGreaterThanOrEqual(3100)
    expect(result.usage.input_tokens).toBeLessThan(3000)
  })

  test('is not idle while a child works', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: { tools: ['Glob'] } }, 'go', {
      limits: { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { idleSeconds: 1 } },
    })
    const { url } = await fakeApi({
      rules: [
        { when: lead, turns: [{ content: [one()] }, { text: 'end' }] },
        {
          when: helper,
          turns: [1, 2, 3]
            .map((at) => ({ content: [call('Glob', { pattern: `*${at}` })], delay_ms: 600 }))
            .concat([{ text: 'x', delay_ms: 1 } as never]),
        },
      ],
    })
    const { result } = await runToEnd(start, { cwd: await folder(), url, agents, clock: liveClock })
    expect(result.terminal_reason).toBe('completed')
  })

  test('goes on when a child was silent for too long: the child ends by its own limit, and the run is told', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: { tools: ['Glob'] } }, 'go', {
      limits: { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { idleSeconds: 0.4 } },
    })
    const { url } = await fakeApi({
      rules: [
        { when: lead, turns: [{ content: [one()] }, { text: 'end' }] },
        {
          when: helper,
          turns: [{ content: [{ type: 'text', text: 'PART' }, call('Glob', { pattern: '*' })] }, { text: 'x', fault: { type: 'hang' } }],
        },
      ],
    })
    const { result, events } = await runToEnd(start, { cwd: await folder(), url, agents, clock: liveClock })
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'end' })
    expect(toolResults(events)[0]).toMatchObject({
      isError: true,
      text: expect.stringMatching(/it timed out; nothing had happened[^]*PART/),
    })
  })

  test('that is interrupted ends its children with it', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: { tools: ['Bash'] } }, 'go', {
      permissions: { allow: [{ tool: 'Bash' }], ask: [], deny: [] },
    })
    const { url } = await fakeApi({
      rules: [
        { when: lead, turns: [{ content: [one(), one({ run_in_background: true })] }, { text: 'end' }] },
        { when: helper, turns: [{ content: [call('Bash', { command: 'sleep 60' })] }, { text: 'x' }] },
      ],
    })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 700)
    const { result } = await runToEnd(start, { cwd: await folder(), url, agents, signal: stop.signal, host: process })
    expect(result).toMatchObject({ terminal_reason: 'interrupted', subagent_stats: { spawned: 2, killed: 2, completed: 0 } })
  })

  test('does not start a child again that was at work when the run was cut off', async () => {
    const { start, agents, keep } = cast({ lead: LEAD, helper: {} })
    const { url, requests } = await fakeApi({
      rules: [
        { when: lead, turns: [{ content: [one()] }, { text: 'end' }] },
        { when: helper, turns: [{ text: 'x' }] },
      ],
    })
    const cwd = await folder()
    const { result } = await runToEnd(start, { cwd, url, agents, keep, host: process })
    const run = join(cwd, result.run_folder!)
    const text = readFileSync(join(run, 'transcript.jsonl'), 'utf8')
    const cut = text.slice(0, text.indexOf('\n', text.indexOf('"kind":"tool_start"')) + 1)
    writeFileSync(join(run, 'transcript.jsonl'), cut)
    const before = (await requests()).length
    const manifest = readManifest(readFileSync(join(run, 'manifest.json'), 'utf8'))
    const resume = resumed({ id: result.run_id!, folder: run, transcript: cut, manifest }, {})
    const again = await runToEnd(resume.history.start, { cwd, url, resume, agents, host: process })
    expect(again.result).toMatchObject({ terminal_reason: 'completed', result: 'end' })
    const sent = (await requests()).slice(before)
    expect(sent).toHaveLength(1)
    expect(JSON.stringify(sent[0]!.messages.at(-1))).toContain('effects unknown')
  })

  test('shows no mode that the settings have switched off', async () => {
    const { start, agents } = cast({ lead: { ...LEAD, permissionMode: 'bypassPermissions' }, helper: {} }, 'go', {
      settings: { bypassDisabled: true, additionalDirectories: [], env: {} },
    })
    const { url } = await fakeApi({ rules: [{ when: lead, turns: [{ content: [one()] }, { text: 'end' }] }] })
    const { events } = await runToEnd(start, { cwd: await folder(), url, agents })
    expect(events).toContainEqual(expect.objectContaining({ subtype: 'task_started', permission_mode: 'default' }))
    expect(toolResults(events)[0]!.text).not.toContain('[agentc:')
  })
})
