import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CompileOptions } from '../../compiler/options.ts'
import { SOURCES } from '../../schemas/source.ts'

/** The repository's root, and the folder of built-in agents in it. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const BUILTIN = join(ROOT, 'agents')

const made: string[] = []

/** Removes the temporary folders; `setup.ts` does so after the tests of each file. */
export function removeTemporary(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** A new empty temporary folder (its real path), removed after the tests of the file. */
export function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentc-test-')))
  made.push(folder)
  return folder
}

/** A copy of a folder in a new temporary one; links stay links. */
export function copyOf(folder: string): string {
  const copy = temporary()
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

/** Writes a file below `root`, with its folders. */
export function put(root: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

/** As editors save: a temporary file in the same folder, renamed over the old one. */
export function saveOver(file: string, text: string): void {
  writeFileSync(`${file}.tmp`, text)
  renameSync(`${file}.tmp`, file)
}

export function link(root: string, path: string, target: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  symlinkSync(target, join(root, path))
}

/** Options for a tree with `project/` (a git root once `.git` is in it), `home/` and `managed/`. */
export function optionsFor(root: string, more: Partial<CompileOptions> = {}): CompileOptions {
  return {
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    configDir: join(root, 'home/.claude'),
    managedDir: join(root, 'managed'),
    builtinDir: BUILTIN,
    pluginDirs: [],
    layers: SOURCES,
    ...more,
  }
}
