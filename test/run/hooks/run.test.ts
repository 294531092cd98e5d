import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import { manifestText, pathRule, startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, noticesOf, runToEnd, toolResults } from '../stage.ts'
import { on, prints, recorder, recording, type Seen, seenIn } from './stage.ts'

/** Runs with an id of this file: a run ends the processes that carry its id, and other tests run at the same time. */
const ran: typeof runToEnd = (start, options) =>
  runToEnd(start, { host: process, ids: { session: () => `run-of-hooks-${process.pid}` }, ...options })

describe('the recording hook sees what it sees under Claude Code', () => {
  test('the events in their order, with the names of their fields', async () => {
    const cwd = await folder({ 'a.txt': 'A', 'b.txt': 'B' })
    const calls = [
      { name: 'Read', input: { file_path: 'a.txt' } },
      { name: 'Read', input: { file_path: 'none.txt' } },
      { name: 'Read', input: { file_path: 'b.txt' } },
    ]
    const { url } = await fakeApi({ turns: [{ tools: calls }, { text: 'done' }] })
    const { result } = await ran(
      startOf({}, 'go', { hooks: recording(), permissions: { allow: [], ask: [pathRule('Read', 'b.txt')], deny: [] } }),
      { cwd, url },
    )
    expect(result.terminal_reason).toBe('completed')
    const always = ['session_id', 'transcript_path', 'cwd']
    const prompted = [...always, 'prompt_id', 'permission_mode', 'agent_type', 'hook_event_name']
    const call = ['tool_name', 'tool_input', 'tool_use_id']
    expect(seenIn(cwd).map((seen) => [seen.hook_event_name, Object.keys(seen)])).toEqual([
      ['SessionStart', [...always, 'agent_type', 'hook_event_name', 'source']],
      ['UserPromptSubmit', [...prompted, 'prompt']],
      ['PreToolUse', [...prompted, ...call, 'effort']],
      ['PreToolUse', [...prompted, ...call, 'effort']],
      ['PreToolUse', [...prompted, ...call, 'effort']],
      ['PermissionRequest', [...prompted, 'tool_name', 'tool_input', 'permission_suggestions']],
      ['PostToolUse', [...prompted, 'tool_name', 'tool_input', 'tool_response', 'tool_use_id', 'duration_ms']],
      ['PostToolUseFailure', [...prompted, ...call, 'error', 'is_interrupt', 'duration_ms']],
      ['PostToolBatch', [...prompted, 'tool_calls']],
      ['Stop', [...prompted, 'stop_hook_active', 'last_assistant_message', 'background_tasks', 'session_crons']],
      ['SessionEnd', [...prompted, 'reason']],
    ])
  })

  test('and with their values', async () => {
    const cwd = await folder({ 'a.txt': 'A' })
    const { url } = await fakeApi({ turns: [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'done' }] })
    await ran(startOf({ effort: 'high' }, 'go', { hooks: recording() }), { cwd, url })
    const seen = seenIn(cwd)
    expect(new Set(seen.map(({ session_id }) => session_id))).toEqual(new Set([`run-of-hooks-${process.pid}`]))
    expect(new Set(seen.slice(1).map(({ prompt_id }) => prompt_id)).size).toBe(1)
    const of = (event: string): Seen => seen.find(({ hook_event_name }) => hook_event_name === event)!
    expect(of('SessionStart')).toMatchObject({ source: 'startup', cwd, agent_type: 'worker' })
    expect(of('UserPromptSubmit')).toMatchObject({ prompt: 'go', permission_mode: 'default' })
    expect(of('PreToolUse')).toMatchObject({ tool_name: 'Read', tool_input: { file_path: join(cwd, 'a.txt') }, effort: { level: 'high' } })
    expect(of('PostToolUse')).toMatchObject({
      tool_response: '1\tA',
      tool_use_id: of('PreToolUse').tool_use_id,
      duration_ms: expect.any(Number) as number,
    })
    expect(of('PostToolBatch').tool_calls).toMatchObject([{ tool_name: 'Read', tool_response: '1\tA' }])
    expect(of('Stop')).toMatchObject({ stop_hook_active: false, last_assistant_message: 'done', background_tasks: [], session_crons: [] })
    expect(of('SessionEnd')).toMatchObject({ reason: 'other' })
  })
})

describe('what hooks do to a run', () => {
  const read = { turns: [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'done' }] }
  const files = { 'a.txt': 'A', 'b.txt': 'B' }

  test('a hook in the file of the agent refuses a call, after the one of the settings has seen it (case 59, for a main agent)', async () => {
    const cwd = await folder({ ...files, 'deny.sh': 'cat > own.json; echo "blocked by policy" >&2; exit 2' })
    const { url } = await fakeApi(read)
    const own = {
      PreToolUse: [{ matcher: { names: ['Read'] }, handlers: [{ type: 'command' as const, command: 'sh ./deny.sh', timeout: 5 }] }],
    }
    const { events, result } = await ran(startOf({ hooks: own }, 'go', { hooks: on('PreToolUse', recorder()) }), {
      cwd,
      url,
      host: process,
    })
    expect(toolResults(events)).toEqual([
      { text: 'Not run: the PreToolUse hook [sh ./deny.sh] refuses it: blocked by policy.', isError: true },
    ])
    expect(JSON.parse(readFileSync(join(cwd, 'own.json'), 'utf8'))).toMatchObject({ tool_name: 'Read', agent_type: 'worker' })
    expect(seenIn(cwd)).toHaveLength(1)
    expect(result.permission_denials).toHaveLength(1)
  })

  test('the frontmatter hook of a child fires for its calls and not for those of its parent; those of the settings for both (case 59)', async () => {
    const cwd = await folder({ ...files, 'deny.sh': 'cat >> own.jsonl; echo "blocked by policy" >&2; exit 2' })
    const child = { PreToolUse: [{ handlers: [{ type: 'command' as const, command: 'sh ./deny.sh' }] }] }
    const hooks = { ...recording(), ...on('SessionStart', recorder()) }
    const open = readManifest(manifestText({ lead: { tools: ['Agent', 'Read'] }, fenced: { hooks: child } }, { hooks }))
    const turns = [
      { tool: 'Read', input: { file_path: 'b.txt' } },
      { tool: 'Agent', input: { description: 'look', subagent_type: 'fenced', prompt: 'x', run_in_background: false } },
      { text: 'ok' },
    ]
    const rule = { when: { system: 'You are fenced' }, turns: [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'blocked' }] }
    const { url } = await fakeApi({ turns, rules: [rule] })
    const start = { header: open.header, name: 'lead', agent: open.agents.get('lead')!, prompt: 'go' }
    const { result } = await ran(start, { cwd, url, agents: open.agents })
    expect(result.terminal_reason).toBe('completed')
    expect(seenIn(cwd, 'own.jsonl').map(({ tool_input }) => tool_input)).toEqual([{ file_path: join(cwd, 'a.txt') }])
    const seen = seenIn(cwd).map(({ hook_event_name, agent_type, agent_id }) => [hook_event_name, agent_type, typeof agent_id])
    const [lead, fenced] = [
      ['lead', 'undefined'],
      ['fenced', 'string'],
    ]
    expect(seen).toEqual([
      ['SessionStart', ...lead!],
      ['UserPromptSubmit', ...lead!],
      ['PreToolUse', ...lead!],
      ['PostToolUse', ...lead!],
      ['PostToolBatch', ...lead!],
      ['PreToolUse', ...lead!],
      ['SubagentStart', ...fenced!],
      ['PreToolUse', ...fenced!],
      ['PostToolBatch', ...fenced!],
      ['SubagentStop', ...fenced!],
      ['PostToolUse', ...lead!],
      ['PostToolBatch', ...lead!],
      ['Stop', ...lead!],
      ['SessionEnd', ...lead!],
    ])
    expect(new Set(seenIn(cwd).map(({ session_id }) => session_id)).size).toBe(1)
  })

  test('another input is what the tool gets, and is judged by the rules; one that does not fit is refused', async () => {
    const cwd = await folder(files)
    const { url } = await fakeApi({
      turns: [
        { tool: 'Read', input: { file_path: 'a.txt' } },
        { tool: 'Grep', input: { pattern: 'x' } },
        { tool: 'Glob', input: { pattern: '*.txt' } },
        { text: 'done' },
      ],
    })
    const instead = (name: string, updatedInput: object) => ({
      matcher: { names: [name] },
      handlers: [{ type: 'command' as const, command: prints({ hookSpecificOutput: { updatedInput, permissionDecision: 'allow' } }) }],
    })
    const hooks = {
      PreToolUse: [
        instead('Read', { file_path: 'b.txt' }),
        instead('Grep', { wrong: true }),
        instead('Glob', { pattern: '*.txt', path: 'secret' }),
      ],
    }
    const deny = [{ tool: 'Glob', match: { param: 'path', value: 'secret' } }]
    const { events } = await ran(startOf({}, 'go', { hooks, permissions: { allow: [], ask: [], deny } }), { cwd, url })
    const texts = toolResults(events).map(({ text }) => text)
    expect(texts[0]).toBe('1\tB')
    expect(texts[1]).toMatch(/^Not run: the input that a hook gave does not fit the schema of Grep: /)
    expect(texts[2]).toMatch(/^Permission denied: denied by the rule Glob\(path:secret\)/)
  })

  test('what is said before and after a call stands behind its result; the run can be verified', async () => {
    const cwd = await folder(files)
    const { url, requests } = await fakeApi(read)
    const hooks = {
      ...on('SessionStart', 'echo on branch main'),
      ...on('UserPromptSubmit', 'echo be careful'),
      ...on('PreToolUse', prints({ hookSpecificOutput: { additionalContext: 'before' } })),
      ...on(
        'PostToolUse',
        prints({ decision: 'block', reason: 'lint fails' }),
        prints({ hookSpecificOutput: { additionalContext: 'after' } }),
      ),
      ...on('PostToolBatch', prints({ hookSpecificOutput: { additionalContext: 'all done' } })),
    }
    const text = manifestText({ worker: {} }, { hooks })
    const open = readManifest(text)
    const start = { header: open.header, name: 'worker', agent: open.agents.get('worker')!, prompt: 'go' }
    const { result } = await ran(start, { cwd, url, keep: { text, hash: open.header.hash } })
    const [first, second] = await requests()
    expect(first!.messages[0]!.content.at(-1)).toMatchObject({
      text: '<system-reminder>\non branch main\n\nbe careful\n</system-reminder>',
    })
    const [block, said] = second!.messages[2]!.content
    expect(block).toMatchObject({
      content: '1\tA\n\n<system-reminder>\nbefore\n\nThe PostToolUse hook objects: lint fails\n\nafter\n</system-reminder>',
    })
    expect(said).toMatchObject({ text: '<system-reminder>\nall done\n</system-reminder>' })
    const transcript = readFileSync(join(cwd, result.run_folder!, 'transcript.jsonl'), 'utf8')
    expect(verifyRun(transcript, open)).toEqual({ requests: 2, ended: true, difference: undefined })
  })

  test('Stop keeps the agent at work and is told so the next time; after eight times in a row it is not heard', async () => {
    const cwd = await folder()
    const api = await fakeApi({ turns: [{ text: 'one' }, { text: 'two' }] })
    const once = `input=$(cat); case "$input" in *'"stop_hook_active":true'*) exit 0;; esac; echo run the tests >&2; exit 2`
    const { result } = await ran(startOf({}, 'go', { hooks: on('Stop', once) }), { cwd, url: api.url })
    expect([result.terminal_reason, result.result, result.num_turns]).toEqual(['completed', 'two', 2])
    expect((await api.requests())[1]!.messages[2]!.content[0]).toMatchObject({ text: 'A Stop hook wants you to go on: run the tests' })
    const always = await fakeApi({ turns: [{ text: 'never', repeat: true }] })
    const run = await ran(startOf({}, 'go', { hooks: on('Stop', 'echo more >&2; exit 2') }), { cwd, url: always.url })
    expect([run.result.terminal_reason, run.result.num_turns]).toEqual(['completed', 9])
    expect(noticesOf(run.events)).toContain('the Stop hooks kept the agent from stopping 8 times in a row, and are not heard any more')
  })

  test('a refused prompt asks the model nothing; `continue: false` ends the run after the call', async () => {
    const cwd = await folder(files)
    const api = await fakeApi(read)
    const refused = await ran(startOf({}, 'go', { hooks: on('UserPromptSubmit', 'echo not today >&2; exit 2') }), {
      cwd,
      url: api.url,
      host: process,
    })
    expect([refused.result.terminal_reason, refused.result.errors]).toEqual(['cannot_start', ['a hook refuses the prompt: not today']])
    expect(await api.requests()).toEqual([])
    const hooks = on('PostToolUse', prints({ continue: false, stopReason: 'enough' }))
    const stopped = await ran(startOf({}, 'go', { hooks }), { cwd, url: api.url })
    expect([stopped.result.terminal_reason, stopped.result.errors]).toEqual(['hook_stopped', ['a hook ended the run: enough']])
    expect(await api.requests()).toHaveLength(1)
  })

  test('`continue: false` before a call ends the run, denied or not, and none of the calls of the reply is run', async () => {
    const calls = ['b.txt', 'a.txt'].map((file_path) => ({ name: 'Read', input: { file_path } }))
    for (const permissionDecision of ['deny', 'allow']) {
      const api = await fakeApi({ turns: [{ tools: calls }, { text: 'done' }] })
      const json = { continue: false, stopReason: 'enough', hookSpecificOutput: { permissionDecision, permissionDecisionReason: 'no' } }
      const hooks = on('PreToolUse', `grep -q a.txt && ${prints(json)}; exit 0`)
      const { events, result } = await ran(startOf({}, 'go', { hooks }), { cwd: await folder(files), url: api.url })
      expect([result.terminal_reason, result.errors]).toEqual(['hook_stopped', ['a hook ended the run: enough']])
      const texts = toolResults(events).map(({ text }) => text)
      expect(texts[0]).toBe('Not run: a hook ended the run: enough.')
      expect(texts[1]).toMatch(/^Not run: /)
      expect(await api.requests()).toHaveLength(1)
    }
  })

  test('a hook may answer where a person would be asked, and wants one to be asked where the rules would not', async () => {
    const cwd = await folder(files)
    const ask = { permissions: { allow: [], ask: [pathRule('Read', 'a.txt')], deny: [] } }
    const allow = on(
      'PermissionRequest',
      prints({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }),
    )
    const first = await ran(startOf({}, 'go', { ...ask, hooks: allow }), { cwd, url: (await fakeApi(read)).url })
    expect(toolResults(first.events)).toEqual([{ text: '1\tA', isError: false }])
    const wants = on('PreToolUse', prints({ hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'look twice' } }))
    const second = await ran(startOf({}, 'go', { hooks: wants }), { cwd, url: (await fakeApi(read)).url })
    expect(toolResults(second.events)).toEqual([{ text: 'Permission denied: look twice, and nobody can be asked here.', isError: true }])
    expect(second.result.denied).toBe(true)
  })

  test('a silent hook is ended in its time and the run goes on (case 70, for hooks); its failure is an event', async () => {
    const cwd = await folder(files)
    const { url } = await fakeApi(read)
    const hooks = on('PreToolUse', { type: 'command', command: 'sleep 300', timeout: 0.3 })
    const { events, result } = await ran(startOf({}, 'go', { hooks }), { cwd, url })
    expect([result.terminal_reason, result.stray_processes]).toEqual(['completed', 0])
    expect(noticesOf(events)).toContain('the PreToolUse hook sleep 300 failed: it took longer than 0.3 seconds and was ended')
  })
})
