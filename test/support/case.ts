import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompileOptions } from '../../compiler/options.ts'
import { lockText } from '../../compiler/servers/lock-file.ts'
import { lockedToolHash } from '../../schemas/mcp-tools.ts'
import type { LockedTool } from '../../schemas/shapes/server.ts'
import { GIT_ENV } from './git.ts'
import { copyOf, optionsFor, ROOT } from './tree.ts'

/** 65 inputs made after public reports; see `test/cases/README.md`. */
export const CASES = join(ROOT, 'test/cases')

/** The JSON block of a case's `expect.md`. */
export interface Expectation {
  cwd: string
  diagnostics: ExpectedDiagnostic[]
  exit?: number
  agents?: Record<string, ExpectedAgent | null>
  /** What holds once it is known which servers and tools a session has. */
  with_session?: Pick<Expectation, 'agents'> & Partial<Pick<Expectation, 'diagnostics'>>
}

export interface ExpectedDiagnostic {
  kind: string
  severity: string
  file: string
  line?: number
  column?: number
  line_between?: [number, number]
  message_mentions?: string[]
}

export interface ExpectedAgent {
  [key: string]: unknown
  view?: 'main' | 'sub'
  tools?: string[]
  tools_include?: string[]
  tools_exclude?: string[]
  overrides?: string[]
  chain?: string[]
}

export function caseNames(): string[] {
  return readdirSync(CASES)
    .filter((name) => /^\d\d-/.test(name))
    .sort()
}

export function expectation(name: string): Expectation {
  const text = readFileSync(join(CASES, name, 'expect.md'), 'utf8')
  return JSON.parse(/```json\n([^]*?)\n```/.exec(text)![1]!) as Expectation
}

/** Lays a case into a temporary folder, runs its set-up, and gives the folder. */
export function layCase(name: string): string {
  const root = copyOf(join(CASES, name))
  if (existsSync(join(root, 'setup.sh'))) {
    const env = { ...process.env, ...GIT_ENV }
    const { status, stderr } = spawnSync('sh', ['setup.sh'], { cwd: root, encoding: 'utf8', env })
    if (status !== 0) throw new Error(`setup.sh of ${name} failed: ${stderr}`)
  }
  for (const folder of ['project', 'home', 'managed']) mkdirSync(join(root, folder), { recursive: true })
  return root
}

/** Writes the servers and tools of a laid case's session as a lock file, and gives its path. */
export function sessionLock(root: string): string {
  const { mcpServers } = JSON.parse(readFileSync(join(root, 'session.json'), 'utf8')) as { mcpServers: Record<string, string[]> }
  const tool = (name: string): LockedTool => {
    const rest = { name, description: '', input_schema: { type: 'object' } }
    return { ...rest, hash: lockedToolHash(rest) }
  }
  const servers = Object.fromEntries(Object.entries(mcpServers).map(([server, tools]) => [server, tools.map(tool)]))
  const file = join(root, 'session.lock.json')
  writeFileSync(file, lockText({ agentc: 1, servers }))
  return file
}

/** Options to compile a laid case in one of its working directories. */
export function caseOptions(root: string, cwd: string): CompileOptions {
  const plugins = join(root, 'plugins')
  const flag = join(root, 'flag/agents.json')
  return optionsFor(root, {
    cwd: join(root, cwd),
    pluginDirs: existsSync(plugins)
      ? readdirSync(plugins)
          .sort()
          .map((name) => join(plugins, name))
      : [],
    ...(existsSync(flag) && { agentsFlag: flag }),
  })
}
