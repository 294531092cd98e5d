import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The corpus of real agent files, as rows of its FILES.tsv. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Oddities of a file that loads, with which something is lost all the same. Not among them: control and zero-width characters, which
 * in these files stand in emoji and code of the prompt and reach the model as they are.
 */
const LOSSES = new Set([
  'tools mis-keyed (allowed-tools / allowedTools)',
  'tools: none resolves (zero tools)',
  'tools: unknown name',
  'model: not an alias or id',
])

/** In: nothing, or `AGENTC_CORPUS` (from the repository root). Out: the corpus folder, or undefined where it is absent. */
export function corpusDir(env = process.env) {
  const dir = resolve(ROOT, env.AGENTC_CORPUS ?? '../shared/corpus')
  return existsSync(join(dir, 'FILES.tsv')) ? dir : undefined
}

/** In: the corpus folder. Out: one row per file that Claude Code 2.1.332 was asked to load as a project agent. */
export function corpusRows(dir) {
  const [head, ...lines] = readFileSync(join(dir, 'FILES.tsv'), 'utf8').trimEnd().split('\n')
  const columns = head.split('\t')
  return lines
    .map((line) => Object.fromEntries(line.split('\t').map((cell, i) => [columns[i], cell])))
    .filter((row) => row.cc_2_1_332_project_scope === 'loads' || row.cc_2_1_332_project_scope === 'skips')
    .map((row) => rowOf(dir, row))
}

function rowOf(dir, { repo, path, name, oddities, cc_2_1_332_project_scope: scope, cc_reason: reason }) {
  const odd = oddities.split('; ')
  const file = join(dir, repo.replace('/', '__'), path)
  const fate = scope === 'loads' ? fateOfLoaded(odd) : fateOfSkipped(reason, odd, file)
  return { repo, path, file, name, reason, odd, fate }
}

/** Out: `loads` (nothing is lost) or `harmed` (it loads, something is lost). */
function fateOfLoaded(odd) {
  return odd.some((item) => LOSSES.has(item)) ? 'harmed' : 'loads'
}

/**
 * Out: `skipped` (an agent is lost) or `document` (silence and a finding are both right): a file without frontmatter that is a README or
 * the like, or prose with code fences, which what-to-report.md counts as a document too.
 */
function fateOfSkipped(reason, odd, file) {
  if (reason !== 'no frontmatter') return 'skipped'
  return odd.includes('no-frontmatter: README/doc') || readFileSync(file, 'utf8').includes('```') ? 'document' : 'skipped'
}

/** In: rows. Out: [repository, its rows] in name order. */
export function byRepository(rows) {
  const groups = new Map()
  for (const row of rows) groups.set(row.repo, [...(groups.get(row.repo) ?? []), row])
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}
