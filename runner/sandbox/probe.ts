import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { bubblewrap, findBubblewrap, type Program } from './bubblewrap.ts'
import type { Workspace } from '../workspace.ts'
import { groundWalls } from './walls.ts'

export type Found = { program: Program } | { why: string }
export type Env = Readonly<Record<string, string | undefined>>

const MOST_MS = 10_000
const NONE = { locked: [], hidden: [] }

/** What a command has to find in walls: it is the first process, and the root of the file system is not to be written. */
const IN_WALLS = '[ "$$" = 1 ] && [ ! -w / ] && echo walls'

/** Whether there is a bubblewrap that works here, which only a try can tell: kernels and containers forbid it in many ways. */
export async function probe(workspace: Workspace, env: Env): Promise<Found> {
  const writable = [workspace.root, ...(workspace.folders ?? [])]
  if (writable.some((folder) => dirname(folder) === folder)) {
    return { why: 'the root of the file system is to be written, and walls around everything keep nothing out' }
  }
  const path = findBubblewrap(env.PATH, writable)
  if (path === undefined) return { why: 'bwrap is not installed' }
  const program = { path, root: isRoot() }
  const [file = '', ...args] = [...bubblewrap(program, { ...groundWalls(workspace, env.PATH), ...NONE }), 'sh', '-c', IN_WALLS]
  return new Promise((resolve) => {
    execFile(file, args, { timeout: MOST_MS, env: { PATH: env.PATH } }, (error, stdout, stderr) => {
      if (!error && stdout.trim() === 'walls') return resolve({ program })
      const said = stderr.trim().split('\n')[0] || (error?.killed ? 'it did not end' : 'it runs commands without walls')
      resolve({ why: `bwrap does not work here (${said})` })
    })
  })
}

/** The user of this process, as the system has it: as root, walls need to take powers away. */
function isRoot(): boolean {
  return statSync('/proc/self', { throwIfNoEntry: false })?.uid === 0
}
