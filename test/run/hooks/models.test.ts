import { describe, expect, test } from 'vitest'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import { readManifest } from '../../../schemas/manifest.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../delegation/stage.ts'
import { manifestText, pathRule, startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, noticesOf, runToEnd, toolResults } from '../stage.ts'
import { on, prints } from './stage.ts'

/** Runs with an id of this file: a run ends the processes that carry its id, and other tests run at the same time. */
const ran: typeof runToEnd = (start, options) =>
  runToEnd(start, { host: process, ids: { session: () => `run-of-models-${process.pid}` }, ...options })
const judged = { system: 'You check one event' }
const worker = { system: 'You are worker' }
const files = { 'a.txt': 'A', 'notes.txt': 'nobody reads a.txt' }

describe('hooks that ask a model, in a run', () => {
  test('an agent looks at the project by itself and refuses the call; its calls set off no hooks, and what it costs is in the result', async () => {
    const { url, requests } = await fakeApi({
      rules: [
        { when: worker, turns: [{ content: [call('Read', { file_path: 'a.txt' })] }, { text: 'done' }] },
        {
          when: judged,
          turns: [{ content: [call('Read', { file_path: 'notes.txt' })] }, { text: '{"ok": false, "reason": "the notes say so"}' }],
        },
      ],
    })
    const hooks = on('PreToolUse', { type: 'agent', prompt: 'Do the notes allow $ARGUMENTS?', model: 'claude-sonnet-5-5' })
    const { events, result } = await ran(startOf({}, 'go', { hooks }), { cwd: await folder(files), url })
    expect(toolResults(events)[0]!.text).toMatch(/^Not run: the PreToolUse hook \[agent: Do the notes.*the notes say so/)
    const all = await requests()
    expect(all.map(({ system }) => system![0]!.text.slice(0, 14))).toEqual([
      'You are worker',
      'You check one ',
      'You check one ',
      'You are worker',
    ])
    expect(JSON.stringify(all[2]!.messages)).toContain('nobody reads a.txt')
    expect(all[1]!.tools!.map(({ name }) => name)).toEqual(['Glob', 'Grep', 'Read'])
    expect(Object.keys(result.modelUsage).sort()).toEqual(['claude-haiku-5-5', 'claude-sonnet-5-5'])
    expect(result.total_cost_usd).toBeGreaterThan(result.modelUsage['claude-haiku-5-5']!.costUSD!)
  })

  test('the rules hold for it too, and one that comes to no end blocks nothing unless it says so', async () => {
    const script = {
      rules: [
        { when: worker, turns: [{ content: [call('Read', { file_path: 'a.txt' })] }, { text: 'done' }] },
        {
          when: judged,
          turns: [{ content: [call('Read', { file_path: 'notes.txt' })] }, { text: '{{last_tool_result}}' }],
        },
      ],
    }
    const permissions = { allow: [], ask: [], deny: [pathRule('Read', 'notes.txt')] }
    for (const onFailure of [undefined, 'block'] as const) {
      const { url } = await fakeApi(script)
      const hooks = on('PreToolUse', { type: 'agent', prompt: 'Look', ...(onFailure && { onFailure }) })
      const { events } = await ran(startOf({}, 'go', { hooks, permissions }), { cwd: await folder(files), url })
      expect(toolResults(events)[0]!.isError).toBe(onFailure === 'block')
      expect(noticesOf(events)[0]).toContain('the model did not answer with a verdict')
    }
  })

  test('what they spend counts for the budget of the run', async () => {
    const { url, requests } = await fakeApi({
      rules: [
        { when: worker, turns: [{ content: [call('Read', { file_path: 'a.txt' })], repeat: 9 }] },
        { when: judged, respond: { text: '{"ok": true}', usage: { input_tokens: 4000, output_tokens: 10 } } },
      ],
    })
    const limits = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { tokens: 3000 } }
    const hooks = on('PreToolUse', { type: 'prompt', prompt: 'Fine?' })
    const { result } = await ran(startOf({}, 'go', { hooks, limits }), { cwd: await folder(files), url })
    expect(result.terminal_reason).toBe('token_limit')
    expect(await requests()).toHaveLength(2)
  })

  test('a recorded run is answered from its recording with them, those of agents included', async () => {
    const open = readManifest(
      manifestText({ lead: { tools: ['Agent', 'Read'] }, helper: {} }, { hooks: on('PreToolUse', { type: 'prompt', prompt: 'Fine?' }) }),
    )
    const agent = (prompt: string) => call('Agent', { description: 'd', subagent_type: 'helper', prompt })
    const { url } = await fakeApi({
      rules: [
        { when: { system: 'You are lead' }, turns: [{ content: [agent('one'), agent('two')] }, { text: 'end' }] },
        { when: { system: 'You are helper' }, turns: [{ content: [call('Read', { file_path: 'a.txt' })] }, { text: 'read' }] },
        { when: { system: 'You check', any: 'Agent' }, respond: { text: '{"ok": true}' } },
        { when: judged, respond: { text: '{"ok": false, "reason": "no"}', delay_ms: 50 } },
      ],
    })
    const start = { header: open.header, name: 'lead', agent: open.agents.get('lead')!, prompt: 'go' }
    const lines: string[] = []
    const cwd = await folder(files)
    const live = await ran(start, { cwd, url, agents: open.agents, record: (line) => void lines.push(line) })
    const again = await ran(start, { cwd, agents: open.agents, replay: lines.join('') })
    expect(again.rest).toBe(0)
    expect(again.result).toEqual(live.result)
    expect(lines.filter((line) => line.includes('"agent":"hooks of a'))).toHaveLength(2)
  })
})

describe('compaction', () => {
  const LIMITS = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { compact: { messages: 6 } } }
  /** The turns of a script are counted by the replies in the request, and these are fewer now. */
  const SUMMARISED = { when: { any: '<summary>' }, respond: { text: 'end' } }
  const reads = ['a', 'b', 'c', 'd'].map((name) => ({ content: [call('Glob', { pattern: `${name}*` })] }))
  const script = {
    turns: [...reads, { text: 'end' }],
    rules: [{ when: { last_user: 'Write a summary' }, respond: { text: 'SUMMARY' } }, SUMMARISED],
  }

  test('is told before and after, and a session that begins anew can be given its context again', async () => {
    const cwd = await folder(files)
    const { url, requests } = await fakeApi(script)
    const hooks = {
      ...on('SessionStart', `grep -q '"source":"compact"' && echo remember the plan`),
      ...on('PostCompact', 'cat > after.json'),
    }
    const text = manifestText({ worker: {} }, { hooks, limits: LIMITS })
    const open = readManifest(text)
    const start = { header: open.header, name: 'worker', agent: open.agents.get('worker')!, prompt: 'go' }
    const { result } = await ran(start, { cwd, url, keep: { text, hash: open.header.hash } })
    expect(result.result).toBe('end')
    expect(JSON.parse(readFileSync(join(cwd, 'after.json'), 'utf8'))).toMatchObject({ trigger: 'auto', compact_summary: 'SUMMARY' })
    expect(JSON.stringify((await requests()).at(-1)!.messages)).toContain('remember the plan')
    const transcript = readFileSync(join(cwd, result.run_folder!, 'transcript.jsonl'), 'utf8')
    expect(verifyRun(transcript, open)).toMatchObject({ ended: true, difference: undefined })
  })

  test('does not happen where a hook refuses it', async () => {
    const { url, requests } = await fakeApi(script)
    const hooks = on('PreCompact', 'echo not now >&2; exit 2')
    const { events, result } = await ran(startOf({}, 'go', { hooks, limits: LIMITS }), { cwd: await folder(files), url })
    expect(result.result).toBe('end')
    expect(noticesOf(events)).toContain('the conversation could not be compacted: a PreCompact hook refuses it: not now')
    expect(JSON.stringify(await requests())).not.toContain('Write a summary')
  })
})

describe('what a hook puts in place', () => {
  const read = { turns: [{ content: [call('Read', { file_path: 'a.txt' })] }, { text: 'done' }] }
  const answer = (decision: object) =>
    on('PermissionRequest', prints({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }))

  test('who answers for the person may give another input, which the deny rules still judge', async () => {
    const rules = { allow: [], ask: [pathRule('Read', 'a.txt')], deny: [pathRule('Read', 'secret.txt')] }
    const cases = [
      ['notes.txt', /^1\tnobody reads/],
      ['secret.txt', /^Permission denied: denied by the rule Read\(secret\.txt\)/],
    ] as const
    for (const [file_path, expected] of cases) {
      const hooks = answer({ behavior: 'allow', updatedInput: { file_path } })
      const { events } = await ran(startOf({}, 'go', { hooks, permissions: rules }), {
        cwd: await folder({ ...files, 'secret.txt': 'S' }),
        url: (await fakeApi(read)).url,
      })
      expect(toolResults(events)[0]!.text).toMatch(expected)
    }
    const hooks = answer({ behavior: 'allow', updatedInput: { wrong: 1 } })
    const { events } = await ran(startOf({}, 'go', { hooks, permissions: rules }), {
      cwd: await folder(files),
      url: (await fakeApi(read)).url,
    })
    expect(toolResults(events)[0]!.text).toMatch(/^Not run: the input that a hook gave does not fit the schema of Read/)
  })

  test('what it wants beside its answer and does not get is said', async () => {
    const hooks = answer({ behavior: 'deny', message: 'no', interrupt: true, updatedPermissions: [] })
    const permissions = { allow: [], ask: [pathRule('Read', 'a.txt')], deny: [] }
    const { events } = await ran(startOf({}, 'go', { hooks, permissions }), { cwd: await folder(files), url: (await fakeApi(read)).url })
    expect(noticesOf(events)[0]).toMatch(/says updatedPermissions and interrupt, which changes nothing here$/)
  })

  test('another output is what the model gets', async () => {
    const hooks = on('PostToolUse', prints({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'instead' } }))
    const { events } = await ran(startOf({}, 'go', { hooks }), { cwd: await folder(files), url: (await fakeApi(read)).url })
    expect(toolResults(events)).toEqual([{ text: 'instead', isError: false }])
  })
})

test.each([
  ['401', 'authentication_failed'],
  ['413', 'invalid_request'],
])('a run that the API ends with %s tells StopFailure and not Stop', async (type, error) => {
  const cwd = await folder()
  const { url } = await fakeApi({ turns: [{ text: 'x', fault: { type } }] })
  const one = { matcher: { names: [error] }, handlers: [{ type: 'command' as const, command: 'cat > failed.json' }] }
  const hooks = { StopFailure: [one], ...on('Stop', 'touch stopped') }
  await ran(startOf({}, 'go', { hooks }), { cwd, url })
  expect(JSON.parse(readFileSync(join(cwd, 'failed.json'), 'utf8'))).toMatchObject({
    error,
    error_details: expect.stringContaining(type) as string,
  })
  expect(() => readFileSync(join(cwd, 'stopped'))).toThrow('ENOENT')
})
