import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HookHandler, Hooks } from '../../../schemas/shapes/hook.ts'
import { committed, git, GIT_ENV } from '../../support/git.ts'
import { call, cast } from '../delegation/stage.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'
import { on, recording, type Seen, seenIn } from './stage.ts'

const ENV = { ...process.env, ...GIT_ENV }
/** Outside the repository, which the hook would change. */
const FILE = '../seen.jsonl'
const WATCHED = ['WorktreeCreate', 'SubagentStart', 'SubagentStop', 'WorktreeRemove', 'SessionStart', 'SessionEnd'] as const
const write = { content: [call('Write', { file_path: 'new.txt', content: 'x' })] }

/** A repository with one commit, in a folder of its own. */
async function repository(): Promise<string> {
  return committed(join(await folder({ 'repository/a.txt': 'main\n' }), 'repository'))
}

/** A run whose agent, or an agent that it starts, is to work in a worktree. */
async function ran(cwd: string, hooks: Hooks, turns: object[], root = false) {
  const isolated = { tools: ['Bash', 'Read', 'Write'], isolation: 'worktree' as const }
  const permissions = { allow: [{ tool: 'Bash' }, { tool: 'Write' }, { tool: 'Read' }], ask: [], deny: [] }
  const crew = root ? { helper: isolated } : { lead: { tools: ['Agent'] }, helper: isolated }
  const { start, agents, keep } = cast(crew, 'go', { permissions, hooks })
  const begin = call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper' })
  const { url, requests } = await fakeApi({
    rules: [
      { when: { system: 'You are lead' }, turns: [{ content: [begin] }, { text: 'end' }] },
      { when: { system: 'You are helper' }, turns: [...turns, { text: 'done' }] },
    ],
  })
  const ids = { session: () => 'run-of-worktree-hooks' }
  const run = await runToEnd(start, { cwd, url, agents, keep, env: ENV, host: process, ids })
  const seen = seenIn(cwd, FILE)
  return { ...run, seen, events: seen.map((each) => each.hook_event_name), report: toolResults(run.events)[0], requests }
}

const toldOf = (seen: readonly Seen[], event: string) => seen.find((each) => each.hook_event_name === event)

describe('a worktree for an agent', () => {
  test('is told of before it is made and before it is removed', async () => {
    const cwd = await repository()
    const hooks = recording(WATCHED, FILE)
    hooks.WorktreeRemove![0]!.handlers.push({
      type: 'command',
      command: `sed -n 's/.*"worktree_path":"\\([^"]*\\)".*/\\1/p' | xargs ls > "$CLAUDE_PROJECT_DIR/../there"`,
    })
    const { seen, events } = await ran(cwd, hooks, [])
    expect(events).toEqual(['SessionStart', 'WorktreeCreate', 'SubagentStart', 'SubagentStop', 'WorktreeRemove', 'SessionEnd'])
    const { name } = toldOf(seen, 'WorktreeCreate')!
    expect(name).toMatch(/^agent-a[0-9a-f]{12}$/)
    expect(toldOf(seen, 'WorktreeRemove')!['worktree_path']).toBe(join(cwd, '.claude/worktrees', String(name)))
    expect(readFileSync(join(cwd, '../there'), 'utf8')).toBe('a.txt\n')
    expect(existsSync(join(cwd, '.claude/worktrees'))).toBe(false)
  })

  test('that is kept for its changes is not removed, and nobody is told that it were', async () => {
    const { events, report } = await ran(await repository(), recording(WATCHED, FILE), [write])
    expect(report!.text).toContain('Its changes are kept in the worktree')
    expect(events).not.toContain('WorktreeRemove')
  })

  test.each<[string, HookHandler, RegExp]>([
    ['ends with exit code 1', { type: 'command', command: 'echo no room >&2; exit 1' }, /it ended with exit code 1: no room/],
    ['ends with exit code 2', { type: 'command', command: 'echo no room >&2; exit 2' }, /no room/],
    ['cannot be asked', { type: 'mcp_tool', server: 'none', tool: 'make' }, /WorktreeCreate hook \[none make\] failed/],
    [
      'gives no absolute path',
      { type: 'command', command: 'echo here' },
      /a hook has made here, which is not the absolute path of a folder/,
    ],
    ['gives what is not there', { type: 'command', command: 'echo /nothing/there' }, /not the absolute path of a folder/],
    ['gives the checkout', { type: 'command', command: 'pwd' }, /which is not apart from the checkout/],
    ['gives a folder around it', { type: 'command', command: 'dirname "$PWD"' }, /which is not apart from the checkout/],
    ['gives a part of it', { type: 'command', command: 'mkdir -p part; echo "$PWD/part"' }, /which is not apart from the checkout/],
  ])('is not made where a hook %s, and the agent is not started', async (_, handler, why) => {
    const cwd = await repository()
    const { report, requests } = await ran(cwd, on('WorktreeCreate', handler), [])
    expect(report).toMatchObject({ isError: true, text: expect.stringMatching(/^No worktree could be made for the agent/) as string })
    expect(report!.text).toMatch(why)
    expect(JSON.stringify(await requests())).not.toContain('You are helper')
    expect(git(cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  const made = 'git worktree add -q -b mine ../made && echo made && realpath ../made'

  test('may be one that a hook has made: the agent works there, and it is kept and named', async () => {
    const cwd = await repository()
    const outside = { content: [call('Read', { file_path: join(cwd, 'a.txt') })] }
    const commits = { content: [call('Bash', { command: 'git add -A && git commit -qm work && pwd' })] }
    const { report, requests } = await ran(cwd, on('WorktreeCreate', made), [write, commits, outside])
    const path = join(cwd, '../made')
    expect(readFileSync(join(path, 'new.txt'), 'utf8')).toBe('x')
    expect(git(path, 'log', '--format=%s').trim()).toBe('work\nbase')
    expect(existsSync(join(cwd, 'new.txt'))).toBe(false)
    expect(existsSync(join(cwd, '.claude/worktrees'))).toBe(false)
    expect(report!.text).toContain(`Its changes are kept in the worktree ${path} on the branch mine.`)
    expect(JSON.stringify((await requests()).at(-2)!.messages)).toContain('is in the main checkout')
  })

  test('that a hook has made is removed by a hook, if it is as it was', async () => {
    const cwd = await repository()
    const hooks = { ...on('WorktreeCreate', made), ...on('WorktreeRemove', 'git worktree remove ../made') }
    const { report } = await ran(cwd, hooks, [])
    expect(report!.text).not.toContain('kept')
    expect(existsSync(join(cwd, '../made'))).toBe(false)
    const untold = await ran(cwd, on('WorktreeCreate', made.replace('-b mine ', '--detach ')), [])
    expect(untold.report!.text).toContain(`Its changes are kept in the worktree ${join(cwd, '../made')}.`)
  })

  test('may be made without git at all, and is kept then, because nobody can tell whether it has changed', async () => {
    const cwd = join(await folder({ 'plain/a.txt': 'A' }), 'plain')
    const hooks = {
      ...on('WorktreeCreate', 'cp -r . ../copy; printf \'{"hookSpecificOutput":{"worktreePath":"%s"}}\' "$(realpath ../copy)"'),
    }
    const { report } = await ran(cwd, { ...hooks, ...on('WorktreeRemove', 'rm -r ../copy') }, [write])
    expect(report!.text).toContain(`Its changes are kept in the worktree ${join(cwd, '../copy')}.`)
    expect([existsSync(join(cwd, '../copy/new.txt')), existsSync(join(cwd, 'new.txt'))]).toEqual([true, false])
  })
})

describe('the worktree of the agent of a run', () => {
  test('is told of before the session begins, and when it has ended', async () => {
    const cwd = await repository()
    const { events, seen } = await ran(cwd, recording(WATCHED, FILE), [], true)
    expect(events).toEqual(['WorktreeCreate', 'SessionStart', 'SessionEnd', 'WorktreeRemove'])
    expect(toldOf(seen, 'WorktreeCreate')).toMatchObject({ agent_type: 'helper', cwd })
    expect(existsSync(join(cwd, '.claude/worktrees'))).toBe(false)
  })

  test('may be kept from being made, and may be one that a hook has made', async () => {
    const cwd = await repository()
    await expect(ran(cwd, on('WorktreeCreate', 'echo no room >&2; exit 1'), [], true)).rejects.toThrow('no room')
    await ran(cwd, on('WorktreeCreate', 'git worktree add -q -b mine ../made && realpath ../made'), [write], true)
    expect([existsSync(join(cwd, '../made/new.txt')), existsSync(join(cwd, 'new.txt'))]).toEqual([true, false])
  })
})

test('what a model was asked for the worktree of a run itself is in its account, once', async () => {
  const hooks = on('WorktreeCreate', { type: 'prompt', prompt: 'Fine?', model: 'haiku' })
  const cwd = await repository()
  const { start, agents, keep } = cast({ helper: { isolation: 'worktree', model: 'claude-sonnet-5-5' } }, 'go', { hooks })
  const { url } = await fakeApi({
    rules: [
      { when: { system: 'You are helper' }, respond: { text: 'done' } },
      { when: {}, respond: { text: '{"ok": true}', usage: { input_tokens: 4000, output_tokens: 10 } } },
    ],
  })
  const { result, events } = await runToEnd(start, { cwd, url, agents, keep, env: ENV, host: process })
  const judged = Object.entries(result.modelUsage).filter(([, { inputTokens }]) => inputTokens === 4000)
  expect([result.terminal_reason, judged.length], JSON.stringify(events.filter(({ type }) => type === 'system'))).toEqual(['completed', 1])
})
