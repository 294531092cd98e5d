import { instructionsLost } from '../findings/instructions.ts'
import { DISK, type FileSystem } from '../discover/file-system.ts'
import { findInstructions } from '../discover/instruction-files.ts'
import type { KnownSources } from '../discover/known-sources.ts'
import type { DiscoverOptions } from '../discover/options.ts'
import { ownFindings } from '../discover/open.ts'
import { inputsOf, newSearch } from '../discover/search.ts'
import type { Settings } from '../settings/settings.ts'
import type { Instructions } from './instructions.ts'

/** The project as discovery found it. */
interface Where {
  projectRoot: string
  projectFolders: readonly string[]
}

/** Finds and reads the instructions of all levels, with a search of its own. The code that understands them is loaded only if there are some. */
export async function loadInstructions(
  options: DiscoverOptions,
  { projectRoot: root, projectFolders }: Where,
  { instructions: settings }: Pick<Settings, 'instructions'>,
  fs: FileSystem = DISK,
  known?: KnownSources,
): Promise<Instructions> {
  const search = newSearch(fs, known)
  const where = { root, folders: [...projectFolders] }
  const found = findInstructions(options, where, settings.mode?.value ?? 'claude-md-or-agents-md', search)
  const some = found.files.length > 0 || found.unread.length > 0 || settings.managed !== undefined
  const collected = some
    ? await (await import('./collect.ts')).collect(found, settings, { options, root, search })
    : { excluded: [], files: [] }
  return { ...collected, diagnostics: ownFindings(search).map(instructionsLost), inputs: inputsOf(search) }
}
