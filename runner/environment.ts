import { lstat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import type { Workspace } from './workspace.ts'

/** What the surroundings put into requests. A replay takes these values from the recording, so that its requests are the same. */
export interface Environment {
  cwd: string
  platform: string
  git: boolean
  /** The model of agents that neither their definition nor the call gives one (`CLAUDE_CODE_SUBAGENT_MODEL`). Not told. */
  subagentModel?: string
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

export async function lookAround(workspace: Workspace, env: Readonly<Record<string, string | undefined>>): Promise<Environment> {
  const subagentModel = env.CLAUDE_CODE_SUBAGENT_MODEL?.trim() ?? ''
  return {
    cwd: workspace.cwd,
    platform: platform(),
    git: await exists(join(workspace.root, '.git')),
    ...(!['', 'inherit'].includes(subagentModel.toLowerCase()) && { subagentModel }),
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
