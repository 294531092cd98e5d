import { execFileSync, spawn, type SpawnOptions } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../support/git.ts'
import { link, put, temporary } from '../../support/tree.ts'
import type { Group } from './evasion-shell.ts'

const TOKEN = 'TOKEN=7f3a1c'

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

/** Nobody: who runs the tests as root must not run these lines as root, because some of them are in earnest. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/** A project with two commits and a remote, a home and a hidden file; each attempt gets a copy of it. */
export function layPattern(): string {
  const pattern = temporary()
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
  const project = join(pattern, 'project')
  git(project, 'init', '-q', '-b', 'main', '--template=')
  git(project, 'commit', '-q', '--allow-empty', '-m', 'one')
  git(project, 'add', 'README.md', 'src/a.ts', '.gitignore')
  git(project, 'commit', '-q', '-m', 'two')
  git(project, 'init', '-q', '--bare', '--template=', '../remote.git')
  put(pattern, 'project/.git/hooks/README', '')
  git(project, 'remote', 'add', 'origin', '../remote.git')
  git(project, 'config', 'push.default', 'current')
  if (NOBODY) execFileSync('chown', ['-hR', `${NOBODY.uid}:${NOBODY.gid}`, pattern])
  return pattern
}

/** Does something in a copy of the pattern, which is gone afterwards. */
export async function inCopy<T>(pattern: string, work: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'agentc-evasion-'))
  try {
    await finished('cp', ['-a', `${pattern}/.`, root], {})
    return await work(root)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

export function finished(program: string, args: string[], options: SpawnOptions): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: 4000, killSignal: 'SIGKILL' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  // What it has left running may hold its output open for ever.
  return new Promise((resolve) => {
    child.once('close', () => resolve(output))
    child.once('exit', () => setTimeout(() => resolve(output), 500))
  })
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
export function harmed(harm: Group['harm'], root: string, output: string, pattern: string): boolean {
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

/** What a path of the list stands for in a folder. */
export function filled(path: string, root: string): string {
  return path.replaceAll('$P', join(root, 'project')).replaceAll('$ROOT', root)
}
