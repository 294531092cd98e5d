/**
 * What holds for every git that either side starts (`diff`, worktrees). Nothing that a repository's configuration can name is started: no
 * hook, monitor, pager, transport or helper. As arguments, to stand before the subcommand.
 */
export const GIT_SETTINGS: readonly string[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.sshCommand', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['protocol.allow', 'never'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`])

/** `GIT_ALLOW_PROTOCOL` wins over any `protocol.*.allow` of the repository: a partial clone fetches nothing. */
const SEALED = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }

/**
 * The environment for git, made of the person's. A hook of git has variables that point at its own repository and index (`GIT_DIR` …),
 * which are left out; what configures git for a person is kept.
 */
export function gitEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const kept = (name: string): boolean => !name.startsWith('GIT_') || (name.startsWith('GIT_CONFIG_') && name !== 'GIT_CONFIG_PARAMETERS')
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => kept(name))), ...SEALED }
}
