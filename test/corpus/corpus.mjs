import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { reportText } from './report.mjs'
import { byRepository, corpusDir, corpusRows } from './rows.mjs'
import { runRepository } from './run.mjs'
import { score } from './score.mjs'

/**
 * Precision and recall over real agent files: `npm run corpus`. It prints and never judges: exit code 0, also without the corpus.
 * In: AGENTC_CORPUS (default ../shared/corpus), `--target NAME` (handed on), `--json FILE`, `--all` (every example, not three).
 */
const { values: flags } = parseArgs({ options: { target: { type: 'string' }, json: { type: 'string' }, all: { type: 'boolean' } } })
const dir = corpusDir()

if (dir === undefined) console.log('corpus: SKIPPED, no FILES.tsv in $AGENTC_CORPUS or ../shared/corpus')
else await main(dir)

async function main(dir) {
  const work = mkdtempSync(join(tmpdir(), 'agentc-corpus-'))
  const clean = () => rmSync(work, { recursive: true, force: true })
  process.once('SIGINT', () => (clean(), process.exit(130)))
  try {
    const result = score(await runAll(dir, work))
    console.log(reportText(result, flags.all === true))
    if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(result, replaceRow, 2)}\n`)
  } finally {
    clean()
  }
}

async function runAll(dir, work) {
  const extra = flags.target === undefined ? [] : ['--target', flags.target]
  const done = []
  for (const [repo, rows] of byRepository(corpusRows(dir))) {
    done.push(...(await runRepository(rows, join(work, repo.replace('/', '__')), extra)))
  }
  return done
}

/** A row is written as `repository path`, wherever it stands. */
function replaceRow(key, value) {
  return value !== null && typeof value === 'object' && 'fate' in value && 'repo' in value ? `${value.repo} ${value.path}` : value
}
