import { dirname, join, relative } from 'node:path'
import { slashed, type Workspace } from '../workspace.ts'
import type { PromptFile } from './catalogue.ts'

/**
 * The folder of a skill's file, as the model can open it: the manifest holds no absolute path, so it is found out here. `undefined` where
 * it is not known in this run.
 */
export function skillFolder({ origin }: Pick<PromptFile, 'origin'>, { root, cwd, config }: Workspace): string | undefined {
  const folder = dirname(origin.path)
  if (origin.checkout === 'main') return undefined
  if (origin.source === 'project') return slashed(relative(cwd, join(root, folder))) || '.'
  return origin.source === 'user' && config !== undefined ? join(config, folder) : undefined
}
