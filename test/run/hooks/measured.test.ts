import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { RUN_EVENTS } from '../../../schemas/values.ts'
import { committed } from '../../support/git.ts'
import { ROOT } from '../../support/tree.ts'
import { call } from '../delegation/stage.ts'
import { manifestText, pathRule } from '../manifest-fixture.ts'
import { fakeApi, folder, runToEnd } from '../stage.ts'
import { on, recording, type Seen, seenIn } from './stage.ts'

/** What the recording hook read from Claude Code 2.1.332 (measured.md, Hooks): the further fields of each event, in their order. */
const MEASURED: Readonly<Record<string, string>> = {
  SessionStart: 'source',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'tool_name tool_input tool_use_id effort',
  PermissionRequest: 'tool_name tool_input permission_suggestions',
  PostToolUse: 'tool_name tool_input tool_response tool_use_id duration_ms',
  PostToolUseFailure: 'tool_name tool_input tool_use_id error is_interrupt duration_ms',
  PostToolBatch: 'tool_calls',
  SubagentStop: 'stop_hook_active agent_transcript_path last_assistant_message background_tasks session_crons',
  Stop: 'stop_hook_active last_assistant_message background_tasks session_crons',
  SessionEnd: 'reason',
}
/** From the documentation (claude-code-agents.md 7.5): events that were not measured. */
const DOCUMENTED: Readonly<Record<string, string>> = {
  SubagentStart: '',
  StopFailure: 'error error_details last_assistant_message',
  PreCompact: 'trigger custom_instructions',
  PostCompact: 'trigger compact_summary',
  WorktreeCreate: 'name',
  WorktreeRemove: 'worktree_path',
}
const ALWAYS = ['session_id', 'transcript_path', 'cwd', 'hook_event_name']
const PROMPTED = ['prompt_id', 'permission_mode']
const OF_AGENTS = ['agent_id', 'agent_type']

async function seenBy(script: object, repository = false, more: object = {}): Promise<{ seen: Seen[]; cwd: string }> {
  const cwd = await folder({ 'a.txt': 'A', 'b.txt': 'B' })
  if (repository) committed(cwd)
  const header = { hooks: recording(), permissions: { allow: [{ tool: 'Bash' }], ask: [pathRule('Read', 'b.txt')], deny: [] }, ...more }
  const text = manifestText({ lead: { tools: ['Agent', 'Bash', 'Read'] }, helper: { hooks: on('Stop', 'cat >> own.jsonl') } }, header)
  const open = readManifest(text)
  const { url } = await fakeApi(script)
  const start = { header: open.header, name: 'lead', agent: open.agents.get('lead')!, prompt: 'go' }
  const ids = { session: () => 'run-of-measured-hooks' }
  await runToEnd(start, { cwd, url, agents: open.agents, host: process, ids, keep: { text, hash: open.header.hash } })
  return { seen: seenIn(cwd), cwd }
}

const lead = { system: 'You are lead' }
const helper = { system: 'You are helper' }
const WHOLE = {
  rules: [
    {
      when: lead,
      turns: [
        { content: [call('Bash', { command: 'echo said' })] },
        { content: [call('Read', { file_path: 'none.txt' }), call('Read', { file_path: 'b.txt' })] },
        { content: [call('Agent', { description: 'd', subagent_type: 'helper', prompt: 'look' })] },
        { text: 'done' },
      ],
    },
    { when: helper, turns: [{ content: [call('Read', { file_path: 'a.txt' })] }, { text: 'looked' }] },
  ],
}

test('the recording hook sees the measured events in the measured order, inside agents too', async () => {
  const { seen, cwd } = await seenBy(WHOLE)
  expect(seen.map(({ hook_event_name: event, agent_id: id }) => `${id ? '  ' : ''}${event}`)).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolBatch',
    'PreToolUse',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUseFailure',
    'PostToolBatch',
    'PreToolUse',
    '  SubagentStart',
    '  PreToolUse',
    '  PostToolUse',
    '  PostToolBatch',
    '  SubagentStop',
    'PostToolUse',
    'PostToolBatch',
    'Stop',
    'SessionEnd',
  ])
  const [stop] = readFileSync(join(cwd, 'own.jsonl'), 'utf8').trim().split('\n')
  expect(JSON.parse(stop!)).toEqual(seen.find(({ hook_event_name: event }) => event === 'SubagentStop'))
})

test('every event has exactly the measured fields', async () => {
  const { seen } = await seenBy(WHOLE)
  const compacting = { limits: { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { compact: { messages: 6 } } } }
  const reads = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ content: [call('Bash', { command: `echo ${name}` })] }))
  const summarised = { when: { any: '<summary>' }, respond: { text: 'end' } }
  const summary = { when: { last_user: 'Write a summary' }, respond: { text: 'a summary' } }
  const compacted = await seenBy({ turns: [...reads, { text: 'end' }], rules: [summary, summarised] }, false, compacting)
  const isolated = call('Agent', { description: 'd', subagent_type: 'helper', prompt: 'look', isolation: 'worktree' })
  const apart = await seenBy(
    { rules: [{ when: helper, respond: { text: 'looked' } }], turns: [{ content: [isolated] }, { text: 'end' }] },
    true,
  )
  const failed = await seenBy({ turns: [{ text: 'x', fault: { type: '401' } }] })
  const all = [...seen, ...compacted.seen, ...apart.seen, ...failed.seen]
  expect([...new Set(all.map(({ hook_event_name: event }) => event))].sort()).toEqual([...RUN_EVENTS].sort())
  for (const each of all) {
    const { hook_event_name: event, agent_id: id } = each
    const own = (MEASURED[event] ?? DOCUMENTED[event]!).split(' ').filter((name) => name !== '')
    const around = [...ALWAYS, ...(event === 'SessionStart' ? [] : PROMPTED), ...(id === undefined ? ['agent_type'] : OF_AGENTS)]
    expect(Object.keys(each).sort(), event).toEqual([...around, ...own].sort())
    // The own fields stand behind all others, in the order of the table.
    expect(Object.keys(each).slice(Object.keys(each).length - own.length), event).toEqual(own)
  }
})

test('and the measured values', async () => {
  const { seen, cwd } = await seenBy(WHOLE)
  const of = (event: string, sub = false): Seen =>
    seen.find(({ hook_event_name: name, agent_id: id }) => name === event && (id !== undefined) === sub)!
  expect(of('PreToolUse')).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'echo said' }, effort: { level: 'medium' } })
  expect(of('PostToolUse').tool_response).toEqual({
    stdout: 'said',
    stderr: '',
    interrupted: false,
    isImage: false,
    noOutputExpected: false,
  })
  expect(of('PostToolUseFailure')).toMatchObject({ tool_input: { file_path: join(cwd, 'none.txt') }, is_interrupt: false })
  expect(of('PermissionRequest')).toMatchObject({
    tool_name: 'Read',
    tool_input: { file_path: expect.stringContaining('b.txt') as string },
  })
  const transcript = of('SessionStart').transcript_path as string
  expect(transcript).toBe(join(cwd, '.agentc/runs/run-of-measured-hooks/transcript.jsonl'))
  const stopped = of('SubagentStop', true)
  expect(stopped).toMatchObject({ agent_type: 'helper', stop_hook_active: false, last_assistant_message: 'looked', cwd })
  expect(stopped.transcript_path).toBe(transcript)
  for (const path of [transcript, stopped.agent_transcript_path as string]) expect(existsSync(path), path).toBe(true)
  expect(new Set(seen.slice(1).map(({ prompt_id: id }) => id)).size).toBe(1)
})

const REFERENCE = ['..', '../..'].map((up) => join(ROOT, up, 'shared/reference/measured.md')).find((file) => existsSync(file))
test.skipIf(!REFERENCE)('the table here is the one that was measured', () => {
  const text = readFileSync(REFERENCE!, 'utf8')
  const section = /## Hooks[\s\S]*?(?=\n## )/.exec(text)![0]
  const rows = [...section.matchAll(/^\| (\w+) \| (.+) \|$/gm)].filter(([, event]) => event !== 'event')
  const named = rows.map(([, event, cell]) => {
    const listed = cell!.split(';')[0]!.match(/`([^`]*)`/)![1]!
    return [event, listed.replace(/[[{][^ ]*[\]}]/g, '').replace(/\[.*$|\{.*$/, '')] as const
  })
  const fields = Object.fromEntries(named.map(([event, words]) => [event, words.trim()]))
  const measured = Object.fromEntries(Object.entries(MEASURED).map(([event, words]) => [event, words]))
  expect(fields).toEqual(measured)
})
