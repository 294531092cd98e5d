import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { textOf, writeAtomically } from './write.ts'

/**
 * The code of custom tools lies in `tools/` beside the manifest, each under its own hash: a manifest that names it never gets other code,
 * and two manifests in one folder do not disturb each other.
 */
export function codePath(manifest: string, hash: string): string {
  return join(dirname(manifest), 'tools', `${hash.slice('sha256:'.length)}.mjs`)
}

/** Stores the code; goes before the manifest, which must never name what is not there. Throws what the file system throws. */
export function writeCode(manifest: string, code: ReadonlyMap<string, string>): void {
  for (const [hash, text] of code) {
    const file = codePath(manifest, hash)
    mkdirSync(dirname(file), { recursive: true })
    writeAtomically(file, text)
  }
}

/** Whether all of it is stored, unchanged. */
export function isStored(manifest: string, code: ReadonlyMap<string, string>): boolean {
  return [...code].every(([hash, text]) => textOf(codePath(manifest, hash)) === text)
}
