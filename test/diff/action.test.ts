import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { agent, BIN } from '../support/bin.ts'
import { git } from '../support/git.ts'
import { put, ROOT, temporary } from '../support/tree.ts'
import { repository, type TestRepository } from './repository.ts'

interface Step {
  name: string
  if?: string
  shell: string
  'working-directory'?: string
  env?: Record<string, string>
  run: string
}
interface Action {
  inputs: Record<string, { default: string }>
  runs: { using: string; steps: Step[] }
}

const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action
const stepOf = (name: string): Step => action.runs.steps.find((step) => step.name === name)!

/** Runs a step as the runner does: expressions filled in, then bash with the runner's flags. */
function run(
  name: string,
  repo: TestRepository,
  inputs: Record<string, string> = {},
  base = '',
  where: { actionPath?: string; path?: string } = {},
) {
  const { shell, env = {}, run: script, 'working-directory': folder = '.' } = stepOf(name)
  expect(shell).toBe('bash')
  const filled = (text: string): string =>
    text.replace(/\$\{\{ ([^}]+) \}\}/g, (_all, expression: string) => {
      if (expression === 'github.event.pull_request.base.sha') return base
      const input = /^inputs\.([\w-]+)$/.exec(expression)?.[1]
      if (input === undefined || !action.inputs[input]) throw new Error(`no value for ${expression}`)
      return inputs[input] ?? action.inputs[input].default
    })
  const variables = Object.fromEntries(Object.entries(env).map(([key, text]) => [key, filled(text)]))
  const ran = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: join(repo.root, filled(folder)),
    encoding: 'utf8',
    env: {
      PATH: `${where.path ? `${where.path}:` : ''}${process.env['PATH']}`,
      HOME: join(repo.base, 'home'),
      GITHUB_ACTION_PATH: where.actionPath ?? ROOT,
      GITHUB_STEP_SUMMARY: join(repo.base, 'summary.md'),
      ...variables,
    },
  })
  return { code: ran.status, out: ran.stdout, err: ran.stderr }
}

describe('action.yml', () => {
  test('no script holds an expression, so that nothing from a pull request becomes part of a command', () => {
    expect(action.runs.using).toBe('composite')
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{')
    for (const { run } of action.runs.steps) expect(run).not.toMatch(/\bnpx\b/)
  })

  test('the build step fails on errors, and on warnings unless told otherwise', () => {
    const repo = repository()
    expect(run('Prepare agentc', repo)).toEqual({ code: 0, out: '', err: '' })
    expect(run('Build', repo)).toEqual({ code: 0, out: '', err: '' })
    repo.put('.claude/agents/reviewer.md', agent('reviewer', 'tools: Read, Grpe'))
    const strict = run('Build', repo)
    expect(strict.code).toBe(1)
    expect(strict.out).toMatch(/^::warning file=\.claude\/agents\/reviewer\.md,line=4,.*title=tool\/unknown::/)
    expect(run('Build', repo, { strict: 'false' }).code).toBe(0)
    repo.put('.claude/agents/reviewer.md', '---\nname: reviewer\n---\n')
    expect(run('Build', repo, { strict: 'false' }).code).toBe(1)
  })

  test('further arguments are given one a line and stay whole', () => {
    const repo = repository()
    put(repo.base, 'a kit/.claude-plugin/plugin.json', '{"name": "kit"}')
    put(repo.base, 'a kit/agents/bad.md', '---\nname: bad\n---\n')
    expect(run('Build', repo, { arguments: '--plugin-dir\n../a kit\n' }).out).toContain('bad.md')
    expect(run('Build', repo, { arguments: '--layers=$(touch pwned)' })).toMatchObject({ code: 2 })
    expect(existsSync(join(repo.root, 'pwned'))).toBe(false)
  })

  test('the step for pull requests says what changed since the base, fetches it where it is missing, and can be a gate', () => {
    const origin = repository()
    const base = origin.git('rev-parse', 'HEAD')
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
    origin.put('.claude/agents/reviewer.md', agent('reviewer', 'tools: Read, Bash'))
    origin.commit()
    const root = join(origin.base, 'shallow')
    git(origin.base, 'clone', '-q', '--depth', '1', `file://${origin.root}`, root)
    const repo = { ...origin, root }
    const step = stepOf('What changed in power')
    expect(step.if).toContain("github.event_name == 'pull_request'")
    const ran = run('What changed in power', repo, {}, base)
    expect(ran).toEqual({
      code: 0,
      err: '',
      out: '::warning file=.claude/agents/reviewer.md,line=4,title=Gain of power::reviewer: gains Bash\n',
    })
    expect(readFileSync(join(origin.base, 'summary.md'), 'utf8')).toContain('gains Bash')
    expect(run('What changed in power', repo, { 'fail-on-gain': 'true' }, base).code).toBe(1)
  })

  test('a fresh copy of the action builds itself before it is used', () => {
    const folder = temporary()
    for (const part of ['agentc.ts', 'package.json', 'compiler', 'runner', 'schemas', 'agents', 'scripts'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true })
    put(folder, 'bin/npm', `#!/bin/sh\ntest "$1" = ci && ln -s '${join(ROOT, 'node_modules')}' node_modules\n`)
    execFileSync('chmod', ['+x', join(folder, 'bin/npm')])
    const repo = repository()
    const where = { actionPath: folder, path: join(folder, 'bin') }
    expect(run('Prepare agentc', repo, {}, '', where)).toMatchObject({ code: 0 })
    expect(run('Build', repo, {}, '', where)).toEqual({ code: 0, out: '', err: '' })
  })
})

describe('.pre-commit-hooks.yaml', () => {
  const [hook] = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as [
    { id: string; language: string; entry: string; files: string; pass_filenames: boolean },
  ]

  test('its pattern takes the files that agents are made of, and no others', () => {
    const files = new RegExp(hook.files)
    for (const path of ['.claude/agents/a.md', 'packages/x/.claude/settings.json', '.mcp.json', 'x/.mcp.json']) expect(path).toMatch(files)
    for (const path of ['README.md', 'my.claude/x', 'x.mcp.json', 'src/claude/x.md']) expect(path).not.toMatch(files)
  })

  test('its entry, started as pre-commit does, passes on good agents and fails on a broken one', () => {
    const repo = repository()
    const bin = join(repo.base, 'bin')
    mkdirSync(bin)
    symlinkSync(BIN, join(bin, 'agentc'))
    const start = () => {
      const [command, ...args] = hook.entry.split(' ')
      const names = hook.pass_filenames ? ['.claude/agents/reviewer.md'] : []
      const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: join(repo.base, 'home'), GIT_INDEX_FILE: '.git/index' }
      return spawnSync(command!, [...args, ...names], { cwd: repo.root, env, encoding: 'utf8' })
    }
    expect(hook).toMatchObject({ id: 'agentc', language: 'node' })
    expect(start()).toMatchObject({ status: 0, stderr: '' })
    expect(repo.git('status', '--porcelain')).toBe('')
    repo.put('.claude/agents/reviewer.md', '---\nname: reviewer\n---\n')
    expect(start()).toMatchObject({ status: 1, stdout: expect.stringContaining('reviewer.md') as string })
  })
})
