import { execFile } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'

/** What a command may touch. Everything else can be read and not written. */
export interface Walls {
  /** The project's root, and further folders that may be written. */
  writable: readonly string[]
  cwd: string
  /** Files and folders that deny rules hide; they are empty inside. */
  hidden?: readonly string[] | undefined
  /** Without it there is no network inside. */
  network?: boolean | undefined
}

/** Written by no command, although they lie in the project: they make later programs run something (claude-code-agents.md 5.7). */
const PROTECTED = [
  '.git/hooks',
  '.git/config',
  '.claude',
  '.agentc',
  '.mcp.json',
  '.envrc',
  '.vscode',
  '.idea',
  '.husky',
  '.gitmodules',
  '.npmrc',
]

/** Everything as it is, but not to be written; devices, processes and temporary files are its own. */
const BASE = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp']

/**
 * The words to put before a command so that it runs in a bubblewrap sandbox: the file system is read-only but for the project,
 * processes and their signals stay inside, and all of it ends with this program (runner-facts.md B5).
 */
export function bubblewrap({ writable, cwd, hidden = [], network = true }: Walls): string[] {
  const kept = writable.flatMap((folder) => PROTECTED.map((path) => join(folder, path)).filter((path) => kindOf(path) !== undefined))
  return [
    'bwrap',
    '--die-with-parent',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    ...(network ? [] : ['--unshare-net']),
    ...BASE,
    ...writable.flatMap((folder) => ['--bind', folder, folder]),
    ...kept.flatMap((path) => ['--ro-bind', path, path]),
    ...hidden.flatMap(covered),
    '--chdir',
    cwd,
    '--',
  ]
}

function covered(path: string): string[] {
  const kind = kindOf(path)
  if (kind === undefined) return []
  return kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]
}

/** A link is not bound: what it leads to has a path of its own. */
function kindOf(path: string): 'file' | 'folder' | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats || stats.isSymbolicLink()) return undefined
  return stats.isDirectory() ? 'folder' : 'file'
}

/** Whether bubblewrap works here, which only a try can tell: kernels and containers forbid it in many ways. Why not, otherwise. */
export function probe(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ works: true } | { works: false; why: string }> {
  const [program = 'bwrap', ...args] = [...bubblewrap({ writable: [cwd], cwd }), 'true']
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 5000, env: { ...env } }, (error, _, stderr) => {
      if (!error) return resolve({ works: true })
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      resolve({
        works: false,
        why: missing ? 'bwrap is not installed' : `bwrap does not work here (${stderr.trim().split('\n')[0] || error.message})`,
      })
    })
  })
}
