import type { SourceFile } from '../source-file.ts'
import { layerFolders, report, type Layers } from './layer-folders.ts'
import { filesIn } from './open.ts'
import { pathInside } from './path.ts'
import type { Found } from './found.ts'
import { readSource } from './read.ts'
import type { Root } from './root.ts'
import type { Search } from './search.ts'
import { Visited } from './visited.ts'

/**
 * Finds and reads the Markdown files below `commands` of all layers (mission M20). Out: lowest precedence first, which is as for skills.
 * `namespace` holds the folders that a command is in, joined by `:`, with the plugin's name before them.
 */
export function findCommands(layers: Layers): SourceFile[] {
  const own: Search = { ...layers.search, seen: new Visited(), diagnostics: [] }
  const found = layerFolders('commands', { ...layers, search: own }).flatMap((root) =>
    filesIn(root, own).map((file) => (root.source === 'plugin' ? file : inFolders(file, root))),
  )
  const files = found.flatMap((file) => readSource(file, 'markdown', own, 'command'))
  report(own, layers.search, 'command')
  return files.reverse()
}

/** The walk names the folders of a plugin only, because for agents only those count. */
function inFolders(file: Found, root: Root): Found {
  const below = file.origin.path.slice((pathInside(root.base, root.path) ?? '').length + 1)
  const folders = below.split('/').slice(0, -1)
  return folders.length === 0 ? file : { ...file, namespace: folders.join(':') }
}
