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

/** A rule with what was found of it so far. */
interface Search {
  rule: Rule
  paths: string[]
  looked: number
  whole: boolean
}

/**
 * The files that deny rules for Read and Edit are about, as they are now: for a pattern without folder the project is looked through, once
 * for all rules that begin at the same place.
 */
export async function deniedFiles(rules: readonly Rule[], workspace: Workspace): Promise<Denied> {
  const starts = new Map<string, Search[]>()
  const searches = rules.flatMap((rule): Search[] => {
    if (!(READS.has(rule.tool) || WRITES.has(rule.tool)) || !rule.match || !('path' in rule.match)) return []
    const place = placeOf(rule, rule.match, workspace)
    const search = { rule, paths: place && 'path' in place ? existing(place.path) : [], looked: 0, whole: place !== undefined }
    if (place && 'below' in place) starts.set(place.below, [...(starts.get(place.below) ?? []), search])
    return [search]
  })
  for (const [folder, all] of starts) await look(folder, all, workspace)
  const found = (tools: ReadonlySet<string>): string[] => searches.filter(({ rule }) => tools.has(rule.tool)).flatMap(({ paths }) => paths)
  return { hidden: found(READS), locked: found(WRITES), unsure: searches.some(({ whole }) => !whole) }
}

/** The one path that a rule is about, or the folder below which its files are looked for; `undefined` if that cannot be known. */
function placeOf(
  rule: Rule,
  match: { path: string; anchor: 'root' | 'home' | 'source' | 'cwd' },
  workspace: Workspace,
): { path: string } | { below: string } | undefined {
  const anchor = anchorOf(rule, match.anchor, workspace)
  if (anchor === undefined) return undefined
  const parts = match.path.replace(/^(?:\.?\/)+/, '').split('/')
  const wild = parts.findIndex((part) => /[*?[\]{}()!]/.test(part))
  const anywhere = parts.length === 1 && !match.path.startsWith('/')
  const folder = join(anchor, ...parts.slice(0, wild < 0 ? parts.length : wild))
  const all = wild > 0 && parts.slice(wild).join('/') === '**'
  if (!anywhere && (wild < 0 || all)) return { path: folder }
  return { below: anywhere ? anchor : folder }
}

function existing(path: string): string[] {
  const real = realPathOf(path)
  return real === undefined ? [] : [real]
}

/** Looks through a folder for all rules at once. Below what a rule is about as a whole, nothing more is asked for that rule. */
async function look(folder: string, all: readonly Search[], workspace: Workspace): Promise<void> {
  const waiting = [{ at: folder, searches: all }]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const searches = next.searches.filter(({ whole }) => whole)
    if (searches.length === 0) continue
    for (const entry of await readdir(next.at, { withFileTypes: true }).catch(() => [])) {
      const path = join(next.at, entry.name)
      const real = entry.isSymbolicLink() ? (realPathOf(path) ?? path) : path
      const fits = new Set(searches.filter(({ rule }) => pathFits(rule, { path, real }, workspace, 'any') === true))
      for (const search of fits) search.paths.push(...existing(path))
      const others = searches.filter((search) => !fits.has(search))
      if (others.length > 0 && entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push({ at: path, searches: others })
      for (const search of searches) search.looked += 1
    }
    for (const search of searches) search.whole = search.looked <= MOST
  }
}
