import { unreadable } from '../findings/file.ts'
import type { SourceFile } from '../source-file.ts'
import { faultOf, type Entry } from './file-system.ts'
import { layerFolders, report, type Layers } from './layer-folders.ts'
import { absent, openFolder } from './open.ts'
import { byPath } from './path.ts'
import { readSource } from './read.ts'
import type { Root } from './root.ts'
import { entriesIn, firstVisit, look, realOr, type Search } from './search.ts'
import { spotBelow, spotOrigin, type Spot } from './spot.ts'
import { reportUnknown, takeFile, type Taking } from './take.ts'
import { Visited } from './visited.ts'

/** More folders than this in one place are no set of skills. */
const SKILL_LIMIT = 10_000

/**
 * Finds and reads `<skills>/<name>/SKILL.md` of all layers (claude-code-agents.md 8). Out: lowest precedence first.
 * Links are followed, the same folder counts once, nothing below the first level is looked at, and no other file of a skill is read.
 * What cannot be read is a warning: a missing skill stops no build.
 */
export function findSkills(layers: Layers): SourceFile[] {
  const own: Search = { ...layers.search, seen: new Visited(), diagnostics: [] }
  const files = layerFolders('skills', { ...layers, search: own }).flatMap((root) => skillsIn(root, own))
  report(own, layers.search, 'skill')
  return files.reverse()
}

function skillsIn(root: Root, search: Search): SourceFile[] {
  const stat = look(search, root.path)
  if (stat === undefined) return (absent(root, search), [])
  const start = openFolder(root, stat, search)
  if (!start) return []
  const taking: Taking = { root, search, found: [] }
  if (root.named) takeFileIn(start, taking)
  for (const entry of foldersIn(start, taking)) takeSkill(spotBelow(start, entry.name), entry, taking)
  return taking.found.flatMap((file) => readSource(file, 'markdown', search, 'skill'))
}

/** What may be the folder of a skill, in the order of names; links last, so that of two ways to one folder the plain one is kept. */
function foldersIn(start: Spot, { root, search }: Taking): Entry[] {
  try {
    const entries = entriesIn(search, start.path).filter(({ kind }) => kind === 'folder' || kind === 'link')
    const linked = ({ kind }: Entry): number => (kind === 'link' ? 1 : 0)
    return entries.sort((a, b) => linked(a) - linked(b) || byPath(a.name, b.name)).slice(0, SKILL_LIMIT)
  } catch (error) {
    search.diagnostics.push(unreadable(spotOrigin(start, root), faultOf(error)))
    return []
  }
}

function takeSkill(spot: Spot, { kind }: Entry, taking: Taking): void {
  const { root, search } = taking
  const stat = look(search, spot.path)
  if (typeof stat !== 'object') return reportUnknown(spot, stat, root, search)
  if (stat.kind !== 'folder' || !firstVisit(search, spot.path, stat)) return
  const folder = kind === 'link' ? { ...spot, real: realOr(search, spot.path) } : spot
  const file = spotBelow(folder, 'SKILL.md')
  takeFile(file, look(search, file.path), taking)
}

/** A path of a plugin's manifest may lead to the folder of one skill. */
function takeFileIn(folder: Spot, taking: Taking): void {
  const file = spotBelow(folder, 'SKILL.md')
  const stat = look(taking.search, file.path)
  if (stat !== undefined) takeFile(file, stat, taking)
}
