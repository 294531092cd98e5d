import type { Workspace } from '../workspace.ts'
import type { Rights, ShellCall } from './asked.ts'
import { lookUpLine } from './lookup.ts'
import { readLine } from './shell/line.ts'
import { shellParser } from './shell/parser.ts'

/**
 * Reads the command line of a Bash call and looks up its files, so that `decide` can judge it without the disk.
 * Folders that it reads as a whole are walked only where a rule about paths could hide a file in them.
 */
export async function shellCall(command: string, workspace: Workspace, rights: Pick<Rights, 'deny' | 'ask' | 'above'>): Promise<ShellCall> {
  const line = readLine(command, await shellParser())
  const deep = [...rights.deny, ...rights.ask, ...(rights.above ?? [])].some(({ match }) => match !== undefined && 'path' in match)
  return lookUpLine(line, workspace, deep)
}
