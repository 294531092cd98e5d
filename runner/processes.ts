import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { carries, MARKER, markedWith } from '../schemas/run-mark.ts'

/** The process that runs agentc, as far as a run needs it; Node's `process` is one. */
export interface Host {
  pid: number
  /** Signal 0 asks whether the process is there. Throws if it is not. */
  kill(pid: number, signal: NodeJS.Signals | 0): unknown
}

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE = 2000
/** The same for what is ended while the run goes on and waits for it. */
const PART_GRACE = 1000
const STEP = 10
/** A look through all processes takes a while: the pauses grow up to this. */
const LONGEST = 100
/** Sweeps with SIGKILL before a process counts as one that cannot be ended. */
const SWEEPS = 200

export interface Processes {
  /** The environment for processes that a tool starts. Whoever asks for it is taken to start some. */
  environment(): Readonly<Record<string, string | undefined>>
  /** Takes note of a process that leads a group of its own (`detached`), so that the group can be ended where marks cannot be read. */
  own(pid: number | undefined): void
  /**
   * Takes note of a process that keeps others in walls, and leads a group of its own: with it all of them end at once. So it is spared while
   * they are asked to end, and counts for nothing itself. What it returns is called when it has ended.
   */
  holds(pid: number | undefined): () => void
  /** Ends every process that is left: SIGTERM, time to end by itself, SIGKILL. Gives how many there were, and how many would not go. */
  end(): Promise<{ stray: number; left: number }>
  /** Ends all at once, without waiting for anything. */
  kill(): void
  /**
   * Some of these processes, which can be ended by themselves: those that get this environment. They are still a part of the whole. A part
   * that starts none costs nothing.
   */
  part(): Processes
}

/** What a part tells the whole of itself: that it has started something, and who holds its processes in walls. */
interface Whole extends Pick<Processes, 'holds'> {
  use(): void
}

/**
 * The processes of one run. A process group is not enough: `setsid` and a double fork leave it (runner-facts B5). So each process carries
 * the mark of the run in its environment, and on Linux all processes are looked through for it.
 * What clears its environment and leaves its group too is not found.
 */
export function openProcesses(
  mark: string,
  env: Readonly<Record<string, string | undefined>>,
  host: Host,
  grace = GRACE,
  above?: Whole,
): Processes {
  const groups = new Set<number>()
  const holders = new Set<number>()
  let used = false
  let parts = 0
  const use = (): void => {
    used = true
    above?.use()
  }
  const marked = { ...env, [MARKER]: markedWith(env[MARKER], mark) }
  const signal = (name: NodeJS.Signals): number[] => {
    const found = new Set(there())
    for (const pid of found) send(host, pid, name)
    // Without /proc the groups are all there is.
    for (const pid of groups) send(host, -pid, name)
    if (name === 'SIGKILL') for (const pid of holders) send(host, pid, name)
    return [...found]
  }
  const there = (): number[] => [...marks(mark, host.pid), ...members(groups), ...kept(holders)]
  const gone = (): boolean => holders.size + there().length === 0
  const holds = (pid: number | undefined): (() => void) => {
    if (pid === undefined) return () => {}
    holders.add(pid)
    const released = above?.holds(pid)
    return () => {
      holders.delete(pid)
      released?.()
    }
  }
  return {
    environment() {
      use()
      return marked
    },
    own(pid) {
      if (pid !== undefined) groups.add(pid)
    },
    holds,
    async end() {
      // A host without a number ends nothing, and would wait for what it cannot end.
      if (host.pid === 0 || (!used && groups.size + holders.size === 0)) return { stray: 0, left: 0 }
      const stray = signal('SIGTERM').length
      if (gone()) return { stray, left: 0 }
      for (let waited = 0, step = STEP; waited < grace; waited += step, step = Math.min(step * 2, LONGEST)) {
        await pause(step)
        if (gone()) return { stray, left: 0 }
      }
      let left = 0
      for (let sweep = 0; sweep < SWEEPS && (left = signal('SIGKILL').length + holders.size) > 0; sweep++) await pause(STEP)
      return { stray, left }
    },
    kill() {
      // A process may be forking meanwhile: until a look finds nothing.
      for (let sweep = 0; sweep < SWEEPS && signal('SIGKILL').length > 0; sweep++);
    },
    part() {
      return openProcesses(`${mark}.${++parts}`, marked, host, Math.min(grace, PART_GRACE), { use, holds })
    },
  }
}

/** Processes that carry the mark, this one excepted. */
function marks(mark: string, self: number): number[] {
  return pids().filter((pid) => pid !== self && carries(read(pid, 'environ'), mark) && state(pid) !== 'Z')
}

/** Processes of these groups; those that have ended and wait for their parent do not count. */
function members(groups: ReadonlySet<number>): number[] {
  if (groups.size === 0) return []
  return pids().filter((pid) => {
    const fields = stat(pid)
    return fields[0] !== 'Z' && groups.has(Number(fields[2]))
  })
}

/** Processes in walls by the groups of those that hold them: neither the holder nor the first process in the walls is one. */
function kept(holders: ReadonlySet<number>): number[] {
  return members(holders).filter((pid) => !holders.has(pid) && !holders.has(Number(stat(pid)[1])))
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function read(pid: number, file: 'environ' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** The fields behind the name (which may hold anything): state, parent, group, session … */
function stat(pid: number): string[] {
  const text = read(pid, 'stat')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function state(pid: number): string | undefined {
  return stat(pid)[0]
}

function send(host: Host, pid: number, signal: NodeJS.Signals): void {
  try {
    host.kill(pid, signal)
  } catch {
    // It has ended meanwhile, or belongs to another user.
  }
}

/** When a process began, in ticks since the machine did: with its number it tells one process from all others. Empty where unknown. */
export function bornAt(pid: number): string {
  return stat(pid)[19] ?? ''
}

export function isAlive({ pid, born }: Owner, host: Host): boolean {
  try {
    host.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return born === '' || bornAt(pid) === born
}

/** A process as the owner of something that may outlive it. */
interface Owner {
  pid: number
  born: string
}

/** This process as an owner, in a text. */
export function ownerText({ pid }: Host): string {
  return `${pid} ${bornAt(pid)}`
}

/** The owner that such a text tells of; `undefined` if it tells of none. */
export function ownerIn(text: string): Owner | undefined {
  const [pid = '', born = ''] = text.trim().split(' ')
  return /^\d+$/.test(pid) ? { pid: Number(pid), born } : undefined
}
