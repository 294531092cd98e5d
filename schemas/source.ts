/** The six layers an agent can come from, lowest precedence first: a later one replaces an earlier one (M1). */
export const SOURCES = ['builtin', 'plugin', 'user', 'project', 'flag', 'policy'] as const
export type Source = (typeof SOURCES)[number]

/**
 * Where a file belongs. `path` is relative to its layer's root and uses `/` on every system:
 * builtin: the package; plugin: the plugin's folder; user: the configuration folder (`~/.claude`);
 * project: the git root (or the working directory outside git); policy: the managed folder.
 * A flag value given as JSON has the path `--agents`.
 */
export interface Origin {
  source: Source
  path: string
  /** Name of the plugin, for the plugin layer only. */
  plugin?: string
  /** Where a link leads, relative to the layer's root, or `<outside>`. */
  link?: string
  /** `main` for a file that a linked git worktree takes from its main checkout (M4). */
  checkout?: 'main'
}

/** Offsets into the file's own text, in UTF-16 units; the end is exclusive. */
export type Range = readonly [start: number, end: number]

/** A value with the place it was written at. */
export interface Located<T> {
  value: T
  range: Range
}
