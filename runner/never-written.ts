import { relative } from 'node:path'
import { protectedPath } from '../schemas/protected-path.ts'
import { slashed } from './workspace.ts'

/**
 * Why no tool may write this file, whatever the rules say (M18): git's own files, agentc's own, and files of secrets.
 * Other places that are protected (settings, hooks of the shell) a person can allow; these not. Both ways to the file are looked at: the
 * one that was given and the one without links.
 */
export function neverWritten(root: string, ...paths: string[]): string | undefined {
  for (const path of paths) {
    const reason = protectedPath(slashed(relative(root, path)))
    if (reason !== undefined) return reason
  }
  return undefined
}
