import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { agent, agentc, type Ran } from '../support/bin.ts'
import { git as gitIn } from '../support/git.ts'
import { put, temporary } from '../support/tree.ts'

/** A real git repository beside an empty home, and an own folder for temporary files. */
export interface TestRepository {
  /** `project` is the repository; `home`, `tmp` and whatever a test adds lie beside it. */
  base: string
  root: string
  git: (...args: string[]) => string
  put: (path: string, text: string) => void
  commit: (message?: string) => string
  diff: (args: string[], where?: { cwd?: string; env?: Record<string, string> }) => Promise<Ran>
}

/** A repository with these files in its first commit. */
export function repository(
  files: Readonly<Record<string, string>> = { '.claude/agents/reviewer.md': agent('reviewer', 'tools: Read') },
): TestRepository {
  const base = temporary()
  const root = join(base, 'project')
  for (const folder of ['home', 'tmp', 'project']) mkdirSync(join(base, folder))
  const git = (...args: string[]): string => gitIn(root, ...args).trim()
  const commit = (message = 'next'): string => {
    git('add', '-A')
    git('commit', '-q', '--allow-empty', '-m', message)
    return git('rev-parse', 'HEAD')
  }
  git('init', '-q', '-b', 'main')
  for (const [path, text] of Object.entries(files)) put(root, path, text)
  commit('first')
  return {
    base,
    root,
    git,
    put: (path, text) => put(root, path, text),
    commit,
    diff: (args, { cwd = root, env = {} } = {}) =>
      agentc(['diff', ...args], { cwd, env: { HOME: join(base, 'home'), TMPDIR: join(base, 'tmp'), ...env } }),
  }
}
