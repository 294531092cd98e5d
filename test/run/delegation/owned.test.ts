import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nextId } from '../../../runner/delegation/child.ts'
import type { AgentParts } from '../manifest-fixture.ts'
import { stub } from '../mcp/stage.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'
import { call, cast } from './stage.ts'

const ALLOW = { permissions: { allow: [{ tool: 'Bash' }, { tool: 'Write' }, { tool: 'Edit' }], ask: [], deny: [] } }
const lead = { system: 'You are lead' }
const helper = { system: 'You are helper' }
const start = ({ id, ...more }: { id?: string; run_in_background?: true } = {}) =>
  call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper', ...more }, id)
/** One that has ended may still have a number, where nobody asks how. */
const alive = (file: string) =>
  call('Bash', { command: `grep -q '^State:.[^Z]' /proc/$(cat ${file})/status 2>/dev/null && echo alive || echo gone` })

/** What a helper opens with its first reply: a shell in the background, the file that it reads, and the server that it brings along. */
const OPENS = [
  call('Bash', { command: 'echo $$ > shell.pid; exec sleep 300', run_in_background: true }),
  call('Bash', {
    command:
      'until [ -s shell.pid ]; do sleep 0.02; done; setsid sh -c "echo \\$\\$ > apart.pid; exec sleep 300" & until [ -s apart.pid ]; do sleep 0.02; done',
  }),
  call('Read', { file_path: 'a.txt' }),
  call('TodoWrite', { todos: [{ content: 'x', status: 'pending', activeForm: 'doing x' }] }),
]

type Row = [what: string, helper: AgentParts, next: object, begin: object, between: object[]]

const STARTED = 'toolu_started'
const STOPPED = nextId({ session: `run-of-owned-${process.pid}` }, { id: 'main', started: 0 }, STARTED)

/** The ends that an agent may come to while the one above it goes on. */
const ENDS: Row[] = [
  ['is done', {}, { text: 'done' }, start(), []],
  ['has used its turns', { maxTurns: 2 }, { content: [call('Read', { file_path: 'a.txt' })] }, start(), []],
  ['cannot reach the API', {}, { text: 'x', fault: { type: 401 } }, start(), []],
  ['is refused an answer', {}, { text: 'x', fault: { type: 'refusal' } }, start(), []],
  [
    'is ended by a hook of its own',
    { hooks: { PostToolBatch: [{ handlers: [{ type: 'command', command: `printf '{"continue": false, "stopReason": "enough"}'` }] }] } },
    { text: 'not asked' },
    start(),
    [],
  ],
  ['is in the background and done', {}, { text: 'done' }, start({ run_in_background: true }), [{ text: 'waiting' }]],
  [
    'is in the background and stopped',
    {},
    { text: 'never', delay_ms: 30_000 },
    start({ run_in_background: true, id: STARTED }),
    [
      { content: [call('Bash', { command: 'until [ -s apart.pid ] && [ -s server.pid ]; do sleep 0.02; done' })] },
      { content: [call('TaskStop', { task_id: STOPPED })] },
    ],
  ],
]

test.each(ENDS)('what an agent has opened ends with it, though the run goes on, when it %s', async (_, parts, next, begin, between) => {
  const cwd = await folder({ 'a.txt': 'one\n' })
  const servers = [{ name: 'own', config: stub('plain', { env: { STUB_PIDS: join(cwd, 'server.pid') } }) }]
  const tools = ['Bash', 'Read', 'TodoWrite']
  const {
    start: root,
    agents,
    keep,
  } = cast({ lead: { tools: ['Agent', 'Bash', 'Edit', 'TaskStop'] }, helper: { tools, servers, ...parts } }, 'go', ALLOW)
  const looks = [
    alive('shell.pid'),
    alive('apart.pid'),
    alive('server.pid'),
    call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
  ]
  const { url, requests } = await fakeApi({
    rules: [
      { when: lead, turns: [{ content: [begin] }, ...between, { content: looks }, { text: 'end' }] },
      { when: helper, turns: [{ content: OPENS }, next] },
    ],
  })
  // Behind walls a shell does not know the number that the rest of the machine knows it by.
  const outside = { ...root, sandbox: 'off' as const }
  const open: string[] = []
  const { events, result } = await runToEnd(outside, {
    cwd,
    url,
    agents,
    keep,
    host: process,
    ids: { session: () => `run-of-owned-${process.pid}` },
  })
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      open.push(readlinkSync(`/proc/self/fd/${fd}`))
    } catch {
      // It was that of the listing.
    }
  }
  expect(result).toMatchObject({ terminal_reason: 'completed', result: 'end' })
  for (const file of ['shell.pid', 'apart.pid', 'server.pid']) expect(existsSync(join(cwd, file)), file).toBe(true)
  const [shell, apart, server, edit] = toolResults(events).slice(-4)
  expect([shell!.text, apart!.text, server!.text].map((text) => /alive|gone/.exec(text)?.[0])).toEqual(['gone', 'gone', 'gone'])
  // The lead has not read the file itself: what a helper has seen is no knowledge of the one above.
  expect(edit).toMatchObject({ isError: true, text: expect.stringContaining('has not been read') })
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\n')
  expect(open.filter((path) => path.includes(join(cwd, '.agentc')))).toEqual([])
  expect((await requests()).length).toBeGreaterThan(3)
})
