import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInside, shownPath, type Workspace } from '../workspace.ts'
import type { PromptFile } from './catalogue.ts'

/** Where the files of a skill lie. */
export interface SkillPlace {
  /** As the model can open it: relative to the working directory, if it lies in the project. */
  folder?: string
  /** Outside the project: the folder without links. The agent may read what is in it. */
  opens?: string
  /** Why the skill cannot be called from here, as a clause. */
  lacks?: string
}

/**
 * Finds the folder of a skill's file. The manifest holds no absolute path; where a plugin or policy lies is known to the run. Nothing is
 * found where it is not, nor if the folder of a plugin or of policy leads out of its root by a link.
 */
export async function skillPlace({ origin, hooks }: PromptFile, workspace: Workspace): Promise<SkillPlace> {
  const root = rootOf(origin, workspace)
  // A hook may be what refuses a call, so the skill is not at work without it.
  const lacks = `its hooks run programs of the folder of its plugin ${origin.plugin}, and that is not here (--plugin-dir)`
  if (root === undefined) return JSON.stringify(hooks ?? {}).includes('CLAUDE_PLUGIN_ROOT') ? { lacks } : {}
  const path = join(root, dirname(origin.path))
  if (origin.source === 'project') return { folder: shownPath(workspace, path) }
  const [real, top] = await Promise.all([path, root].map((at) => realpath(at).catch(() => undefined)))
  if (real === undefined || top === undefined) return {}
  if (origin.source !== 'user' && !isInside(top, real)) return {}
  if (isInside(workspace.root, real)) return { folder: shownPath(workspace, real) }
  return { folder: path, opens: real }
}

function rootOf(
  { source, plugin, checkout }: PromptFile['origin'],
  { root, config, plugins = {}, managed, bundled }: Workspace,
): string | undefined {
  if (source === 'project') return checkout === 'main' ? undefined : root
  if (source === 'user') return config
  if (source === 'policy') return managed
  if (source === 'builtin') return bundled
  return plugin === undefined || !Object.hasOwn(plugins, plugin) ? undefined : plugins[plugin]
}
