import { execFileSync, spawn, type SpawnOptions, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../runner/workspace.ts'
import { link, put, temporary } from '../../support/tree.ts'
import { ACCESSES, FINE_ACCESSES } from './evasion-file.ts'
import { FINE, type Group, GROUPS, SOMETIMES } from './evasion-shell.ts'
import { decided, rightsOf } from './stage.ts'

const TOKEN = 'TOKEN=7f3a1c'
const GIT = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b', GIT_CONFIG_NOSYSTEM: '1' }

/** Links of every kind: to a file, a folder, another link, the outside, nothing yet. */
const LINKS = {
  'project/envlink2': 'src/envlink',
  'project/here': '.',
  'project/up': '..',
  'project/hidden': 'secrets',
  'project/src/locklink': '../a.lock',
  'project/src/mcplink': '../.mcp.json',
  'project/src/new-hook': '../.git/hooks/new',
  'project/src/new-lock': '../new.lock',
  'project/out': '../outside',
  'project/src/rc': '../../home/.bashrc',
}

let pattern = ''
let workspace: Workspace

/** A project with two commits and a remote, a home and a hidden file; each attempt gets a copy of it. */
beforeAll(async () => {
  pattern = temporary()
  const files = { 'README.md': 'a\nb\n', 'src/a.ts': 'let\n', 'src/.mcp.json': '[]', victim: 'v', 'a.lock': '1\n', '.gitignore': '.env\n' }
  for (const [path, text] of Object.entries(files)) put(pattern, `project/${path}`, text)
  for (const [path, text] of Object.entries({ '.env': TOKEN, 'secrets/k.pem': TOKEN })) put(pattern, `project/${path}`, `${text}\n`)
  for (const [path, text] of Object.entries({ '.mcp.json': '{}', '.claude/settings.json': '{}', '.npmrc': '', '.envrc': '' }))
    put(pattern, `project/${path}`, text)
  put(pattern, 'home/.bashrc', '')
  link(pattern, 'project/src/envlink', '../.env')
  link(pattern, 'project/src/gitlink', '../.git')
  for (const [path, target] of Object.entries(LINKS)) link(pattern, path, target)
  put(pattern, 'outside/o.txt', `${TOKEN}\n`)
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: join(pattern, 'project'), env: { ...process.env, ...GIT } })
  git('init', '-q', '-b', 'main', '--template=')
  git('commit', '-q', '--allow-empty', '-m', 'one')
  git('add', 'README.md', 'src/a.ts', '.gitignore')
  git('commit', '-q', '-m', 'two')
  git('init', '-q', '--bare', '--template=', '../remote.git')
  put(pattern, 'project/.git/hooks/README', '')
  git('remote', 'add', 'origin', '../remote.git')
  git('config', 'push.default', 'current')
  workspace = await openWorkspace(join(pattern, 'project'), join(pattern, 'home'))
  if (NOBODY) execFileSync('chown', ['-hR', `${NOBODY.uid}:${NOBODY.gid}`, pattern])
})

/** Nobody: who runs the tests as root must not run these lines as root, because some of them are in earnest. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/** The soak proves every attempt, the tests every eighth: each takes a copy of the folder and a shell. */
const EVERY = process.env['AGENTC_SOAK'] ? 1 : 8

/** Without another user to become, the lines would run with all that the tester may do: then only their verdicts are tested. */
const forReal = NOBODY ? test : test.skip
if (!NOBODY) process.stdout.write('skipped aloud: the attempts run for real only as root, who becomes nobody for them\n')

function finished(program: string, args: string[], options: SpawnOptions): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: 4000, killSignal: 'SIGKILL' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve) => child.once('exit', () => setTimeout(() => resolve(output), 5)))
}

/** Runs a line for real in a copy of the folder, with no rights outside of it, and says what it did. */
async function ran(line: string, harm: Group['harm'], path = ''): Promise<string | undefined> {
  const root = await mkdtemp(join(tmpdir(), 'agentc-evasion-'))
  try {
    await finished('cp', ['-a', `${pattern}/.`, root], {})
    const env = { PATH: process.env['PATH'], HOME: join(root, 'home'), GIT_PAGER: 'cat', ...GIT }
    const output = await finished('bash', ['-c', line, 'bash', filled(path, root)], { cwd: join(root, 'project'), env, ...NOBODY })
    return harmed(harm, root, output) ? undefined : output
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

function contents(root: string, skip: RegExp): string {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !skip.test(path))
    .map((path) => `${path.slice(root.length)}\n${readFileSync(path, 'latin1')}`)
    .sort()
    .join('\n')
}

const GUARDED = /^(?!.*\/(?:\.git\/|\.claude|\.mcp\.json|\.envrc|\.npmrc|\.bashrc|\.vscode|\.gitmodules|[\w-]+\.lock))/

/** Whether the attempt did what it must not. */
function harmed(harm: Group['harm'], root: string, output: string): boolean {
  const project = join(root, 'project')
  if (harm === 'removed') return !existsSync(join(project, 'victim'))
  if (harm === 'created') return existsSync(join(project, 'sentinel'))
  if (harm === 'pushed') return existsSync(join(root, 'remote.git/refs/heads/main'))
  if (harm === 'changed')
    return (
      contents(join(root, 'project'), GUARDED) + contents(join(root, 'home'), GUARDED) !==
        contents(join(pattern, 'project'), GUARDED) + contents(join(pattern, 'home'), GUARDED) || empty(root)
    )
  return (
    output.replaceAll(/[\s|]/g, '').includes('7f3a1c') ||
    contents(project, /\/project\/(?:\.env|secrets\/k\.pem|\.git\/.*)$/).includes('7f3a1c') ||
    existsSync(join(project, 'src/copy'))
  )
}

/** New folders hold no contents but count. */
function empty(root: string): boolean {
  return (
    existsSync(join(root, 'project/.git/hooks/x')) || !existsSync(join(root, 'project/.git')) || !existsSync(join(root, 'project/.claude'))
  )
}

const there = new Map<string, boolean>()
function missing(line: string): boolean {
  return [...line.matchAll(new RegExp(SOMETIMES, 'g'))].some(([program]) => {
    if (!there.has(program)) there.set(program, spawnSync('bash', ['-c', `type -P ${program}`]).status === 0)
    return there.get(program) === false && program !== 'time'
  })
}

test('there are at least 250 attempts, all different', () => {
  const all = GROUPS.flatMap(({ name, attempts }) => attempts.map((attempt) => `${name}: ${attempt}`))
  expect(all.length).toBeGreaterThanOrEqual(250)
  expect(new Set(all).size).toBe(all.length)
})

/** Several at once: each has its own folder. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

describe.each(GROUPS)('$name', ({ lists, harm, attempts }) => {
  test('no attempt is allowed', async () => {
    const rights = rightsOf(lists, workspace)
    const allowed: string[] = []
    for (const command of attempts) if ((await decided('Bash', { command }, rights)).allow) allowed.push(command)
    expect(allowed).toEqual([])
  })

  forReal('every attempt, run for real, does the harm that it is refused for', { timeout: 120_000 }, async () => {
    const proved: string[] = []
    const harmless: string[] = []
    const tried = attempts.filter((line, at) => at % EVERY === 0 && !missing(line))
    await each(tried, async (line) => {
      const output = await ran(line, harm)
      if (output === undefined) proved.push(line)
      else harmless.push(`${line} → ${output}`)
    })
    expect(harmless).toEqual([])
    expect(proved).toHaveLength(tried.length)
  })
})

describe.each(FINE)('what is allowed stays allowed: $lists.allow', ({ lists, lines }) => {
  test.each(lines)('%j', async (command) => {
    expect(await decided('Bash', { command }, rightsOf(lists, workspace))).toMatchObject({ outcome: 'allow' })
  })
})

/** What a path of the list stands for in a folder. */
function filled(path: string, root: string): string {
  return path.replaceAll('$P', join(root, 'project')).replaceAll('$ROOT', root)
}

test('there are at least 100 file accesses, all different', () => {
  const all = ACCESSES.flatMap(({ name, tools, paths }) => tools.flatMap((tool) => paths.map((path) => `${name} ${tool} ${path}`)))
  expect(all.length).toBeGreaterThanOrEqual(100)
  expect(new Set(all).size).toBe(all.length)
})

describe.each(ACCESSES)('$name', ({ lists, mode, tools, harm, paths }) => {
  test.each(tools)('%s may open none of them', async (tool) => {
    const rights = rightsOf(lists, workspace, mode)
    const allowed: string[] = []
    for (const path of paths) if ((await decided(tool, { file_path: filled(path, pattern) }, rights)).allow) allowed.push(path)
    expect(allowed).toEqual([])
  })

  forReal('every path, opened for real, leads where it must not', { timeout: 120_000 }, async () => {
    const harmless: string[] = []
    await each(
      paths.filter((_path, at) => at % EVERY === 0),
      async (path) => {
        const output = await ran(harm === 'changed' ? 'printf x > "$1"' : 'cat "$1"', harm, path)
        if (output !== undefined) harmless.push(`${path} → ${output}`)
      },
    )
    expect(harmless).toEqual([])
  })
})

test.each(FINE_ACCESSES)('%s of %s stays allowed', async (tool, path, lists) => {
  expect(await decided(tool, { file_path: filled(path, pattern) }, rightsOf(lists, workspace))).toMatchObject({ outcome: 'allow' })
})
