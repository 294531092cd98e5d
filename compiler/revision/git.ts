import { execFileSync } from 'node:child_process'
import { GIT_SETTINGS, gitEnvironment } from '../../schemas/git.ts'

/** Why git gave no answer; the message is one sentence for a person. */
export class GitFault extends Error {
  override name = 'GitFault'
}

/** A repository as the commands here need it. Paths are git's own. */
export interface Repository {
  /** The top folder of the working tree. */
  root: string
  /** The folder git was asked in, relative to the root: `''`, or `a/b/`. */
  prefix: string
  env: Readonly<Record<string, string | undefined>>
}

/** The largest answer that is taken; beyond it the repository is refused instead of filling the memory. */
const MOST = 1 << 30

/**
 * Runs one git command without a shell. Throws `GitFault`. The commands used here read objects only, so no filter, diff driver or attribute
 * of the repository has a say.
 */
export function git(args: readonly string[], cwd: string, env: Repository['env'], input = ''): Buffer {
  try {
    return execFileSync(
      'git',
      ['--no-pager', '--no-replace-objects', '--no-optional-locks', '--literal-pathspecs', ...GIT_SETTINGS, ...args],
      {
        cwd,
        env: gitEnvironment(env),
        input,
        maxBuffer: MOST,
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      },
    )
  } catch (error) {
    throw faultOf(error as NodeJS.ErrnoException & { stderr?: Buffer | null })
  }
}

function faultOf({ code, stderr, message }: NodeJS.ErrnoException & { stderr?: Buffer | null }): GitFault {
  if (code === 'ENOENT') return new GitFault('git is not installed.')
  if (code === 'ENOBUFS') return new GitFault('The revision holds too much to be read.')
  const said = stderr?.toString('utf8').trim().split('\n')[0] ?? ''
  return new GitFault(said === '' ? message.split('\n')[0]! : `git says: ${said.replace(/^fatal: /, '')}`)
}

/** The repository around a folder. Throws `GitFault` where there is none. */
export function repositoryAt(cwd: string, env: Repository['env']): Repository {
  const line = (argument: string): string => git(['rev-parse', argument], cwd, env).toString('utf8').replace(/\n$/, '')
  return { root: line('--show-toplevel'), prefix: line('--show-prefix'), env }
}

/**
 * The commit that a revision means, as hexadecimal digits, which is all that later commands are given of it. A name that starts with `-`
 * could be taken for an option and is refused, as is one with control characters.
 */
export function commitOf(revision: string, { root, env }: Repository): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (!/^[^-\x00-\x1f\x7f][^\x00-\x1f\x7f]{0,999}$/.test(revision)) return undefined
  try {
    const said = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], root, env).toString('utf8')
    return /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(said)?.[1]
  } catch (error) {
    if (error instanceof GitFault) return undefined
    throw error
  }
}

/** A file or link of a commit. */
export interface TreeEntry {
  path: string
  id: string
  kind: 'file' | 'program' | 'link'
  size: number
}

const KINDS: Record<string, TreeEntry['kind']> = { '100644': 'file', '100664': 'file', '100755': 'program', '120000': 'link' }

/** All files and links of a commit; submodules are left out. */
export function entriesOf(commit: string, { root, env }: Repository): TreeEntry[] {
  const text = git(['ls-tree', '-r', '-z', '-l', '--full-tree', commit], root, env).toString('utf8')
  return text.split('\0').flatMap((line) => {
    const match = /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line)
    const kind = match && KINDS[match[1]!]
    return kind ? [{ kind, id: match[2]!, size: Number(match[3]), path: match[4]! }] : []
  })
}

/** The bytes of objects, by id. One that is not there is left out. */
export function blobsOf(entries: readonly TreeEntry[], { root, env }: Repository): Map<string, Buffer> {
  const ids = [...new Set(entries.map(({ id }) => id))]
  const answer = ids.length === 0 ? Buffer.alloc(0) : git(['cat-file', '--batch'], root, env, `${ids.join('\n')}\n`)
  const blobs = new Map<string, Buffer>()
  for (let at = 0; at < answer.length;) {
    const end = answer.indexOf(10, at)
    const [id, type, size] = answer.toString('latin1', at, end).split(' ')
    const start = end + 1
    at = type === 'blob' ? start + Number(size) + 1 : start
    if (type === 'blob') blobs.set(id!, answer.subarray(start, start + Number(size)))
  }
  return blobs
}
