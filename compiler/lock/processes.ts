import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { carries } from '../../schemas/run-mark.ts'

/** Sends a signal to a process, or to a group by its number below zero. A command gives the real one. */
export type Kill = (pid: number, signal: NodeJS.Signals) => unknown

/** Ends a process with all of its group. One that has ended already is no fault. */
export function endGroup(pid: number, kill: Kill): void {
  if (!endOne(-pid, kill)) endOne(pid, kill)
}

function endOne(pid: number, kill: Kill): boolean {
  try {
    kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

/** How often it is looked for processes, and how long is waited in between. */
const ROUNDS = 20
const PAUSE_MS = 20

/**
 * Ends every process whose environment holds the mark, also those that left their group (setsid, double fork). Only Linux tells the
 * environment of other processes; elsewhere the group has to do. One that forks while it is looked for shows up in the next round, and one
 * that is just being started has no environment yet: so it ends only when nothing was found twice.
 */
export async function sweep(run: string, kill: Kill): Promise<void> {
  let clean = 0
  for (let round = 0; round < ROUNDS && clean < 2; round++) {
    if (round > 0) await setTimeout(PAUSE_MS)
    const left = marked(run)
    for (const pid of left) endOne(pid, kill)
    clean = left.length === 0 ? clean + 1 : 0
  }
}

/** The processes that carry the mark of a run, by which they are known however they were started (runner-facts.md B5). */
function marked(run: string): number[] {
  return processes().filter((pid) => carries(environmentOf(pid), run))
}

function processes(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
