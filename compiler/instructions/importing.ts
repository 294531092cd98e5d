import { dirname } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { IMPORT_HOPS, INSTRUCTIONS_LIMIT } from '../../schemas/values.ts'
import { findProject } from '../discover/project.ts'
import { firstVisit, type Search } from '../discover/search.ts'
import { identityOf } from '../discover/stamp.ts'
import * as say from '../findings/instructions.ts'
import { isExcluded, textFile, type Collecting, type Importer } from './collecting.ts'
import { framed } from './frame.ts'
import { understood, type Mention } from './markdown.ts'
import { importedOrigin, targetOf, type Ground, type Target } from './target.ts'

/** More imports are no instructions but a link into a disk. */
const IMPORTS = 1000

/** Follows the imports of a text, then puts the text itself behind them. */
export function add(importer: Importer, text: string, from: number, state: Collecting): void {
  const { body, mentions } = understood(text, from)
  for (const mention of mentions) follow(mention, importer, state)
  if (body === '') return
  const { file, level, importedBy } = importer
  const hash = file.hash ?? sha256(file.text)
  const entry = { level, origin: { ...file.origin }, hash, ...(importedBy && { importedBy: { ...importedBy } }) }
  state.entries.push({ ...entry, text: framed(level, file.origin, body) })
}

function follow(mention: Mention, importer: Importer, state: Collecting): void {
  const { search } = state
  const target = targetOf(mention.path, importer.folder, importer.ground, search)
  const refused = refusal(target, mention, importer)
  if (refused) search.diagnostics.push(refused)
  else if (target.kind === 'file') take(target, mention, importer, state)
}

/** Why an import is not followed, if that is to be said. */
function refusal(target: Target, { path, range }: Mention, { file, chain, placeOf }: Importer): Diagnostic | undefined {
  const at = placeOf(range)
  switch (target.kind) {
    case 'none':
      return undefined
    case 'outside':
      return say.importOutside(file, at, path)
    case 'protected':
      return say.importProtected(file, at, path, target.reason)
    case 'missing':
      return say.importMissing(file, at, path, target.reason)
    case 'file':
      if (chain.includes(identityOf(target.stat))) return say.importCycle(file, at, path)
      return chain.length > IMPORT_HOPS ? say.importTooDeep(file, at, path) : undefined
  }
}

function take(target: Extract<Target, { kind: 'file' }>, { path, range }: Mention, importer: Importer, state: Collecting): void {
  const { search } = state
  const { file, level, ground, chain } = importer
  const { path: at, real, stat } = target
  const origin = importedOrigin(at, real, file.origin, ground, search)
  if (isExcluded(level, origin, [at, real], state) || !firstVisit(search, at, stat)) return
  state.imports += 1
  if (state.imports === IMPORTS + 1) search.diagnostics.push(say.tooManyImports(file, importer.placeOf(range), path, IMPORTS))
  if (state.imports > IMPORTS) return
  const imported = textFile({ path: at, stat, origin, limit: INSTRUCTIONS_LIMIT }, state)
  if (!imported) return
  const next: Importer = {
    file: imported,
    level,
    folder: dirname(at),
    ground: { ...ground, fence: fenceOf(ground, dirname(real), search) },
    chain: [...chain, identityOf(stat)],
    importedBy: file.origin,
    placeOf: (place) => place,
  }
  add(next, imported.text, 0, state)
}

/**
 * What a repository brings may import from that repository only: nobody asks before a build, and what is imported goes to the model. The
 * person and the organisation may import from anywhere, also out of repositories, whose files then import nothing from outside either.
 */
function fenceOf(ground: Ground, folder: string, search: Search): string | undefined {
  if (ground.fence !== undefined) return ground.fence
  const { root, git } = findProject(folder, search)
  return git && root
}
