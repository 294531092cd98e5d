import { isAbsolute, join } from 'node:path'
import { isInside, realPathOf } from '../workspace.ts'
import { kindOf } from './git-folder.ts'
import { EMPTIED, TEMPORARY, type Walls } from './walls.ts'

/** A bubblewrap that works here. */
export interface Program {
  /** Its absolute path. */
  path: string
  /** The user is the machine's own root, who keeps some of its powers over files in the walls. */
  root: boolean
}

/**
 * Its own processes, to which nobody outside belongs, and which end with this program; no powers over the machine. The network is the
 * machine's: agents fetch packages, and what they may ask of it is for the rules.
 */
const APART = ['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--as-pid-1', '--cap-drop', 'ALL']

/**
 * Root is used to own all files; none of these lets it mount, trace or load anything. The kernel's settings belong to root without any of
 * them, and one names a program that the kernel starts outside.
 */
const AS_ROOT = [
  '--ro-bind',
  '/proc/sys',
  '/proc/sys',
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID'].flatMap((name) => ['--cap-add', `CAP_${name}`]),
]

/** Everything as it is, but not to be written; devices and processes of its own. */
const BASE = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc']

/** Ways to have something done outside of all walls: the sockets of programs that start others. */
const SOCKETS =
  '/run/docker.sock /run/docker /run/podman /run/containerd /run/crio /run/dbus /run/systemd/private /run/libvirt /run/snapd.socket /run/lxd.socket'.split(
    ' ',
  )

/**
 * The words to put before a command so that it runs in walls (runner-facts.md B5). `temporary` is the folder that stands for the system's
 * temporary ones; without it they are empty for each command anew.
 */
export function bubblewrap({ path, root }: Program, walls: Walls, temporary?: string): string[] {
  return [
    path,
    ...APART,
    ...BASE,
    ...(root ? AS_ROOT : []),
    ...[...TEMPORARY].flatMap(([place, name]) => {
      return temporary === undefined || kindOf(place) !== 'folder' ? covered(place) : ['--bind', join(temporary, name), place]
    }),
    ...[...EMPTIED, ...SOCKETS].flatMap(covered),
    ...walls.shown.flatMap((place) => ['--ro-bind', place, place]),
    ...walls.writable.flatMap((place) => ['--bind', place, place]),
    ...walls.closed.flatMap((place) => ['--ro-bind', place, place]),
    ...walls.opened.flatMap((place) => ['--bind', place, place]),
    ...walls.locked.flatMap((place) => ['--ro-bind', place, place]),
    ...walls.hidden.flatMap(covered),
    '--chdir',
    walls.cwd,
    '--',
  ]
}

function covered(path: string): string[] {
  const kind = kindOf(path)
  if (kind === undefined) return []
  return kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]
}

/**
 * Where bubblewrap is, by `PATH`. A program of this name that lies in a folder which commands may write is none: whoever brings the
 * project along may have put it there.
 */
export function findBubblewrap(path: string | undefined, writable: readonly string[]): string | undefined {
  for (const folder of (path ?? '').split(':').filter(isAbsolute)) {
    const at = realPathOf(join(folder, 'bwrap'))
    if (at !== undefined && kindOf(at) === 'file' && !writable.some((place) => isInside(place, at))) return at
  }
  return undefined
}
