import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { READS, WRITES } from '../permission/covers.ts'
import { anchorOf, pathFits } from '../permission/path-rule.ts'
import { realPathOf, type Workspace } from '../workspace.ts'

/** What deny rules take from commands, as paths without links. */
export interface Denied {
  /** Not to be read. */
  hidden: readonly string[]
  /** Not to be written. */
  locked: readonly string[]
  /** Not every file that the rules are about was found. */
  unsure: boolean
}

/** Files and folders that are looked at for one rule; what lies in `node_modules` and in git's own folder is not. */
const MOST = 20_000
const SKIPPED = new Set(['node_modules', '.git'])

/** The files that deny rules for Read and Edit are about, as they are now: for a pattern without folder the project is looked through. */
export async function deniedFiles(rules: readonly Rule[], workspace: Workspace): Promise<Denied> {
  const found = { hidden: [] as string[], locked: [] as string[], unsure: false }
  for (const rule of rules) {
    const list = READS.has(rule.tool) ? found.hidden : WRITES.has(rule.tool) ? found.locked : undefined
    if (!list || !rule.match || !('path' in rule.match)) continue
    const files = await filesOf(rule, rule.match, workspace)
    list.push(...files.paths)
    found.unsure ||= !files.whole
  }
  return found
}

async function filesOf(
  rule: Rule,
  match: { path: string; anchor: 'root' | 'home' | 'source' | 'cwd' },
  workspace: Workspace,
): Promise<{ paths: string[]; whole: boolean }> {
  const anchor = anchorOf(rule, match.anchor, workspace)
  if (anchor === undefined) return { paths: [], whole: false }
  const parts = match.path.replace(/^(?:\.?\/)+/, '').split('/')
  const wild = parts.findIndex((part) => /[*?[\]{}()!]/.test(part))
  const anywhere = parts.length === 1 && !match.path.startsWith('/')
  const folder = join(anchor, ...parts.slice(0, wild < 0 ? parts.length : wild))
  const all = wild > 0 && parts.slice(wild).join('/') === '**'
  if (!anywhere && (wild < 0 || all)) return { paths: existing(folder), whole: true }
  return look(anywhere ? anchor : folder, rule, workspace)
}

function existing(path: string): string[] {
  const real = realPathOf(path)
  return real === undefined ? [] : [real]
}

/** Looks through a folder. Of one that a rule is about as a whole nothing more is asked. */
async function look(folder: string, rule: Rule, workspace: Workspace): Promise<{ paths: string[]; whole: boolean }> {
  const paths: string[] = []
  const waiting = [folder]
  let looked = 0
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name)
      const real = entry.isSymbolicLink() ? (realPathOf(path) ?? path) : path
      if (pathFits(rule, { path, real }, workspace, 'any') === true) paths.push(...existing(path))
      else if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(path)
      looked += 1
    }
    if (looked > MOST) return { paths, whole: false }
  }
  return { paths, whole: true }
}
