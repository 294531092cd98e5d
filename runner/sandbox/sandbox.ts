import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Rule } from '../../schemas/shapes/permission.ts'
import type { SandboxMode } from '../../schemas/values.ts'
import { isInside, type Workspace } from '../workspace.ts'
import { bubblewrap, type Program } from './bubblewrap.ts'
import { deniedFiles } from './denied.ts'
import { caches, secretsIn } from './environment.ts'
import { openable } from './openable.ts'
import { type Env, type Found, probe } from './probe.ts'
import { groundWalls, protectedNames, TEMPORARY, type Walls } from './walls.ts'

/** One command that is to run. */
export interface CommandPlace {
  workspace: Workspace
  /** Those in force for its agent. */
  deny: readonly Rule[]
  /** Files that the command is known to write, and that it was allowed to. */
  allowed: readonly string[]
}

/** How one command is started. */
export interface Started {
  /** The words that put it into walls; without them it runs as it is. */
  walls?: readonly string[] | undefined
  env: Env
  /** Looks at what the command has left behind when it has ended. */
  after?(): void
}

/** How the commands of a run are started. */
export interface Sandbox {
  /** Looks for walls before the first command, and says what there is to say about them. A second call does nothing. */
  open(): Promise<unknown>
  start(place: CommandPlace, env: Env): Promise<Started>
}

export interface SandboxOptions {
  mode: SandboxMode
  workspace: Workspace
  env: Env
  /** Variables that commands get although they are called like secrets. */
  passed?: readonly string[] | undefined
}

/** What a sandbox needs of the run that it is opened for. */
export interface SandboxRun {
  /** A temporary folder of the run. */
  temporary(): Promise<string>
  say(message: string): void
}

/** Why a run must not begin. */
export class SandboxFault extends Error {
  override name = 'SandboxFault'
}

/** The sandbox of a run that has yet to begin. */
export type ToOpen = (run: SandboxRun) => Sandbox

/**
 * The sandbox for the commands of a run. It is never left out in silence. Only one that is required is looked for at once: where it does not
 * work, the run must not begin (`SandboxFault`). Else that waits for the first command; many a run has none.
 */
export async function openSandbox(options: SandboxOptions, tried: typeof probe = probe): Promise<ToOpen> {
  const { mode, workspace, env } = options
  if (mode === 'off') return sandboxOf(() => Promise.resolve({ why: undefined }), options)
  if (mode === 'auto') return sandboxOf(() => tried(workspace, env), options)
  const found = await tried(workspace, env)
  if ('why' in found) throw new SandboxFault(`There is no sandbox: ${found.why}, and one is required.`)
  return sandboxOf(() => Promise.resolve(found), options)
}

function sandboxOf(look: () => Promise<Found | { why: undefined }>, { mode, env, passed = [] }: SandboxOptions): ToOpen {
  const secrets = mode === 'off' ? [] : secretsIn(env, passed)
  const without = (all: Env): Env => Object.fromEntries(Object.entries(all).filter(([name]) => !secrets.includes(name)))
  return (run) => {
    let opening: Promise<Sandbox['start']> | undefined
    const opened = async (): Promise<Sandbox['start']> => {
      const found = await look()
      if ('why' in found)
        run.say(`commands run without a sandbox${found.why === undefined ? ', because of --sandbox off' : `: ${found.why}`}`)
      if (secrets.length > 0) run.say(`commands do not get ${secrets.join(', ')}, called like secrets; --pass-env NAME gives one`)
      return 'why' in found ? (_, all) => Promise.resolve({ env: all }) : inWalls(found.program, env.PATH, run)
    }
    const open = (): Promise<Sandbox['start']> => (opening ??= opened())
    return { open, start: async (place, all) => (await open())(place, without(all)) }
  }
}

function inWalls(program: Program, path: string | undefined, run: SandboxRun): Sandbox['start'] {
  const said = new Set<string>()
  const once = (message: string): void => {
    if (!said.has(message)) run.say(message)
    said.add(message)
  }
  let made: Promise<string> | undefined
  return async ({ workspace, deny, allowed }, env) => {
    const temporary = await (made ??= run.temporary().then(withPlaces))
    const { unsure, ...denied } = await deniedFiles(deny, workspace)
    if (unsure) once('not every file that deny rules are about could be found, so the walls leave some of them open')
    const base = groundWalls(workspace, path)
    const closed = base.closed.filter((place) => !allowed.includes(place))
    const opened = [
      ...base.opened,
      ...allowed.filter((file) => !isFree(file, { ...base, closed })).flatMap((file) => openable(file, workspace)),
    ]
    const before = new Set(protectedNames(workspace))
    return {
      walls: bubblewrap(program, { ...base, ...denied, closed, opened }, temporary),
      env: { ...caches(workspace.home, base.writable), ...env, ...(env.TMPDIR !== undefined && { TMPDIR: '/tmp' }) },
      after() {
        const news = protectedNames(workspace).filter((place) => !before.has(place) && !allowed.includes(place))
        for (const place of news)
          once(`${shownIn(workspace, place)} was made while a command ran, and programs may do what it says: look at it`)
      },
    }
  }
}

/** Whether a file may be written without opening anything for it. Temporary files are the run's own: those of the machine stay out of sight. */
function isFree(file: string, { writable, closed }: Pick<Walls, 'writable' | 'closed'>): boolean {
  if ([...TEMPORARY.keys()].some((place) => isInside(place, file)) && !closed.some((place) => isInside(place, file))) return true
  return writable.some((folder) => isInside(folder, file)) && !closed.some((place) => isInside(place, file))
}

/** The folders that stand for the system's temporary ones. */
function withPlaces(temporary: string): string {
  for (const name of TEMPORARY.values()) mkdirSync(join(temporary, name))
  return temporary
}

function shownIn({ root }: Workspace, path: string): string {
  return isInside(root, path) ? relative(root, path) : path
}
