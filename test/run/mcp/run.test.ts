import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../../compiler/compile.ts'
import { manifestText as compiled } from '../../../compiler/emit/manifest-of.ts'
import { readManifest } from '../../../schemas/manifest.ts'
import { liveClock } from '../../../runner/clock.ts'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import type { Start } from '../../../runner/index.ts'
import { caseOptions, layCase } from '../../support/case.ts'
import { withArgument, withEnvironment } from '../../support/processes.ts'
import { manifestText } from '../manifest-fixture.ts'
import { on } from '../hooks/stage.ts'
import { fakeApi, folder, noticesOf, runToEnd, toolResults } from '../stage.ts'
import { programOf, stub } from './stage.ts'

const STUB = new URL('stub.mjs', import.meta.url).pathname
const origin = { source: 'project' as const, path: '.mcp.json', line: 1, column: 1 }

/** Runs with an id of this file: a run ends the processes that carry its id, and other tests run at the same time. */
const ran: typeof runToEnd = (start, options) =>
  runToEnd(start, { host: process, ids: { session: () => `run-of-mcp-${process.pid}` }, ...options })

const allowing = (tool: string) => ({ permissions: { allow: [{ tool }], ask: [], deny: [] } })

/** Processes of this machine that were started with a text among their arguments or in their environment. */
const running = (text: string) => [...withArgument(text), ...withEnvironment(text)]

/** A case as it is run: compiled with the servers of its session, which are stubs that list the same tools. */
async function started(name: string, agent: string): Promise<{ start: Start; cwd: string }> {
  const root = layCase(name)
  const { mcpServers } = JSON.parse(readFileSync(join(root, 'session.json'), 'utf8')) as { mcpServers: Record<string, string[]> }
  const servers = Object.entries(mcpServers).map(([server, tools]) => [
    server,
    { command: process.execPath, args: [STUB, `tools:${tools.join(',')}`] },
  ])
  writeFileSync(join(root, 'project/.mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(servers) as object }))
  const open = readManifest(compiled(await compile(caseOptions(root, 'project'))))
  return { start: { header: open.header, name: agent, agent: open.agents.get(agent)!, prompt: 'go' }, cwd: join(root, 'project') }
}

describe('the cases about MCP, run', () => {
  test('35: a denied tool of a server is neither offered nor called', async () => {
    const { start, cwd } = await started('35-deny-also-covers-deferred-tools', 'quiet')
    const { url, requests } = await fakeApi({
      turns: [
        {
          tools: [
            { name: 'mcp__tickets__create', input: {} },
            { name: 'mcp__tickets__list', input: {} },
          ],
        },
        { text: 'refused' },
      ],
    })
    const { events } = await ran(start, { cwd, url })
    const names = (await requests())[0]!.tools!.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['Read', 'mcp__docs__fetch', 'mcp__docs__search', 'mcp__mail__send', 'mcp__tickets__list']),
    )
    expect(names).not.toEqual(expect.arrayContaining(['mcp__tickets__create']))
    expect(toolResults(events)[0]).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^No such tool available: mcp__tickets__create\./) as string,
    })
  })

  test('36: patterns and bare names of servers give exactly their tools', async () => {
    const { start, cwd } = await started('36-mcp-pattern-in-allow-list', 'desk')
    const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
    await ran(start, { cwd, url })
    const names = (await requests())[0]!.tools!.map(({ name }) => name)
    expect(names.toSorted()).toEqual(['Read', 'mcp__docs__fetch', 'mcp__docs__search', 'mcp__tickets__create', 'mcp__tickets__list'])
  })

  test('52: every name stands in the request once', async () => {
    const { start, cwd } = await started('52-tool-names-unique-in-request', 'double')
    const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
    await ran(start, { cwd, url })
    const names = (await requests())[0]!.tools!.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__tickets__create', 'mcp__tickets__list'])
  })

  test.each([
    ['the run completes', { turns: [{ text: 'ok' }] }, 'completed'],
    [
      'the API answers 400',
      { turns: [{ text: 'ok' }], faults: [{ type: 'prompt_too_long' }, { type: 'prompt_too_long' }, { type: 'prompt_too_long' }] },
      'context_overflow',
    ],
    ['the run is interrupted', { turns: [{ tool: 'mcp__fake__hang', input: {} }] }, 'interrupted'],
  ])('71: an inline server behind a wrapper is ended with its grandchild when %s', async (_, script, reason) => {
    const token = `case-71-${process.pid}-${reason}`
    const cwd = await folder({ 'wrap.sh': `sleep 600 &\nsetsid sleep 600 &\nexec "${process.execPath}" "${STUB}"\n` })
    const config = { type: 'stdio' as const, command: 'sh', args: ['./wrap.sh'], env: { TOKEN: token } }
    const text = manifestText({ worker: { servers: [{ name: 'fake', config }] } }, allowing('mcp__fake__*'))
    const open = readManifest(text)
    const stop = new AbortController()
    const { url } = await fakeApi(script)
    if (reason === 'interrupted') setTimeout(() => stop.abort('SIGTERM'), 1500)
    const start = { header: open.header, name: 'worker', agent: open.agents.get('worker')!, prompt: 'go' }
    const { result } = await ran(start, { cwd, url, signal: stop.signal })
    expect(result.terminal_reason).toBe(reason)
    expect(running(token)).toEqual([])
    expect(result.stray_processes).toBe(0)
  })
})

test('the tools of servers are a part of the transcript: the run can be verified without any server', async () => {
  const cwd = await folder()
  const text = manifestText({ worker: {} }, { mcpServers: { s: { config: stub(), origin } }, ...allowing('mcp__s__*') })
  const open = readManifest(text)
  const { url } = await fakeApi({
    turns: [
      { tool: 'mcp__s__say', input: { a: 1 } },
      { tool: 'mcp__s__die', input: {} },
      { tool: 'mcp__s__show', input: {} },
      { text: 'done' },
    ],
  })
  const start = { header: open.header, name: 'worker', agent: open.agents.get('worker')!, prompt: 'go' }
  const { events, result } = await ran(start, { cwd, url, keep: { text, hash: open.header.hash } })
  expect(toolResults(events).map(({ isError }) => isError)).toEqual([false, true, false])
  expect(noticesOf(events)).toContain('the MCP server s was started again')
  const transcript = readFileSync(join(cwd, result.run_folder!, 'transcript.jsonl'), 'utf8')
  expect(verifyRun(transcript, open)).toEqual({ requests: 4, ended: true, difference: undefined })
})

test('a run whose required server cannot be used asks the model nothing, and says why', async () => {
  const cwd = await folder()
  const open = readManifest(
    manifestText(
      { worker: { requiredServers: ['s'] } },
      { mcpServers: { s: { config: { type: 'stdio', command: 'x', env: { A: '${A_TOKEN}' } }, origin } } },
    ),
  )
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  const start = { header: open.header, name: 'worker', agent: open.agents.get('worker')!, prompt: 'go' }
  const { result } = await ran(start, { cwd, url, env: { PATH: process.env.PATH } })
  expect([result.terminal_reason, result.errors]).toEqual([
    'cannot_start',
    ['agent worker needs the MCP server s: s cannot be used: the variable A_TOKEN, which its settings name, is not set'],
  ])
  expect(await requests()).toEqual([])
})

describe('signs of progress', () => {
  const servers = { mcpServers: { s: { config: stub(), origin } }, ...allowing('mcp__s__*') }
  const step = { type: 'tool_use', name: 'mcp__s__step', input: {} }
  const progress = (events: readonly unknown[]) =>
    (events as { subtype?: string; message?: string; tool_use_id?: string }[]).filter(({ subtype }) => subtype === 'tool_progress')

  test('are events of the run while the call is at work', async () => {
    const open = readManifest(manifestText({ worker: {} }, servers))
    const { url } = await fakeApi({ turns: [{ content: [{ ...step, id: 'toolu_step' }] }, { text: 'done' }] })
    const start = { header: open.header, name: 'worker', agent: open.agents.get('worker')!, prompt: 'go' }
    const { events } = await ran(start, { cwd: await folder(), url })
    const told = progress(events)
    expect(told.slice(0, 5)).toMatchObject(
      [1, 2, 3, 4, 5].map((at) => ({ tool_use_id: 'toolu_step', name: 'mcp__s__step', progress: at, total: 6, message: `step ${at}` })),
    )
    const kinds = (events as { subtype?: string }[]).map(({ subtype }) => subtype)
    expect(kinds.lastIndexOf('tool_progress')).toBeLessThan(kinds.indexOf('tool_end'))
  })

  test('of an agent below too, which is not idle meanwhile', async () => {
    const limits = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { idleSeconds: 1 } }
    const open = readManifest(manifestText({ lead: { tools: ['Agent'] }, helper: {} }, { ...servers, limits }))
    const { url } = await fakeApi({
      rules: [
        {
          when: { system: 'You are lead' },
          turns: [{ tool: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'helper' } }, { text: 'end' }],
        },
        { when: { system: 'You are helper' }, turns: [{ content: [step] }, { text: 'stepped' }] },
      ],
    })
    const start = { header: open.header, name: 'lead', agent: open.agents.get('lead')!, prompt: 'go' }
    const { events, result } = await ran(start, { cwd: await folder(), url, agents: open.agents, clock: liveClock })
    expect([result.terminal_reason, result.subagent_stats!.completed]).toEqual(['completed', 1])
    expect(progress(events).length).toBeGreaterThanOrEqual(5)
  })
})

test('a hook asks a server that others wrote, whose tools no agent has, and its answer decides the call', async () => {
  const answer = {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'kept by a file' },
  }
  const cwd = await folder({ 'a.txt': 'A', 'b.txt': 'B', 'a.txt.rule': JSON.stringify(answer), 'b.txt.rule': '{}' })
  const config = { type: 'stdio' as const, command: process.execPath, args: [programOf('server-filesystem'), cwd] }
  const hooks = on('PreToolUse', {
    type: 'mcp_tool',
    server: 'files',
    tool: 'read_text_file',
    input: { path: '${tool_input.file_path}.rule' },
  })
  const none = { tools: ['Read'], mcp: [], mcpDeny: [] }
  const toolViews = { main: none, sub: none, leaf: none, background: none }
  const open = readManifest(manifestText({ worker: { toolViews } as never }, { mcpServers: { files: { config, origin } }, hooks }))
  const turns = [{ tool: 'Read', input: { file_path: 'a.txt' } }, { tool: 'Read', input: { file_path: 'b.txt' } }, { text: 'done' }]
  const { url, requests } = await fakeApi({ turns })
  const start = { header: open.header, name: 'worker', agent: open.agents.get('worker')!, prompt: 'go' }
  const { events, result } = await ran(start, { cwd, url })
  expect(toolResults(events)).toEqual([
    { text: 'Not run: the PreToolUse hook [files read_text_file] refuses it: kept by a file.', isError: true },
    { text: '1\tB', isError: false },
  ])
  expect((await requests())[0]!.tools!.map(({ name }) => name)).toEqual(['Read'])
  expect(result.stray_processes).toBe(0)
})

test('a hook is held to the lock as well: what a server has changed since is not called', async () => {
  const mcpTools = { s: [] }
  const hooks = on('PreToolUse', { type: 'mcp_tool', server: 's', tool: 'say', onFailure: 'block' })
  const open = readManifest(
    manifestText({ worker: { tools: ['Glob'] } }, { mcpServers: { s: { config: stub(), origin } }, mcpTools, hooks }),
  )
  const { url } = await fakeApi({ turns: [{ tool: 'Glob', input: { pattern: '*' } }, { text: 'done' }] })
  const start = { header: open.header, name: 'worker', agent: open.agents.get('worker')!, prompt: 'go' }
  const { events } = await ran(start, { cwd: await folder(), url })
  expect(toolResults(events)[0]).toMatchObject({
    isError: true,
    text: expect.stringContaining('is not as it was when it was locked') as string,
  })
})
