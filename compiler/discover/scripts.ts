import { accessSync, constants } from 'node:fs'
import type { Input } from './input.ts'
import { DISK, faultOf, type Stat } from './file-system.ts'

export type ScriptState = 'fine' | 'absent' | 'not-executable'

/** What lies at the path of a script, and the input that this makes it. Nothing is opened, and nothing runs. */
export function scriptAt(path: string): { state: ScriptState; input: Input } {
  const stat = statOf(path)
  if (stat === undefined) return { state: 'absent', input: { path, kind: DISK.isLink(path) ? 'dangling' : 'absent' } }
  if (typeof stat === 'string') return { state: 'fine', input: { path, kind: 'refused', value: stat } }
  const input: Input = { path, kind: stat.kind, stat, ...(stat.kind !== 'file' && { identityOnly: true }) }
  return { state: stat.kind === 'file' && !isExecutable(path) ? 'not-executable' : 'fine', input }
}

/** The stat, or why there is none to be had. */
function statOf(path: string): Stat | string | undefined {
  try {
    return DISK.stat(path)
  } catch (error) {
    return faultOf(error)
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
