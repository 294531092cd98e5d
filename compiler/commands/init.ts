import { relative } from 'node:path'
import { DISK } from '../discover/file-system.ts'
import { findProject } from '../discover/project.ts'
import { newSearch } from '../discover/search.ts'
import { scaffold, type Outcome } from '../scaffold/scaffold.ts'
import { compileOptions, formatOf, parseFlags } from './flags.ts'
import { UsageError, type Io } from './io.ts'

export const INIT_HELP = `agentc init: makes an example agent and a check for CI, where there are none yet

It overwrites nothing, and works at the project's root: the git root, or the current folder outside a repository.

  --dry-run           say what would be made, and make nothing
  --project DIR       the working directory (default: the current one)
`

/** `agentc init`. Exit code: 0, or 1 if a file cannot be made. */
export async function init(argv: readonly string[], io: Io): Promise<number> {
  const { values: flags, positionals } = parseFlags(argv, { 'dry-run': { type: 'boolean' } } as const)
  if (flags.help) return (io.out(INIT_HELP), 0)
  if (positionals.length > 0) throw new UsageError(`init takes no arguments, but got "${positionals[0]}".`)
  formatOf(flags, ['pretty'])
  const { root } = findProject(compileOptions(flags, io).cwd, newSearch(DISK))
  const dryRun = flags['dry-run'] === true
  const outcomes = scaffold(root, dryRun)
  io.out(outcomes.map((outcome) => `${line(outcome, dryRun)}\n`).join(''))
  const where = relative(io.cwd, root)
  if (where !== '') io.out(`in ${where}\n`)
  const failed = outcomes.some(({ done }) => done === 'failed')
  if (!failed && !dryRun) io.out('Next: agentc build\n')
  return failed ? 1 : 0
}

function line({ template: { path, what }, done, reason }: Outcome, dryRun: boolean): string {
  if (done === 'made') return `${dryRun ? 'would make' : 'made'} ${path}, ${what}`
  return done === 'left' ? `left ${path}: ${reason}` : `cannot make ${path}: ${reason}`
}
