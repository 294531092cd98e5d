import { basename, join } from 'node:path'
import { FSWatcher } from 'chokidar'

/** Folders that are watched, each by itself and not what lies below; the door of chokidar. */
export interface FolderWatcher {
  /**
   * Watches exactly these folders. A folder whose identity is another one than before is watched anew: what was put in its place sends its
   * changes elsewhere. Resolves with the new ones once nothing in them can be missed any more.
   */
  follow(folders: ReadonlyMap<string, string>): Promise<string[]>
  close(): Promise<void>
}

/**
 * Chokidar lists a folder after every change in it, with a stat of each file: a quarter of a second of work at 10,000 files, just when the
 * compiler is to answer. Nobody needs that list here, so it is not made (a closed watcher gives none either).
 */
class Unlisted extends FSWatcher {
  override _readdirp(): undefined {
    return undefined
  }
}

/**
 * In: what to do when something at a path changed. Chokidar's own events come late or not at all when changes follow each other within its
 * 50 milliseconds; what the system says comes through it as `raw` at once, and what it means is looked up by whoever is told.
 */
export function watchFolders(changed: (path: string) => void): FolderWatcher {
  const watched = new Map<string, { identity: string; watcher: FSWatcher }>()
  const open = (folder: string): FSWatcher => {
    // Only the folder itself is watched: the system tells of the files in it.
    const watcher = new Unlisted({ depth: 0, ignoreInitial: true, atomic: false })
    watcher.on('raw', (_event, name: unknown) => changed(pathOf(folder, name)))
    watcher.on('all', (_event, path) => changed(path))
    watcher.on('error', () => changed(folder))
    watcher.add(folder)
    return watcher
  }
  return {
    follow: async (folders) => {
      const gone = [...watched].filter(([folder, { identity }]) => folders.get(folder) !== identity)
      for (const [folder] of gone) watched.delete(folder)
      const added = [...folders].filter(([folder]) => !watched.has(folder))
      const opened = added.map(([folder, identity]) => {
        const watcher = open(folder)
        watched.set(folder, { identity, watcher })
        return new Promise<void>((resolve) => void watcher.once('ready', () => resolve()))
      })
      await Promise.all([...gone.map(([, { watcher }]) => watcher.close()), ...opened])
      return added.map(([folder]) => folder)
    },
    close: async () => {
      await Promise.all([...watched.values()].map(({ watcher }) => watcher.close()))
    },
  }
}

/** A folder that is moved or removed speaks of itself by its own name. */
function pathOf(folder: string, name: unknown): string {
  return typeof name !== 'string' || name === '' || name === basename(folder) ? folder : join(folder, name)
}
