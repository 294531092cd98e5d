import { dirname } from 'node:path'
import { isInside, realPathOf, type Workspace } from '../workspace.ts'
import { kindOf } from './git-folder.ts'

/** What belongs to the system is opened file by file, never as a folder. */
const SYSTEM = /^\/(?:[^/]*|(?:dev|proc|sys|etc|boot|usr|bin|sbin|lib\d*)(?:\/.*)?)$/

/**
 * What has to be opened for a command to write a file that it was allowed to: the file, or the folder that it is to be made in, if nothing
 * depends on that folder. Where that is too much, the walls stay closed.
 */
export function openable(file: string, { cwd, home }: Workspace): string[] {
  if (kindOf(file) !== undefined) return [file]
  const folder = dirname(file)
  if (kindOf(folder) !== 'folder' || realPathOf(folder) !== folder || SYSTEM.test(folder)) return []
  const holds = [cwd, ...(home === undefined ? [] : [home])].some((place) => isInside(folder, place))
  return holds ? [] : [folder]
}
