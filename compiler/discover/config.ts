import { join } from 'node:path'
import type { SourceFile } from '../source-file.ts'
import { readKnown } from './known.ts'
import type { DiscoverOptions } from './options.ts'
import type { Project } from './project.ts'
import type { Root } from './root.ts'
import type { Search } from './search.ts'

/** The name of agentc's own settings, in the project's root and in policy's folder. */
export const CONFIG = 'agentc.config.json'

/** The project's `agentc.config.json`, at its root, and that of policy in the managed folder; a file that cannot be read is a finding. */
export function findConfig({ layers, managedDir }: DiscoverOptions, project: Project, search: Search): SourceFile[] {
  const roots: Root[] = [
    { path: join(project.root, CONFIG), base: project.root, source: 'project' },
    { path: join(managedDir, CONFIG), base: managedDir, source: 'policy' },
  ]
  return roots.filter(({ source }) => layers.includes(source)).flatMap((root) => readKnown('settings', 'json', root, search))
}
