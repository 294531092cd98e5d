import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isolate, ownerOf } from '../../../runner/delegation/isolation.ts'
import { openWorktree } from '../../../runner/worktree/worktree.ts'
import { committed, git, GIT_ENV } from '../../support/git.ts'
import { fakeApi, folder, noticesOf, runToEnd, toolResults } from '../stage.ts'
import { works } from '../sandbox/walls.ts'
import { call, cast } from './stage.ts'

const ENV = { ...process.env, ...GIT_ENV }

/** The main checkout, as a program in a worktree finds it out for itself. */
const CHECKOUT = 'process.cwd().split("/.claude/worktrees")[0]'

async function repository(): Promise<string> {
  return committed(await folder({ 'a.txt': 'main\n', 'sub/b.txt': 'b\n' }))
}

const ALLOW = { permissions: { allow: [{ tool: 'Write' }, { tool: 'Bash' }, { tool: 'Read' }], ask: [], deny: [] } }

function command(content: string) {
  return { content, hash: `sha256:${'0'.repeat(64)}`, origin: { source: 'project' as const, path: '.claude/commands/review.md' } }
}

async function isolated(cwd: string, turns: object[], tools = ['Read', 'Write', 'Bash']) {
  const { start, agents } = cast({ lead: { tools: ['Agent'] }, helper: { tools, isolation: 'worktree' } }, 'go', ALLOW)
  const { url } = await fakeApi({
    rules: [
      {
        when: { system: 'You are lead' },
        turns: [{ content: [call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper' })] }, { text: 'end' }],
      },
      { when: { system: 'You are helper' }, turns },
    ],
  })
  const { events } = await runToEnd(start, { cwd, url, agents, env: ENV, host: process })
  return toolResults(events)[0]!
}

describe('an agent in a worktree of its own', () => {
  test('that changes nothing leaves nothing behind', async () => {
    const cwd = await repository()
    const before = [git(cwd, 'worktree', 'list'), git(cwd, 'branch'), git(cwd, 'rev-parse', 'HEAD')]
    const report = await isolated(cwd, [
      { content: [call('Bash', { command: 'git status --short; pwd' })] },
      { text: 'in {{last_tool_result}}' },
    ])
    expect(report.text).toContain('.claude/worktrees/agent-a')
    expect([git(cwd, 'worktree', 'list'), git(cwd, 'branch'), git(cwd, 'rev-parse', 'HEAD')]).toEqual(before)
    expect(git(cwd, 'status', '--short')).toBe('')
    expect(existsSync(join(cwd, '.claude/worktrees'))).toBe(false)
  })

  test('that changes something has its worktree and branch kept and named, and the checkout is as it was', async () => {
    const cwd = await repository()
    const report = await isolated(cwd, [{ content: [call('Write', { file_path: 'new.txt', content: 'x' })] }, { text: 'done' }])
    const [, path, branch] = /kept in the worktree (\S+) on the branch (\S+)\./.exec(report.text)!
    expect(readFileSync(join(path!, 'new.txt'), 'utf8')).toBe('x')
    expect(existsSync(join(cwd, 'new.txt'))).toBe(false)
    expect(git(cwd, 'branch')).toContain(branch)
    expect(branch).toMatch(/^worktree-agent-a[0-9a-f]{12}$/)
    expect(git(cwd, 'status', '--short')).toBe('')
  })

  test('that commits something has its worktree kept', async () => {
    const cwd = await repository()
    const commit = 'echo x > c && git add c && git -c user.name=a -c user.email=a@example.invalid commit -qm c'
    const report = await isolated(cwd, [{ content: [call('Bash', { command: commit })] }, { text: 'done' }])
    expect(report.text).toContain('kept in the worktree')
  })

  test('cannot reach the main checkout by an absolute path, by a link or from the shell', async () => {
    const cwd = await repository()
    const report = await isolated(cwd, [
      {
        content: [
          call('Write', { file_path: join(cwd, 'a.txt'), content: 'leak' }),
          call('Read', { file_path: join(cwd, 'a.txt') }),
          call('Bash', { command: `ln -s ${cwd} l` }),
          call('Bash', { command: `echo leak > ${cwd}/a.txt` }),
          call('Bash', { command: `git -C ${cwd} commit --allow-empty -qm leak` }),
          call('Bash', { command: 'cd ../../.. && git commit --allow-empty -qm leak' }),
          call('Bash', { command: `GIT_DIR=${cwd}/.git git commit --allow-empty -qm leak` }),
        ],
      },
      { content: [call('Write', { file_path: 'l/a.txt', content: 'leak' })] },
      { text: '{{last_tool_result}}' },
    ])
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('main\n')
    expect(git(cwd, 'log', '--oneline').trim().split('\n')).toHaveLength(1)
    expect(report.text).toMatch(/is in the main checkout, and this agent works in a worktree: use \S+worktrees/)
  })

  test.skipIf(!works)('is kept from the main checkout by walls where a command hides what it writes', async () => {
    const cwd = await repository()
    const leak = `require("fs").writeFileSync(${CHECKOUT} + "/a.txt", "leak")`
    const report = await isolated(cwd, [
      { content: [call('Bash', { command: `node -e '${leak}'; echo inside > own.txt` })] },
      { text: '{{last_tool_result}}' },
    ])
    const [, path] = /kept in the worktree (\S+) on/.exec(report.text)!
    expect(readFileSync(join(path!, 'own.txt'), 'utf8')).toBe('inside\n')
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('main\n')
  })

  test('may not look into the main checkout by any tool that takes a path', async () => {
    const cwd = await repository()
    const away = [
      call('Read', { file_path: join(cwd, 'a.txt') }),
      call('Grep', { pattern: 'main', path: cwd }),
      call('Glob', { pattern: '*.txt', path: cwd }),
      call('Edit', { file_path: join(cwd, 'a.txt'), old_string: 'main', new_string: 'leak' }),
      call('NotebookEdit', { notebook_path: join(cwd, 'n.ipynb'), new_source: 'leak', edit_mode: 'insert' }),
    ]
    const tools = ['Read', 'Grep', 'Glob', 'Edit', 'NotebookEdit']
    const { text } = await isolated(cwd, [{ content: away }, { text: '{{last_tool_result}}' }], tools)
    const refused = text.match(/is in the main checkout, and this agent works in a worktree: use \S+worktrees/g)
    expect(refused, text).toHaveLength(away.length)
    expect(text).not.toContain('b.txt')
  })

  test('is refused with the cause of git outside a repository and without a commit', async () => {
    const outside = await folder()
    expect((await isolated(outside, [{ text: 'x' }])).text).toContain('not a git repository')
    git(outside, 'init', '-q')
    const report = await isolated(outside, [{ text: 'x' }])
    expect(report).toMatchObject({ isError: true, text: expect.stringContaining('needs a git repository with a commit') })
  })

  test('that a dead run has left is removed with the next one if it holds nothing, and never if it holds work', async () => {
    const cwd = await repository()
    const dead = { mark: 'agentc 999999999 1', isAlive: () => true }
    const clean = await openWorktree(cwd, 'clean', ENV, dead)
    const dirty = await openWorktree(cwd, 'dirty', ENV, dead)
    const committed = await openWorktree(cwd, 'committed', ENV, dead)
    writeFileSync(join(dirty.path, 'work.txt'), 'work')
    git(committed.path, 'commit', '-q', '--allow-empty', '-m', 'work')
    const alive = await openWorktree(cwd, 'alive', ENV, ownerOf(process))
    const next = await openWorktree(cwd, 'next', ENV, ownerOf(process))
    expect([clean, dirty, committed, alive, next].map(({ path }) => existsSync(path))).toEqual([false, true, true, true, true])
    expect(git(cwd, 'worktree', 'list', '--porcelain').match(/^locked/gm)).toHaveLength(2)
    expect(await alive.close()).toBe('removed')
    expect(await next.close()).toBe('removed')
  })

  test('that lies in another one that a dead run has left is removed before it, and one whose folder is gone is forgotten', async () => {
    const cwd = await repository()
    const dead = { mark: 'agentc 999999999 1', isAlive: () => true }
    const outer = await openWorktree(cwd, 'outer', ENV, dead)
    const inner = await openWorktree(outer.path, 'inner', ENV, dead)
    const gone = await openWorktree(cwd, 'gone', ENV, dead)
    const lost = await openWorktree(cwd, 'lost', ENV, dead)
    git(lost.path, 'commit', '-q', '--allow-empty', '-m', 'work')
    for (const { path } of [gone, lost]) rmSync(path, { recursive: true })
    await openWorktree(cwd, 'next', ENV, ownerOf(process)).then((next) => next.close())
    expect([outer, inner].map(({ path }) => existsSync(path))).toEqual([false, false])
    const branches = git(cwd, 'branch', '--format=%(refname:short)').trim().split('\n')
    expect(branches).toEqual(['main', 'worktree-agent-lost'])
  })

  test('made and removed side by side, none fails, in one process and in several', async () => {
    const cwd = await repository()
    const workspace = { root: cwd, cwd, told: cwd }
    const cycle = async (id: string): Promise<string> => {
      const made = await isolate(workspace, id, ENV, process)
      return typeof made === 'string' ? made : made.close()
    }
    const ends = await Promise.all(Array.from({ length: 6 }, (_, at) => cycle(`x${at}`)))
    expect(new Set(ends)).toEqual(new Set(['removed']))
    const others = Array.from({ length: 4 }, (_, at) => openWorktree(cwd, `y${at}`, ENV, ownerOf(process)).then((made) => made.close()))
    for (const end of await Promise.allSettled(others)) {
      if (end.status === 'rejected')
        expect(end.reason).toMatchObject({ name: 'WorktreeFault', message: expect.stringMatching(/^git says/) as string })
    }
    expect(git(cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  test('may start one that works in a worktree inside its own: it writes there as anywhere, and what it leaves keeps both', async () => {
    const cwd = await repository()
    const parts = { tools: ['Agent', 'Write'], isolation: 'worktree' as const }
    const { start, agents } = cast({ lead: { tools: ['Agent'] }, outer: parts, inner: parts }, 'go', {
      ...ALLOW,
      limits: { spawnDepth: 2, parallelReads: 10, resultChars: 100_000 },
    })
    const of = (subagent_type: string) => [
      { content: [call('Agent', { description: 'd', prompt: 'p', subagent_type })] },
      { text: '{{last_tool_result}}' },
    ]
    const { url } = await fakeApi({
      rules: [
        { when: { system: 'You are lead' }, turns: of('outer') },
        { when: { system: 'You are outer' }, turns: of('inner') },
        {
          when: { system: 'You are inner' },
          turns: [{ content: [call('Write', { file_path: 'sub/new.txt', content: 'x' })] }, { text: 'done' }],
        },
      ],
    })
    const { result } = await runToEnd(start, { cwd, url, agents, env: ENV, host: process })
    const kept = [...result.result.matchAll(/kept in the worktree (\S+) on the branch/g)].map(([, path]) => path!)
    expect(kept).toHaveLength(2)
    expect(kept[0]!.startsWith(`${kept[1]!}/.claude/worktrees/agent-`)).toBe(true)
    expect(readFileSync(join(kept[0]!, 'sub/new.txt'), 'utf8')).toBe('x')
    expect(git(cwd, 'status', '--short')).toBe('')
  })

  test('runs no hook and no filter of the repository', async () => {
    const cwd = await repository()
    const trap = join(cwd, 'trap')
    writeFileSync(join(cwd, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 })
    git(cwd, 'config', 'filter.evil.smudge', `touch ${trap}; cat`)
    writeFileSync(join(cwd, '.gitattributes'), '* filter=evil\n')
    git(cwd, '-c', 'filter.evil.clean=cat', 'add', '.gitattributes')
    git(cwd, 'commit', '-qm', 'attributes')
    const worktree = await openWorktree(cwd, 'x', ENV, ownerOf(process))
    expect(await worktree.close()).toBe('removed')
    expect(existsSync(trap)).toBe(false)
  })

  test('is replayed in another folder: the agent of a run in one, that of a call in a folder of it, and what is refused there', async () => {
    const [here, there] = [await repository(), await repository()]
    const { start, agents } = cast(
      { lead: { tools: ['Agent', 'Write'], isolation: 'worktree' }, helper: { tools: ['Read', 'Write'] } },
      'go',
      ALLOW,
    )
    const { url } = await fakeApi({
      rules: [
        {
          when: { system: 'You are lead' },
          turns: [
            { content: [call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper', cwd: 'sub', isolation: 'worktree' })] },
            { content: [call('Write', { file_path: join(here, 'a.txt'), content: 'leak' })] },
            { text: '{{last_tool_result}}' },
          ],
        },
        {
          when: { system: 'You are helper' },
          turns: [
            { content: [call('Read', { file_path: 'b.txt' }), call('Read', { file_path: '../a.txt' })] },
            { content: [call('Write', { file_path: 'new.txt', content: 'x' })] },
            { text: 'done' },
          ],
        },
      ],
    })
    const lines: string[] = []
    const live = await runToEnd(start, { cwd: here, url, agents, env: ENV, host: process, record: (line) => void lines.push(line) })
    const again = await runToEnd(start, { cwd: there, agents, env: ENV, host: process, replay: lines.join('') })
    expect(live.result.result).toMatch(/is in the main checkout/)
    expect([again.result.errors, again.rest]).toEqual([[], 0])
    expect(again.result.result).toBe(live.result.result)
    expect(toolResults(again.events)).toEqual(toolResults(live.events))
    expect(git(there, 'worktree', 'list')).toContain('.claude/worktrees/agent-')
  })

  test('is told where the agent of a run works itself, and where its changes are kept', async () => {
    const cwd = await repository()
    const { start, keep } = cast({ lead: { tools: ['Write'], isolation: 'worktree' } }, 'go', ALLOW)
    const { url, requests } = await fakeApi({
      turns: [{ content: [call('Write', { file_path: 'n.txt', content: 'x' })] }, { text: 'end' }],
    })
    const { events, result } = await runToEnd(start, { cwd, url, env: ENV, host: process, keep })
    const told = noticesOf(events)
    const head = git(cwd, 'rev-parse', 'HEAD').trim()
    expect(told[0]).toMatch(
      new RegExp(`^the agent works in (\\S+), on the branch worktree-agent-a[0-9a-f]{12}, made from the commit ${head}$`),
    )
    expect(told.at(-1)).toMatch(/^its changes are kept in .claude\/worktrees\/agent-a[0-9a-f]{12} on the branch worktree-agent-a/)
    expect(events.at(-1)).toMatchObject({ type: 'result', result: 'end' })
    expect((await requests())[0]!.messages[0]!.content[0]).toMatchObject({ text: expect.stringContaining('.claude/worktrees/agent-') })
    expect(existsSync(join(cwd, result.run_folder!, 'transcript.jsonl'))).toBe(true)
    expect(git(cwd, 'status', '--short', '--', 'n.txt')).toBe('')
  })

  test('is taken away again with the folder of the run, if the prompt then turns out to be of no use', async () => {
    const cwd = await repository()
    const commands = { review: command('Review !`cat nothing-here`') }
    const { start, keep } = cast({ lead: { tools: ['Bash'], isolation: 'worktree' } }, '/review', { ...ALLOW, commands })
    const before = [git(cwd, 'worktree', 'list'), git(cwd, 'branch')]
    await expect(runToEnd(start, { cwd, env: ENV, host: process, keep })).rejects.toThrow('its command "cat nothing-here" did not run')
    expect([git(cwd, 'worktree', 'list'), git(cwd, 'branch')]).toEqual(before)
    expect(readdirSync(join(cwd, '.agentc/runs'))).toEqual([])
  })

  test('that cannot be made leaves no run that seems to have been cut off', async () => {
    const cwd = await folder()
    const { start, keep } = cast({ lead: { tools: ['Bash'], isolation: 'worktree' } })
    await expect(runToEnd(start, { cwd, env: ENV, host: process, keep })).rejects.toThrow('not a git repository')
    expect(readdirSync(join(cwd, '.agentc/runs'))).toEqual([])
  })
})
