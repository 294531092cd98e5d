import { folderName } from './folder-name.ts'
import type { Source } from './source.ts'
import type { MemoryScope } from './values.ts'

/** The folder of an agent's notes: below the root of the project, the main checkout of the repository, or the configuration folder. */
export interface MemoryFolder {
  base: 'project' | 'checkout' | 'config'
  /** Relative to its base, with `/`. */
  path: string
}

/** Where notes of the scope `user` are carried into a project, below its root; to be committed like those of the scope `project`. */
export function snapshotFolder(agentName: string): string {
  return `.claude/agent-memory-snapshots/${folderName(agentName)}`
}

interface OriginOfAgent {
  source: Source
  path: string
  checkout?: 'main' | undefined
}

/** Below `.claude`, and below the configuration folder for the scope `user` (mission M8). */
const FOLDERS: Readonly<Record<MemoryScope, string>> = { user: 'agent-memory', project: 'agent-memory', local: 'agent-memory-local' }

/**
 * Where the notes of an agent lie. They belong to the folder whose `.claude` brought the agent, wherever a run is started (case 66), and
 * for an agent of another layer to the root of the project. Notes that stay on one machine are those of the main checkout, because a
 * linked worktree is thrown away with everything in it that git does not know.
 */
export function memoryFolder(scope: MemoryScope, agentName: string, origin: OriginOfAgent): MemoryFolder {
  const folder = `${FOLDERS[scope]}/${folderName(agentName)}`
  if (scope === 'user') return { base: 'config', path: folder }
  const parts = origin.source === 'project' ? origin.path.split('/') : []
  const above = parts.slice(0, Math.max(0, parts.indexOf('.claude')))
  const base = scope === 'local' || origin.checkout === 'main' ? 'checkout' : 'project'
  return { base, path: [...above, '.claude', folder].join('/') }
}
