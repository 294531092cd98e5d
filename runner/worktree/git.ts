import { execFile } from 'node:child_process'
import { GIT_SETTINGS, gitEnvironment } from '../../schemas/git.ts'

/** Why git did not do something; the message is git's own first line. */
export class WorktreeFault extends Error {
  override name = 'WorktreeFault'
}

/** A checkout leaves submodules alone. Of the filters that attributes name, see `withoutFilters`: LFS files stay pointers. */
const CHECKOUT = ['-c', 'submodule.recurse=false']
const MOST = 1 << 28
const MOST_MS = 120_000

export type Env = Readonly<Record<string, string | undefined>>

/** Runs one git command without a shell, and gives what it prints. Throws `WorktreeFault`. `more`: settings that hold for it alone. */
export function git(args: readonly string[], cwd: string, env: Env, more: readonly string[] = []): Promise<string> {
  const options = { cwd, env: gitEnvironment(env), maxBuffer: MOST, timeout: MOST_MS, windowsHide: true }
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      ['--no-pager', '--literal-pathspecs', ...GIT_SETTINGS, ...CHECKOUT, ...more, ...args],
      options,
      (error, stdout, stderr) => {
        if (error) reject(new WorktreeFault(causeOf(error, String(stderr))))
        else resolve(String(stdout))
      },
    )
  })
}

/** Settings that switch off every filter driver that the repository configures: a checkout would run them. */
export async function withoutFilters(cwd: string, env: Env): Promise<string[]> {
  const said = await git(
    ['config', '--name-only', '-z', '--get-regexp', String.raw`^filter\..*\.(clean|smudge|process|required)$`],
    cwd,
    env,
  ).catch(() => '')
  const keys = said.split('\0').filter((key) => key !== '')
  return keys.flatMap((key) => ['-c', `${key}=${key.endsWith('.required') ? 'false' : ''}`])
}

function causeOf({ code, message }: { code?: string | number | null | undefined; message: string }, stderr: string): string {
  if (code === 'ENOENT') return 'git is not installed'
  const said = stderr.trim().split('\n').at(-1) ?? ''
  return said === '' ? message.split('\n')[0]! : `git says: ${said.replace(/^fatal: /, '')}`
}
