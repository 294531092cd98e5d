import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { repository } from '../diff/repository.ts'
import { agent, agentc, agents, BIN, project } from '../support/bin.ts'
import { link, put } from '../support/tree.ts'

const EXAMPLE = '.claude/agents/example.md'
const WORKFLOW = '.github/workflows/agents.yml'

describe('agentc init', () => {
  test('makes an example and a check for CI, and a strict build is clean afterwards', async () => {
    const cwd = project()
    const made = await agentc(['init'], { cwd })
    expect(made).toEqual({
      code: 0,
      out: `made ${EXAMPLE}, an agent to start from\nmade ${WORKFLOW}, a check for GitHub Actions\nNext: agentc build\n`,
      err: '',
    })
    const built = await agentc(['build', '--strict'], { cwd })
    expect(built).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^\d+ agents: no findings\n/) as string })
    for (const target of ['agentc', 'claude-code']) {
      const list = JSON.parse((await agentc(['list', '--format', 'json', '--target', target], { cwd })).out) as { name: string }[]
      expect(list).toContainEqual(expect.objectContaining({ name: 'example', source: 'project', status: 'active' }))
    }
  })

  test('the schema comment is inside the frontmatter and names the schema of the installed package', async () => {
    const cwd = project()
    await agentc(['init'], { cwd })
    const [, first] = readFileSync(join(cwd, EXAMPLE), 'utf8').split('\n')
    const path = /^# yaml-language-server: \$schema=(.+)$/.exec(first!)?.[1]
    link(cwd, 'node_modules/agentc', join(BIN, '../..'))
    const schema = JSON.parse(readFileSync(join(cwd, '.claude/agents', path!), 'utf8')) as { title: string }
    expect(schema.title).toBe('Frontmatter of an agent file')
  })

  test('overwrites nothing: what is there stays, byte for byte, and is named', async () => {
    const cwd = project({ [EXAMPLE]: 'mine', [WORKFLOW]: 'mine too' })
    expect(await agentc(['init'], { cwd })).toEqual({
      code: 0,
      out: `left ${EXAMPLE}: the project has agents\nleft ${WORKFLOW}: it is there\nNext: agentc build\n`,
      err: '',
    })
    expect(readFileSync(join(cwd, EXAMPLE), 'utf8')).toBe('mine')
    expect(readFileSync(join(cwd, WORKFLOW), 'utf8')).toBe('mine too')
  })

  test('a project with agents gets no example, which could clash with one of them', async () => {
    const cwd = project(agents({ example: [] }))
    put(cwd, '.claude/agents/deep/other.md', agent('other'))
    expect((await agentc(['init'], { cwd })).out).toContain(`left ${EXAMPLE}: the project has agents`)
    expect((await agentc(['build'], { cwd })).code).toBe(0)
  })

  test('--dry-run says the same and makes nothing', async () => {
    const cwd = project()
    const { code, out } = await agentc(['init', '--dry-run'], { cwd })
    expect(code).toBe(0)
    expect(out).toBe(`would make ${EXAMPLE}, an agent to start from\nwould make ${WORKFLOW}, a check for GitHub Actions\n`)
    expect(readdirSync(cwd)).toEqual(['.git'])
  })

  test('works at the git root from a folder below, and in the current folder outside a repository', async () => {
    const cwd = project({ 'a/b/x': '' })
    expect((await agentc(['init'], { cwd: join(cwd, 'a/b') })).out).toContain('in ../..\n')
    expect(existsSync(join(cwd, EXAMPLE))).toBe(true)
    expect(readdirSync(join(cwd, 'a/b'))).toEqual(['x'])
    const plain = join(cwd, '../plain')
    mkdirSync(plain)
    expect((await agentc(['init'], { cwd: plain })).code).toBe(0)
    expect(existsSync(join(plain, WORKFLOW))).toBe(true)
  })

  test('nothing is written through links out of the project, and a dangling link is not followed', async () => {
    const cwd = project()
    mkdirSync(join(cwd, '../outside'))
    link(cwd, '.claude', '../outside')
    link(cwd, WORKFLOW, '../../../outside/agents.yml')
    const { code, out } = await agentc(['init'], { cwd })
    expect(code).toBe(1)
    expect(out).toBe(`cannot make ${EXAMPLE}: its folder leads out of the project\nleft ${WORKFLOW}: it is there\n`)
    expect(readdirSync(join(cwd, '../outside'))).toEqual([])
  })

  test('a file where a folder has to be is one sentence and exit code 1; the other file is made', async () => {
    const cwd = project({ '.claude': 'a file' })
    const { code, out, err } = await agentc(['init'], { cwd })
    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(out).toMatch(/^cannot make \.claude\/agents\/example\.md: E\w+\nmade \.github/)
    expect((await agentc(['init', 'here'], { cwd })).code).toBe(2)
  })

  test('the steps of the workflow run in a project that has agentc installed, and start nothing else', async () => {
    const repo = repository({ '.gitignore': 'node_modules\n' })
    put(repo.root, 'node_modules/.bin/.keep', '')
    symlinkSync(BIN, join(repo.root, 'node_modules/.bin/agentc'))
    await agentc(['init'], { cwd: repo.root })
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    const workflow = parse(readFileSync(join(repo.root, WORKFLOW), 'utf8')) as {
      jobs: { agents: { steps: { run?: string }[] } }
      permissions: object
    }
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const steps = workflow.jobs.agents.steps.flatMap(({ run }) => (run?.startsWith('node_modules/') ? [run] : []))
    expect(steps).toHaveLength(2)
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(repo.base, 'home'),
      GITHUB_BASE_REF: 'main',
      npm_config_registry: 'http://127.0.0.1:9',
    }
    const ran = steps.map((script) => spawnSync('bash', ['-e', '-c', script], { cwd: repo.root, env, encoding: 'utf8' }))
    expect(ran.map(({ status }) => status)).toEqual([0, 0])
    expect(ran[1]!.stdout).toContain('title=Gain of power::example: is new')
  })
})
