import { chmodSync, existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { agentc, agents, project, type Ran, start } from '../../support/bin.ts'
import { git } from '../../support/git.ts'
import { withArgument } from '../../support/processes.ts'
import { temporary } from '../../support/tree.ts'
import { bash } from '../calls.ts'
import { fakeApi } from '../stage.ts'
import { works } from './walls.ts'

/** `agentc run --sandbox`, in the program itself. */

const WORKER = agents({ worker: ['tools: Bash, TaskOutput, TaskStop'] })
const FREE = ['--permission-mode', 'bypassPermissions']

/** A PATH with a bwrap in front that does not work, as in many containers. */
function broken(): string {
  const folder = temporary()
  writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n')
  chmodSync(join(folder, 'bwrap'), 0o755)
  return `${folder}:${process.env.PATH}`
}
const WHY = 'bwrap does not work here (bwrap: No permissions to create new namespace)'

interface Scene {
  cwd?: string
  files?: Record<string, string>
  env?: Record<string, string>
  prompt?: string
}

/** Runs an agent on a script. Its events are there with `--format stream-json`. */
async function ran(script: unknown, argv: string[], { cwd, files = WORKER, env = {}, prompt = 'go' }: Scene = {}) {
  const api = await fakeApi(Array.isArray(script) ? { turns: script } : script)
  const at = cwd ?? project(files)
  const own = { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: api.url, ...env }
  const words = argv.includes('--resume') ? ['run', ...argv] : ['run', 'worker', prompt, ...FREE, ...argv]
  const done = await agentc([...words, '--format', 'stream-json'], { cwd: at, env: own })
  return { ...done, cwd: at, api, env: own, events: eventsOf(done) }
}

interface Event {
  type: string
  subtype?: string
  code?: string
  message?: string
  sandboxed?: boolean
  result?: string
}

function eventsOf({ out }: Ran): Event[] {
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Event]))
}

const ends = (events: readonly Event[]) => events.filter(({ type }) => type === 'user').map(({ sandboxed }) => sandboxed)
const told = (events: readonly Event[]) => events.filter(({ code }) => code === 'sandbox').map(({ message }) => message)
const runIn = (cwd: string) => readdirSync(join(cwd, '.agentc/runs'))[0]!
const transcript = (cwd: string) => readFileSync(join(cwd, '.agentc/runs', runIn(cwd), 'transcript.jsonl'), 'utf8')
const results = async (api: Awaited<ReturnType<typeof fakeApi>>) => JSON.stringify((await api.requests()).at(-1)!.messages)

test('--sandbox knows three words, and is for new runs', async () => {
  const cwd = project(WORKER)
  const wrong = await agentc(['run', 'worker', 'go', '--sandbox', 'maybe'], { cwd })
  expect([wrong.code, wrong.err]).toEqual([2, 'agentc: There is no sandbox mode maybe; there are required, auto, off.\n'])
  const name = await agentc(['run', 'worker', 'go', '--pass-env', 'A=b'], { cwd })
  expect([name.code, name.err]).toEqual([2, 'agentc: --pass-env wants the name of a variable, not A=b.\n'])
  const resumed = await agentc(['run', '--resume', 'x', '--sandbox', 'off'], { cwd })
  expect([resumed.code, resumed.err]).toEqual([2, 'agentc: --sandbox is for new runs: a resumed one goes on as it began.\n'])
  expect((await agentc(['run', '--help'], { cwd })).out).toMatch(/--sandbox MODE .*auto \(default\) where they work, required/)
})

describe('without a bubblewrap that works', () => {
  test('a run that requires it does not begin: the reason, exit code 1, nothing sent and nothing kept', async () => {
    const { code, err, out, api, cwd } = await ran([{ text: 'ok' }], ['--sandbox', 'required'], { env: { PATH: broken() } })
    expect([code, out, err]).toEqual([1, '', `agentc: There is no sandbox: ${WHY}, and one is required.\n`])
    expect(await api.requests()).toEqual([])
    expect(existsSync(join(cwd, '.agentc/runs'))).toBe(false)
  })

  test('the project can require it, and whoever runs the agent has the last word', async () => {
    const files = { ...WORKER, 'agentc.config.json': '{ "sandbox": "required" }' }
    const refused = await ran([{ text: 'ok' }], [], { files, env: { PATH: broken() } })
    expect([refused.code, refused.err]).toEqual([1, `agentc: There is no sandbox: ${WHY}, and one is required.\n`])
    const off = await ran([{ tools: [bash('echo a')] }, { text: 'ok' }], ['--sandbox', 'off'], { files, env: { PATH: broken() } })
    expect([off.code, ends(off.events)]).toEqual([0, [false]])
  })

  test('auto says it before the first command and once, and records it with each call', async () => {
    const script = [{ tools: [bash('echo a'), bash('echo b')] }, { tools: [bash('echo c')] }, { text: 'ok' }]
    const { events, cwd } = await ran(script, [], { env: { PATH: broken() } })
    const kinds = events.map(({ subtype, type, code }) => code ?? subtype ?? type)
    expect(kinds.filter((kind) => ['sandbox', 'assistant', 'user'].includes(kind)).slice(0, 3)).toEqual([
      'assistant',
      'assistant',
      'sandbox',
    ])
    expect(told(events)).toEqual([`commands run without a sandbox: ${WHY}`])
    expect(ends(events)).toEqual([false, false, false])
    expect(transcript(cwd).match(/"sandboxed":false/g)).toHaveLength(3)
    const { out } = await agentc(['runs', 'show', runIn(cwd)], { cwd })
    expect(out).toMatch(/Bash echo a \(no sandbox\)/)
    expect(out).toContain(`commands run without a sandbox: ${WHY}`)
  })

  test('a run without commands looks for none and says nothing, off says that it is off', async () => {
    expect(told((await ran([{ text: 'ok' }], [], { env: { PATH: broken() } })).events)).toEqual([])
    const off = await ran([{ tools: [bash('echo a')] }, { text: 'ok' }], ['--sandbox', 'off'])
    expect([told(off.events), ends(off.events)]).toEqual([['commands run without a sandbox, because of --sandbox off'], [false]])
  })
})

describe.skipIf(!works)('with bubblewrap', () => {
  test('a command writes in the work folder and in a /tmp of its own; that is recorded, shown, and verified', async () => {
    const outside = join(realpathSync(temporary()), 'x')
    const kept = `/tmp/kept-${basename(temporary())}`
    const script = [
      { tools: [bash(`echo in > in.txt; echo out > ${outside}; echo kept > ${kept}`)] },
      { tools: [bash(`cat ${kept}`)] },
      { text: 'ok' },
    ]
    const { code, events, cwd, api } = await ran(script, [])
    expect([code, told(events), ends(events)]).toEqual([0, [], [true, true]])
    expect([existsSync(join(cwd, 'in.txt')), existsSync(outside), existsSync(kept)]).toEqual([true, false, false])
    expect(await results(api)).toContain('"content":"kept"')
    expect(transcript(cwd).match(/"sandboxed":true/g)).toHaveLength(2)
    const shown = await agentc(['runs', 'show', runIn(cwd), '--format', 'json'], { cwd })
    const { steps } = JSON.parse(shown.out) as { steps: { kind: string; sandboxed?: boolean }[] }
    expect(steps.filter(({ kind }) => kind === 'tool').map(({ sandboxed }) => sandboxed)).toEqual([true, true])
    expect((await agentc(['runs', 'show', runIn(cwd)], { cwd })).out).toContain(`Bash cat ${kept} (in the sandbox)`)
    expect((await agentc(['verify', runIn(cwd)], { cwd })).code).toBe(0)
  })

  test('a recorded run asks for the very same with and without walls, and replays on either side', async () => {
    const script = [
      { tools: [bash('echo a; echo b >&2; exit 3'), bash('kill -9 $$'), bash('seq 3; pwd -P | wc -l; echo "$SHLVL"')] },
      { tools: [bash('sleep 0.2; echo late', { run_in_background: true }), bash('(sleep 5 &); cat')] },
      { tools: [{ name: 'TaskOutput', input: { task_id: 'shell-1' } }, bash('sleep 9', { timeout: 300 })] },
      { text: 'ok' },
    ]
    const cwd = project(WORKER)
    const recorded = async (name: string, env: Record<string, string>) => {
      const done = await ran(script, ['--record', name], { cwd, env })
      expect(done.code).toBe(0)
      const turns = readFileSync(join(cwd, name), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"kind":"turn"'))
      return turns.map((line) => (JSON.parse(line) as { hash: string }).hash)
    }
    const [inside, outside] = [await recorded('in.jsonl', {}), await recorded('out.jsonl', { PATH: broken() })]
    expect(inside).toHaveLength(4)
    expect(outside).toEqual(inside)
    for (const [name, env] of [
      ['in.jsonl', { PATH: broken() }],
      ['out.jsonl', {}],
    ] as const) {
      const again = await ran([], ['--replay', name], { cwd, env })
      expect([again.code, again.events.at(-1)!.result]).toEqual([0, 'ok'])
    }
  })

  test('commands of the prompt run in walls too, those of hooks do not: they are of whoever runs the agent', async () => {
    const other = realpathSync(temporary())
    const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: `echo h > ${other}/hook` }] }] } }
    const files = { ...WORKER, '.claude/settings.json': JSON.stringify(settings) }
    const prompt = `!echo p > ${other}/prompt; echo said`
    const { code, api } = await ran([{ tools: [bash(`echo b > ${other}/bash`)] }, { text: 'ok' }], ['--trust'], { files, prompt })
    expect([code, readdirSync(other)]).toEqual([0, ['hook']])
    expect(await results(api)).toContain('said')
  })

  test('an agent in a worktree writes and commits there, and not in the checkout', async () => {
    const cwd = project(agents({ worker: ['tools: Agent, Bash'], helper: ['tools: Bash', 'isolation: worktree'] }))
    git(cwd, 'init', '-q', '-b', 'main')
    for (const [key, value] of [
      ['user.email', 'a@b'],
      ['user.name', 'n'],
    ] as const)
      git(cwd, 'config', key, value)
    writeFileSync(join(cwd, 'a.txt'), 'a')
    git(cwd, 'add', 'a.txt')
    git(cwd, 'commit', '-qm', 'first')
    const leak = 'python3 -c "open(1)" 2>/dev/null; printf x > "$(git rev-parse --git-common-dir)/../leak.txt"'
    const call = { name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'helper' } }
    const helper = {
      when: { system: 'You are helper' },
      turns: [{ tools: [bash('echo own > own.txt && git add own.txt && git commit -qm own')] }, { tools: [bash(leak)] }, { text: 'done' }],
    }
    const { code } = await ran(
      { rules: [helper], turns: [{ tools: [call] }, { tools: [bash('git log --all --format=%s')] }, { text: 'ok' }] },
      [],
      { cwd },
    )
    expect([code, existsSync(join(cwd, 'leak.txt')), existsSync(join(cwd, 'own.txt'))]).toEqual([0, false, false])
    expect(git(cwd, 'log', '--all', '--topo-order', '--format=%s')).toBe('own\nfirst\n')
    const sides = join(cwd, '.agentc/runs', runIn(cwd), 'agents')
    const side = readFileSync(join(sides, readdirSync(sides)[0]!), 'utf8')
    expect(side).toContain('"sandboxed":true')
  })

  test('what rules hide is hidden from programs that no rule can see through, also where an agent above is denied it', async () => {
    const files = {
      ...agents({ worker: ['tools: Agent, Bash', 'disallowedTools: Read(own.txt)'], helper: ['tools: Bash'] }),
      '.claude/settings.json': JSON.stringify({ permissions: { deny: ['Read(all.txt)'] } }),
      'own.txt': 'OWN',
      'all.txt': 'ALL',
      'free.txt': 'FREE',
      'look.sh': 'cat own.txt all.txt free.txt',
    }
    const call = { name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'helper' } }
    const helper = { when: { system: 'You are helper' }, turns: [{ tools: [bash('sh look.sh')] }, { text: 'done: {{last_tool_result}}' }] }
    const script = { rules: [helper], turns: [{ tools: [bash('sh look.sh')] }, { tools: [call] }, { text: 'ok' }] }
    const { code, api } = await ran(script, [], { files })
    const said = await results(api)
    expect([code, said.match(/FREE/g)?.length, said.includes('OWN'), said.includes('ALL')]).toEqual([0, 2, false, false])
  })

  test('a run that has begun with walls is not gone on with without', async () => {
    const script = [{ tools: [bash('echo a')] }, { text: 'ok' }, { tools: [bash('echo b')] }, { text: 'ok' }]
    const first = await ran(script, ['--sandbox', 'required'])
    expect(first.code).toBe(0)
    const argv = ['run', '--resume', runIn(first.cwd), 'more']
    const refused = await agentc(argv, { cwd: first.cwd, env: { ...first.env, PATH: broken() } })
    expect([refused.code, refused.err]).toEqual([1, `agentc: There is no sandbox: ${WHY}, and one is required.\n`])
    const gone = await agentc([...argv, '--format', 'stream-json'], { cwd: first.cwd, env: first.env })
    expect([gone.code, ends(eventsOf(gone))]).toEqual([0, [true]])
    expect((await agentc(['verify', runIn(first.cwd)], { cwd: first.cwd })).code).toBe(0)
  })

  test('secrets of the environment are kept from commands, but for one that is passed on', async () => {
    const env = { SOME_TOKEN: 'token-value-1', OTHER_TOKEN: 'token-value-2' }
    const script = [{ tools: [bash('echo "[$SOME_TOKEN][$OTHER_TOKEN]"; env | grep -c ANTHROPIC')] }, { text: 'ok' }]
    const { events, api } = await ran(script, ['--pass-env', 'OTHER_TOKEN'], { env })
    expect(await results(api)).toContain('[][token-value-2]\\n0')
    expect(told(events)).toEqual(['commands do not get SOME_TOKEN, called like secrets; --pass-env NAME gives one'])
  })

  test('folders of the settings may be written, for a project that is trusted', async () => {
    const further = realpathSync(temporary())
    const files = { ...WORKER, '.claude/settings.json': JSON.stringify({ permissions: { additionalDirectories: [further] } }) }
    const script = [{ tools: [bash(`echo x > ${further}/x`)] }, { text: 'ok' }]
    await ran(script, [], { files })
    expect(readdirSync(further)).toEqual([])
    await ran(script, ['--trust'], { files })
    expect(readdirSync(further)).toEqual(['x'])
  })

  test('commands end with a run that is killed, at whatever moment', async () => {
    const begun = 'touch begun; sleep 86.4286'
    const turn = { tools: [bash(begun, { run_in_background: true }), bash(begun, { run_in_background: true }), bash(begun)] }
    const { url } = await fakeApi({ turns: [turn] })
    // What a killed run cannot take away is removed with the test.
    const env = { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: url, TMPDIR: temporary() }
    const left = () => withArgument('86.4286').length > 0
    for (const after of [0, 4, 8, 12]) {
      const cwd = project(WORKER)
      const child = start(['run', 'worker', 'go', ...FREE, '--sandbox', 'required'], { cwd, env })
      const gone = new Promise((resolve) => child.once('exit', resolve))
      while (!existsSync(join(cwd, 'begun'))) await pause(1)
      await pause(after)
      child.kill('SIGKILL')
      await gone
      for (let tries = 0; left() && tries < 100; tries++) await pause(20)
      expect(left()).toBe(false)
    }
  })
})
