import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { put, ROOT, temporary } from './tree.ts'

/** The program as people get it. `npm test` builds it first. */
export const BIN = join(ROOT, 'dist/agentc.cjs')

export interface Ran {
  code: number | null
  out: string
  err: string
}

export interface Where {
  cwd: string
  env?: Record<string, string>
  /** Where standard output goes instead of a pipe. */
  stdout?: number
  /** Another user than the tester. */
  as?: { uid: number; gid: number } | undefined
}

const started = new Set<ChildProcess>()

/** Ends what a test has started and not ended itself; `setup.ts` does so after each test. */
export function endStarted(): void {
  for (const child of started) child.kill('SIGKILL')
  started.clear()
}

/** Starts the real bin in a bare environment: nothing of this machine's user decides what it finds. It ends with the test. */
export function start(argv: readonly string[], { cwd, env = {}, stdout, as }: Where): ChildProcess {
  if (!existsSync(BIN)) throw new Error('There is no dist/agentc.cjs; run `npm run build` first.')
  const bare = { PATH: process.env['PATH'] ?? '', HOME: join(cwd, '../home') }
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd,
    env: { ...bare, ...env },
    ...as,
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
  })
  started.add(child)
  child.once('exit', () => started.delete(child))
  return child
}

export function agentc(argv: readonly string[], where: Where): Promise<Ran> {
  return ended(start(argv, where))
}

export function ended(child: ChildProcess): Promise<Ran> {
  const ran: Ran = { code: null, out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (ran.out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (ran.err += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ ...ran, code }))
  })
}

/** The text of an agent file. */
export function agent(name: string, ...lines: string[]): string {
  return `---\nname: ${name}\ndescription: Does what ${name} does.\n${lines.map((line) => `${line}\n`).join('')}---\n\nYou are ${name}.\n`
}

/** A new project (a git root) with these files, beside an empty home; gives the project's folder. */
export function project(files: Readonly<Record<string, string>> = {}): string {
  const root = temporary()
  mkdirSync(join(root, 'home'))
  mkdirSync(join(root, 'project/.git'), { recursive: true })
  for (const [path, text] of Object.entries(files)) put(root, `project/${path}`, text)
  return join(root, 'project')
}

/** `.claude/agents/<name>.md` for each agent. */
export function agents(all: Readonly<Record<string, string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).map(([name, lines]) => [`.claude/agents/${name}.md`, agent(name, ...lines)]))
}
