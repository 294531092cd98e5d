import { existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentc, agents, ended, project, start } from '../support/bin.ts'
import { put, ROOT } from '../support/tree.ts'

const ESCAPE = '\u001b['

describe('the program as a whole', () => {
  test('--version is that of the package, and --help of each command names its flags', async () => {
    const cwd = project()
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    expect(await agentc(['--version'], { cwd })).toEqual({ code: 0, out: `${version}\n`, err: '' })
    const flags = { build: '--keep-going', list: '--layers', explain: '--all', run: '--manifest', schema: 'manifest' }
    const help = await Promise.all(Object.keys(flags).map((command) => agentc([command, '--help'], { cwd })))
    for (const [i, ran] of help.entries()) {
      expect(ran).toMatchObject({ code: 0, err: '' })
      expect(ran.out).toContain(Object.values(flags)[i])
    }
    const all = await agentc([], { cwd })
    expect(all.code).toBe(0)
    for (const command of Object.keys(flags)) expect(all.out).toContain(`agentc ${command}`)
  })

  test('run takes the flags of build that say where agents come from, names them in its help, and refuses the others', async () => {
    const cwd = project(agents({ reviewer: [] }))
    const help = async (command: string) => (await agentc([command, '--help'], { cwd })).out
    const [list, run] = await Promise.all([help('list'), help('run')])
    const notTaken = ['--format', '--target', '--color']
    const sources = [...list.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag!).filter((flag) => !notTaken.includes(flag))
    expect(sources).toContain('--setting-sources')
    for (const flag of sources) expect(run).toMatch(new RegExp(`${flag}\\b(?!-)`))
    for (const flag of notTaken.slice(1)) {
      const ran = await agentc(['run', 'reviewer', 'go', flag, 'never'], { cwd })
      expect(ran).toMatchObject({ code: 2, err: expect.stringContaining(`Unknown option '${flag}'`) as string })
    }
  })

  test('an unknown command is exit code 2 and shows which there are', async () => {
    for (const name of ['biuld', 'constructor', '--frobnicate']) {
      const ran = await agentc([name], { cwd: project() })
      expect(ran).toMatchObject({ code: 2, out: '' })
      expect(ran.err).toContain(`There is no command "${name}".`)
      expect(ran.err).toContain('agentc build')
    }
  })

  test('schema prints the published schemas, and names them when asked for another', async () => {
    const cwd = project()
    const { code, out } = await agentc(['schema', 'agent'], { cwd })
    expect(code).toBe(0)
    expect(out).toBe(readFileSync(join(ROOT, 'schemas/agent.schema.json'), 'utf8'))
    expect(await agentc(['schema', 'agnet'], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining('schema takes one of agent, agents-flag, config, diff, list') as string,
    })
  })

  test('run says why an agent gives no run, whether the last build left it out or has not seen it', async () => {
    const broken = { '.claude/agents/half.md': '---\nname: half\ntools: Read\n---\nx\n' }
    const cwd = project({ ...broken, '.claude/agents/nameless.md': '---\ndescription: Has none.\ntools: Read\n---\nx\n' })
    const asked = async (name: string) => agentc(['run', name, 'go'], { cwd })
    const half = {
      code: 1,
      out: '',
      err: 'agentc: The agent "half" cannot be run: .claude/agents/half.md:1:1: The agent has no `description`, so it is not loaded.\n',
    }
    const nameless = { code: 1, err: expect.stringMatching(/"nameless" cannot be run: .*nameless\.md:1:1: .* no `name`/) as string }
    expect(await asked('half')).toEqual(half)
    expect(await asked('nameless')).toMatchObject(nameless)
    await agentc(['build', '--keep-going'], { cwd })
    expect(await asked('half')).toEqual(half)
    expect(await asked('nameless')).toMatchObject(nameless)
    expect(await asked('nobody')).toMatchObject({ code: 2, err: expect.stringContaining('There is no agent "nobody".') as string })
  })

  test('a bug of agentc itself is exit code 70 with a stack and a request to report it', async () => {
    const cwd = project(agents({ reviewer: [] }))
    put(cwd, 'planted.cjs', "Array.prototype.findLast = () => { throw new TypeError('planted') }\n")
    const ran = await agentc(['build'], { cwd, env: { NODE_OPTIONS: '--require ./planted.cjs' } })
    expect(ran).toMatchObject({ code: 70, out: '' })
    expect(ran.err).toMatch(/^agentc has a bug; please report it with the command you ran\.\nTypeError: planted\n {4}at /)
  })

  test('CLAUDE_CONFIG_DIR names the folder of the user layer, and --home overrides it', async () => {
    const cwd = project()
    put(cwd, '../elsewhere/agents/mine.md', '---\nname: mine\ndescription: Is mine.\n---\n\nYou are mine.\n')
    const env = { CLAUDE_CONFIG_DIR: '../elsewhere' }
    expect((await agentc(['list', '--layers', 'user'], { cwd, env })).out).toContain('● mine')
    expect((await agentc(['list', '--layers', 'user', '--home', '../home'], { cwd, env })).out).not.toContain('mine')
  })
})

describe('colour', () => {
  test('a pipe gets none, --color always gives it all the same, --color never and NO_COLOR take it away', async () => {
    const cwd = project(agents({ reviewer: ['tools: Read, Grpe'] }))
    expect((await agentc(['build'], { cwd })).out).not.toContain(ESCAPE)
    expect((await agentc(['build', '--color', 'always'], { cwd, env: { NO_COLOR: '1' } })).out).toContain(`${ESCAPE}33mwarning${ESCAPE}39m`)
    expect((await agentc(['build', '--color', 'never'], { cwd, env: { FORCE_COLOR: '1' } })).out).not.toContain(ESCAPE)
  })

  test('a terminal gets it, unless NO_COLOR is set', async () => {
    const cwd = project(agents({ reviewer: ['tools: Read, Grpe'] }))
    // `terminal` is standard output's isTTY: a preloaded file makes the pipe look like one.
    put(cwd, 'terminal.cjs', 'process.stdout.isTTY = true\n')
    const env = { NODE_OPTIONS: '--require ./terminal.cjs' }
    expect((await agentc(['build'], { cwd, env })).out).toContain(ESCAPE)
    expect((await agentc(['build'], { cwd, env: { ...env, NO_COLOR: '1' } })).out).not.toContain(ESCAPE)
    expect((await agentc(['build'], { cwd, env: { ...env, NO_COLOR: '' } })).out).toContain(ESCAPE)
  })

  test('a terminal that says it is dumb gets neither colours nor a screen that is cleared, unless it is told to', async () => {
    const cwd = project(agents({ reviewer: ['tools: Read, Grpe'] }))
    put(cwd, 'terminal.cjs', 'process.stdout.isTTY = true\n')
    const env = { NODE_OPTIONS: '--require ./terminal.cjs', TERM: 'dumb' }
    expect((await agentc(['build'], { cwd, env })).out).not.toContain(ESCAPE)
    expect((await agentc(['build', '--color', 'always'], { cwd, env })).out).toContain(ESCAPE)
    const watching = start(['watch'], { cwd, env })
    watching.stdout!.once('data', () => watching.kill('SIGINT'))
    const { code, out } = await ended(watching)
    expect(code).toBe(130)
    expect(out).toContain('tool/unknown')
    expect(out).not.toContain(ESCAPE)
  })

  test('what a file says cannot steer the terminal', async () => {
    const cwd = project({
      '.claude/agents/x.md': '---\nname: x\ndescription: Reviews.\ntools: "Read, \\e[31mGrpe\\u202e"\n---\n\nYou work.\n',
    })
    const { out } = await agentc(['build'], { cwd })
    expect(out).not.toMatch(/[\u001b\u202e]/)
    expect(out).toContain('<U+001B>')
  })
})

test.skipIf(!existsSync('/dev/full'))('a disk that is full is one sentence, not a stack', async () => {
  const child = start(['list'], { cwd: project(), stdout: openSync('/dev/full', 'w') })
  expect(await ended(child)).toEqual({ code: 1, out: '', err: 'agentc: the output cannot be written (ENOSPC).\n' })
})

describe('pipes', () => {
  const many = agents(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`agent-${i}`, ['tools: Read, Grpe']])))

  test('a slow reader of 1,000 agents gets everything, and one that goes away is no error', async () => {
    const cwd = project(many)
    const slow = start(['list', '--format', 'json'], { cwd })
    slow.stdout!.pause()
    setTimeout(() => slow.stdout!.resume(), 400)
    const ran = await ended(slow)
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(ran.out)).toHaveLength(1005)

    const cut = start(['build'], { cwd })
    cut.stdout!.once('data', () => cut.stdout!.destroy())
    let err = ''
    cut.stderr!.setEncoding('utf8').on('data', (text: string) => void (err += text))
    const code = await new Promise((resolve) => cut.once('close', resolve))
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})
