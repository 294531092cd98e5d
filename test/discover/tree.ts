import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { discover, type Discovery } from '../../compiler/discover/discover.ts'
import { DISK, type FileSystem } from '../../compiler/discover/file-system.ts'
import type { DiscoverOptions } from '../../compiler/discover/options.ts'
import { optionsFor, temporary } from '../support/tree.ts'

/** Text or bytes of a file, or a link with its target as written. */
export type Leaf = string | Uint8Array | { link: string }

/** Lays files in a new temporary folder and gives its real path. A path that ends in `/` is an empty folder. */
export function lay(files: Record<string, Leaf>): string {
  const root = temporary()
  add(root, files)
  return root
}

export function add(root: string, files: Record<string, Leaf>): void {
  for (const [name, leaf] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (name.endsWith('/')) continue
    if (typeof leaf === 'string' || leaf instanceof Uint8Array) writeFileSync(path, leaf)
    else symlinkSync(leaf.link, path)
  }
}

/** Options for a tree with `project/`, `home/`, `managed/` and `builtin/`; all layers, no plugin, no flag. */
export function options(root: string, more: Partial<DiscoverOptions> = {}): DiscoverOptions {
  return optionsFor(root, { builtinDir: join(root, 'builtin'), ...more })
}

export function find(root: string, more: Partial<DiscoverOptions> = {}, fs?: FileSystem): Discovery {
  return discover(options(root, more), fs)
}

/** `source path` of each file, in order. */
export function shown(discovery: Discovery): string[] {
  return discovery.files.map(({ origin }) => `${origin.source} ${origin.path}`)
}

/** `code path` of each finding, in order. */
export function codes(discovery: Discovery): string[] {
  return discovery.diagnostics.map(({ code, at }) => `${code} ${at.origin.path}`)
}

/** The real disk with some answers replaced. */
export function diskWith(changes: Partial<FileSystem>): FileSystem {
  return { ...DISK, ...changes }
}

/** A refusal of the system. */
export function refusal(code: string): Error {
  return Object.assign(new Error(code), { code })
}
