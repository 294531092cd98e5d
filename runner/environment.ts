import { lstat } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import type { Workspace } from './workspace.ts'

/** What the model is told about where it works. A replay takes these values from the recording, so that its requests are the same. */
export interface Environment {
  cwd: string
  platform: string
  git: boolean
  /** There is a CLAUDE.md between the working directory and the root of the project. Not told, only noted. */
  instructions: boolean
}

/**
 * The environment block, the first text of the first user message. It holds no date and no clock:
 * the same folder gives the same bytes on every day.
 */
export function environmentBlock(environment: Environment): string {
  return [
    '<environment>',
    `Working directory: ${environment.cwd}`,
    `Platform: ${environment.platform}`,
    `Git repository: ${environment.git ? 'yes' : 'no'}`,
    '</environment>',
  ].join('\n')
}

export async function lookAround(workspace: Workspace): Promise<Environment> {
  return {
    cwd: workspace.cwd,
    platform: platform(),
    git: await exists(join(workspace.root, '.git')),
    instructions: await hasInstructions(workspace),
  }
}

async function hasInstructions(workspace: Workspace): Promise<boolean> {
  for (let folder = workspace.cwd; ; folder = dirname(folder)) {
    if (await exists(join(folder, 'CLAUDE.md'))) return true
    if (folder === workspace.root || folder === dirname(folder)) return false
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
