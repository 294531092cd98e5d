import { execFileSync } from 'node:child_process'

/** For git and what starts it: no settings but those of the repository, neither the tester's nor the machine's, and a name of its own. */
export const GIT_ENV = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.invalid',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.invalid',
}

/** Runs git in a folder and gives what it prints. What it tidies up in the background would change files after it has ended. */
export function git(cwd: string, ...args: readonly string[]): string {
  const quiet = ['-c', 'gc.auto=0', '-c', 'maintenance.auto=false', ...args]
  return execFileSync('git', quiet, { cwd, env: { ...process.env, ...GIT_ENV }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Makes a folder a repository, with all that lies in it as the first commit of `main`; gives the folder. */
export function committed(cwd: string): string {
  git(cwd, 'init', '-q', '-b', 'main')
  git(cwd, 'add', '-A')
  git(cwd, 'commit', '-qm', 'base')
  return cwd
}
