import { execFile } from 'node:child_process'

/** Why git did not do something; the message is git's own first line. */
export class WorktreeFault extends Error {
  override name = 'WorktreeFault'
}

/**
 * Nothing that a repository's configuration can name is started: no hook, monitor, pager, transport or helper. A checkout does run the
 * filters that the repository's attributes name, so those are switched off by the ones that are known: LFS files stay pointers.
 */
const SEALED = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.sshCommand', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`])

const ENVIRONMENT = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
const MOST = 1 << 28
const MOST_MS = 120_000

export type Env = Readonly<Record<string, string | undefined>>

/** Runs one git command without a shell, and gives what it prints. Throws `WorktreeFault`. `more`: settings that hold for it alone. */
export function git(args: readonly string[], cwd: string, env: Env, more: readonly string[] = []): Promise<string> {
  const options = { cwd, env: { ...withoutGit(env), ...ENVIRONMENT }, maxBuffer: MOST, timeout: MOST_MS, windowsHide: true }
  return new Promise((resolve, reject) => {
    execFile('git', ['--no-pager', '--literal-pathspecs', ...SEALED, ...more, ...args], options, (error, stdout, stderr) => {
      if (error) reject(new WorktreeFault(causeOf(error, String(stderr))))
      else resolve(String(stdout))
    })
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

/** What configures git for a person is kept; what a hook of git has been told of its own repository is not. */
function withoutGit(env: Env): Record<string, string | undefined> {
  const kept = (name: string): boolean => !name.startsWith('GIT_') || (name.startsWith('GIT_CONFIG_') && name !== 'GIT_CONFIG_PARAMETERS')
  return Object.fromEntries(Object.entries(env).filter(([name]) => kept(name)))
}

function causeOf({ code, message }: { code?: string | number | null | undefined; message: string }, stderr: string): string {
  if (code === 'ENOENT') return 'git is not installed'
  const said = stderr.trim().split('\n').at(-1) ?? ''
  return said === '' ? message.split('\n')[0]! : `git says: ${said.replace(/^fatal: /, '')}`
}
