import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { withEnvironment } from '../../support/processes.ts'
import { folder } from '../stage.ts'
import type { Occasion } from '../../../runner/hooks/occasion.ts'
import { bash, busOf, moment, on, prints } from './stage.ts'

const pre = (output: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } })

describe('what a command hook says', () => {
  test('exit code 0 without output lets everything go on', async () => {
    const { bus, said } = await busOf(on('PreToolUse', 'exit 0'))
    expect(await bus.fire(bash, moment())).toEqual({ context: [] })
    expect(said()).toEqual([])
  })

  test('exit code 2 refuses the call with the name of the hook and its standard error, even against a JSON that allows', async () => {
    const line = `${prints(pre({ permissionDecision: 'allow' }))}; echo 'blocked by policy' >&2; exit 2`
    const { bus } = await busOf(on('PreToolUse', line))
    expect(await bus.fire(bash, moment())).toEqual({
      decision: 'deny',
      reason: `the PreToolUse hook [${line}] refuses it: blocked by policy`,
      context: [],
    })
  })

  test.each([
    ['exit 1 blocks nothing', 'echo no >&2; exit 1', 'it ended with exit code 1: no'],
    ['a script that is not there blocks nothing', './nothing.sh', /^it ended with exit code 127: /],
    ['broken JSON blocks nothing', `printf '{"decision": '`, 'it printed JSON that cannot be read'],
    [
      'JSON of another event counts for nothing',
      prints({ hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'deny' } }),
      'its JSON is about Stop, not about PreToolUse',
    ],
    [
      'an unknown decision counts for nothing',
      prints(pre({ permissionDecision: 'maybe' })),
      'its JSON has the permissionDecision "maybe", which is none',
    ],
    ['nor does one in the older place', prints({ decision: 'reject', reason: 'no' }), 'its JSON has the decision "reject", which is none'],
    ['nor one that every object has', prints({ decision: 'toString' }), 'its JSON has the decision "toString", which is none'],
    ['a hook that is killed blocks nothing', 'kill -9 $$', 'it was ended by SIGKILL'],
  ])('%s, and is reported', async (_, line, failure) => {
    const { bus, said } = await busOf(on('PreToolUse', line))
    expect(await bus.fire(bash, moment())).toEqual({ context: [] })
    const [notice, ...others] = said()
    expect(others).toEqual([])
    const head = `hook-failed: the PreToolUse hook ${line} failed: `
    expect(notice!.startsWith(head)).toBe(true)
    expect(notice!.slice(head.length)).toMatch(failure)
  })

  test.each([
    ['UserPromptSubmit', { decision: 'deny', reason: 'no' }, 'its JSON has the decision "deny", which is none'],
    [
      'PermissionRequest',
      { hookSpecificOutput: { decision: { behavior: 'block' } } },
      'its JSON has a `decision` whose `behavior` is neither allow nor deny',
    ],
    [
      'PermissionRequest',
      { hookSpecificOutput: { decision: 'deny' } },
      'its JSON has a `decision` whose `behavior` is neither allow nor deny',
    ],
  ] as const)('at %s a decision that is none, as in %o, is reported', async (event, json, failure) => {
    const { bus, said } = await busOf(on(event, prints(json)))
    const occasion = event === 'UserPromptSubmit' ? { event, prompt: 'go' } : { ...bash, event, permission_suggestions: [] }
    expect(await bus.fire(occasion as Occasion, moment())).toEqual({ context: [] })
    expect(said()).toEqual([`hook-failed: the ${event} hook ${prints(json)} failed: ${failure}`])
  })

  test('a failure blocks where the hook says so', async () => {
    const { bus, said } = await busOf(on('PreToolUse', { type: 'command', command: 'exit 1', onFailure: 'block' }))
    expect(await bus.fire(bash, moment())).toMatchObject({
      decision: 'deny',
      reason: 'the PreToolUse hook [exit 1] failed: it ended with exit code 1',
    })
    expect(said()).toEqual(['hook-failed: the PreToolUse hook exit 1 failed: it ended with exit code 1, which blocks'])
  })

  test.each([
    [
      pre({ permissionDecision: 'deny', permissionDecisionReason: 'not today' }),
      { decision: 'deny', reason: expect.stringMatching(/refuses it: not today$/) as string },
    ],
    [pre({ permissionDecision: 'ask', permissionDecisionReason: 'look at it' }), { decision: 'ask', reason: 'look at it' }],
    [pre({ permissionDecision: 'allow', updatedInput: { command: 'ls' } }), { decision: 'allow', updatedInput: { command: 'ls' } }],
    [pre({ updatedInput: { command: 'ls' } }), { updatedInput: { command: 'ls' } }],
    [pre({ additionalContext: 'mind the gap' }), { context: ['mind the gap'] }],
    [
      { decision: 'block', reason: 'old form' },
      { decision: 'deny', reason: expect.stringMatching(/refuses it: old form$/) as string },
    ],
    [{ decision: 'approve' }, { decision: 'allow' }],
    [{ continue: false, stopReason: 'enough' }, { stop: 'enough' }],
  ])('the JSON %j', async (json, outcome) => {
    const { bus } = await busOf(on('PreToolUse', prints(json)))
    expect(await bus.fire(bash, moment())).toEqual({ context: [], ...outcome })
  })

  test('after a call, exit code 2 and `decision: block` are text for the model', async () => {
    const after = { ...bash, event: 'PostToolUse', tool_response: '', duration_ms: 1 } as const
    const { bus } = await busOf(on('PostToolUse', 'echo lint >&2; exit 2', prints({ decision: 'block', reason: 'types' })))
    expect(await bus.fire(after, moment())).toEqual({ context: [], block: 'lint\ntypes' })
  })

  test('plain text is context when a session or a prompt begins, and nowhere else', async () => {
    const { bus } = await busOf({
      ...on('SessionStart', 'echo branch main'),
      ...on('UserPromptSubmit', 'echo today'),
      ...on('PreToolUse', 'echo nothing'),
    })
    expect(await bus.fire({ event: 'SessionStart', source: 'startup' }, moment())).toEqual({ context: ['branch main'] })
    expect(await bus.fire({ event: 'UserPromptSubmit', prompt: 'go' }, moment())).toEqual({ context: ['today'] })
    expect(await bus.fire(bash, moment())).toEqual({ context: [] })
  })

  test('a message for people is said, a long text is cut at 10,000 characters', async () => {
    const { bus, said } = await busOf(on('UserPromptSubmit', prints({ systemMessage: 'hello' }), `head -c 12000 /dev/zero | tr '\\0' x`))
    const { context } = await bus.fire({ event: 'UserPromptSubmit', prompt: 'go' }, moment())
    expect(context).toEqual([`${'x'.repeat(10_000)}\n[2000 more characters left out]`])
    expect(said()).toEqual(['hook-message: hello'])
  })
})

describe('which hooks run', () => {
  test('names fit whole, a pattern anywhere; no matcher fits all', async () => {
    const group = (matcher: object | undefined, name: string) => ({
      ...(matcher && { matcher }),
      handlers: [{ type: 'command' as const, command: prints({ hookSpecificOutput: { additionalContext: name } }) }],
    })
    const groups = [
      group({ names: ['Edit', 'Bash'] }, 'names'),
      group({ names: ['Ba'] }, 'part'),
      group({ regex: '^mcp__|as' }, 'regex'),
      group({ regex: '(' }, 'broken'),
      group(undefined, 'all'),
    ]
    const { bus } = await busOf({ PreToolUse: groups as never })
    expect((await bus.fire(bash, moment())).context).toEqual(['names', 'regex', 'broken', 'all'])
  })

  test('settings come first, then the agent; identical handlers run once; the result is in this order whatever takes longest', async () => {
    const root = await folder()
    const say = (name: string, wait = 0) =>
      `sleep ${wait}; echo x >> ${join(root, 'log')}; ${prints({ hookSpecificOutput: { additionalContext: name } })}`
    const { bus } = await busOf(on('PreToolUse', say('slow', 0.4), say('quick')), on('PreToolUse', say('quick'), say('own')))
    expect((await bus.fire(bash, moment())).context).toEqual(['slow', 'quick', 'own'])
    expect(readFileSync(join(root, 'log'), 'utf8')).toBe('x\nx\nx\n')
  })

  test('deny is stronger than ask, ask than allow; the input of the last one counts', async () => {
    const answer = (permissionDecision: string, command?: string) =>
      prints(pre({ permissionDecision, permissionDecisionReason: permissionDecision, ...(command && { updatedInput: { command } }) }))
    const first = await busOf(on('PreToolUse', answer('allow', 'one'), answer('ask'), answer('allow', 'two')))
    expect(await first.bus.fire(bash, moment())).toEqual({ decision: 'ask', reason: 'ask', updatedInput: { command: 'two' }, context: [] })
    const second = await busOf(on('PreToolUse', answer('allow', 'one'), answer('deny')))
    expect(await second.bus.fire(bash, moment())).toMatchObject({ decision: 'deny' })
    expect(await second.bus.fire(bash, moment())).not.toHaveProperty('updatedInput')
  })

  test('`once` runs once, `if` runs for calls that its rule is about', async () => {
    const context = (name: string) => prints({ hookSpecificOutput: { additionalContext: name } })
    const rule = { tool: 'Bash', match: { prefix: ['git', 'push'] } }
    const { bus } = await busOf(
      on('PreToolUse', { type: 'command', command: context('once'), once: true }, { type: 'command', command: context('if'), if: rule }),
    )
    expect((await bus.fire(bash, moment({ isAbout: (asked) => asked === rule }))).context).toEqual(['once', 'if'])
    expect((await bus.fire(bash, moment({ isAbout: () => false }))).context).toEqual([])
    expect((await bus.fire(bash, moment())).context).toEqual([])
  })

  test('Stop in the file of a sub-agent is its SubagentStop', async () => {
    const { bus } = await busOf(on('Stop', 'echo settings >&2; exit 2'), on('Stop', 'echo own >&2; exit 2'), {
      subject: { agentId: 'a1', agentType: 'worker' },
    })
    const stopping = { stop_hook_active: false, last_assistant_message: '', background_tasks: [], session_crons: [] }
    expect((await bus.fire({ event: 'SubagentStop', agent_transcript_path: '/t', ...stopping }, moment())).block).toBe('own')
    expect((await bus.fire({ event: 'Stop', ...stopping }, moment())).block).toBe('settings')
  })
})

describe('processes and time', () => {
  test('a hook that takes too long is ended with everything it started, and blocks nothing', async () => {
    const line = '(setsid sleep 300 &) ; sleep 300 & trap "" TERM; sleep 300'
    const { bus, said, mark } = await busOf(on('PreToolUse', { type: 'command', command: line, timeout: 0.4 }))
    expect(await bus.fire(bash, moment())).toEqual({ context: [] })
    expect(withEnvironment(mark)).toEqual([])
    expect(said()).toEqual([`hook-failed: the PreToolUse hook ${line} failed: it took longer than 0.4 seconds and was ended`])
  })

  test('an interrupted run ends its hooks', async () => {
    const stop = new AbortController()
    const { bus, cwd, mark } = await busOf(on('PreToolUse', 'touch begun; sleep 300'))
    const fired = bus.fire(bash, moment({ signal: stop.signal }))
    await vi.waitFor(() => expect(existsSync(join(cwd, 'begun'))).toBe(true), 10_000)
    expect(withEnvironment(mark)).not.toEqual([])
    stop.abort()
    await fired
    expect(withEnvironment(mark)).toEqual([])
  })

  test('the session ends after 1.5 seconds, whatever its hooks do', async () => {
    const { bus, cwd, said, mark } = await busOf(on('SessionEnd', 'touch begun; sleep 300'))
    await bus.fire({ event: 'SessionEnd', reason: 'other' }, moment())
    expect(said()[0]).toContain('took longer than 1.5 seconds')
    expect([existsSync(join(cwd, 'begun')), withEnvironment(mark)]).toEqual([true, []])
  })

  test('a hook finds the folder of the project, its input on standard input, and the marks of the run; a program gets arguments as they are', async () => {
    const { bus, cwd, mark } = await busOf(
      on('PreToolUse', 'cat > input; env > environment', {
        type: 'command',
        command: '/bin/sh',
        args: ['-c', 'printf "%s" "$1" > args', 'sh', '${CLAUDE_PROJECT_DIR} $HOME "'],
      }),
    )
    await bus.fire(bash, moment())
    const input = JSON.parse(readFileSync(join(cwd, 'input'), 'utf8')) as object
    expect(Object.entries(input)).toEqual([
      ['session_id', 'session-1'],
      ['transcript_path', '/run/transcript.jsonl'],
      ['cwd', cwd],
      ['prompt_id', 'prompt-1'],
      ['permission_mode', 'default'],
      ['hook_event_name', 'PreToolUse'],
      ['tool_name', 'Bash'],
      ['tool_input', { command: 'git push' }],
      ['tool_use_id', 'toolu_1'],
      ['effort', { level: 'medium' }],
    ])
    const environment = readFileSync(join(cwd, 'environment'), 'utf8')
    expect(environment).toContain(`CLAUDE_PROJECT_DIR=${cwd}\n`)
    expect(environment).toContain(`AGENTC_RUN=${mark}`)
    expect(readFileSync(join(cwd, 'args'), 'utf8')).toBe(`${cwd} $HOME "`)
  })

  test('a hook that does not read its input, and one that leaves a process with its output, do no harm', async () => {
    const { bus, said } = await busOf(on('UserPromptSubmit', 'exec 0<&-; exit 0', 'sleep 300 & echo said'))
    const big = 'x'.repeat(1_000_000)
    expect((await bus.fire({ event: 'UserPromptSubmit', prompt: big }, moment())).context).toEqual(['said'])
    expect(said()).toEqual([])
  })

  test('async is not waited for and decides nothing; asyncRewake says what it cannot do', async () => {
    const { bus, cwd, said } = await busOf(
      on(
        'PreToolUse',
        { type: 'command', command: 'sleep 0.3; touch ran; exit 2', async: true },
        { type: 'command', command: 'exit 2', asyncRewake: true },
      ),
    )
    expect(await bus.fire(bash, moment())).toEqual({ context: [] })
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
    expect(said()).toEqual(['hook-async: the PreToolUse hook exit 2 runs beside the agent and cannot wake it (asyncRewake)'])
    await expect.poll(() => existsSync(join(cwd, 'ran'))).toBe(true)
  })

  test('the hook of a plugin whose folder is not known is not run, and that is said', async () => {
    const origin = { source: 'plugin', plugin: 'kit', path: 'hooks/hooks.json', line: 1, column: 1 } as const
    const hooks = { PreToolUse: [{ handlers: [{ type: 'command' as const, command: '${CLAUDE_PLUGIN_ROOT}/deny.sh' }], origin }] }
    const unknown = await busOf(hooks)
    expect(await unknown.bus.fire(bash, moment())).toEqual({ context: [] })
    expect(unknown.said()[0]).toContain('the folder of its plugin is not known here')
    const root = await folder()
    const known = await busOf(
      { PreToolUse: [{ ...hooks.PreToolUse[0]!, handlers: [{ type: 'command', command: 'echo "$CLAUDE_PLUGIN_ROOT" >&2; exit 2' }] }] },
      {},
      { pluginFolders: { kit: root } },
    )
    expect((await known.bus.fire(bash, moment())).reason).toContain(root)
  })
})
