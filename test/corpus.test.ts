import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { build } from '../compiler/commands/build.ts'
import { list, listEntries } from '../compiler/commands/list.ts'
import { compileOptions } from '../compiler/commands/flags.ts'
import type { Io } from '../compiler/commands/io.ts'
import { compile } from '../compiler/compile.ts'
import { laidPath, lay, shelves } from './corpus/lay.mjs'
import { byRepository, corpusDir, corpusRows, type CorpusRow } from './corpus/rows.mjs'
import { temporary } from './support/tree.ts'

/** Real agent files (issue 2): every repository of the corpus builds and lists, and its files become active agents. */

const dir = corpusDir()
if (dir === undefined) console.log('corpus.test.ts: SKIPPED, there is no corpus at $AGENTC_CORPUS or ../shared/corpus')
const repositories = dir === undefined ? [] : byRepository(corpusRows(dir))
const work = dir === undefined ? '' : temporary()

describe.skipIf(dir === undefined)('the corpus of real agent files', () => {
  let active = 0
  it.each(repositories)('%s builds and lists', async (repo, rows) => {
    const apart = shelves(rows)
    const whole = layIn(rows, `${repo.replace('/', '__')}-whole`)
    expect([0, 1]).toContain(await build([...flagsOf(whole), '--keep-going'], ioAt(whole)))
    expect(await list(flagsOf(whole), ioAt(whole))).toBe(0)
    for (const [i, shelf] of apart.entries()) active += await activeIn(shelf, layIn(shelf, `${repo.replace('/', '__')}-${i}`))
  })

  it('has at least 1,590 files that become active agents, and every file that the real program loads is one', () => {
    const loads = repositories.flatMap(([, rows]) => rows).filter(({ fate }) => fate === 'loads' || fate === 'harmed')
    expect(active).toBeGreaterThanOrEqual(1590)
    expect(active).toBeGreaterThanOrEqual(loads.length)
  })
})

function layIn(rows: readonly CorpusRow[], name: string): string {
  const project = join(work, name)
  lay(rows, project)
  return project
}

/** How many of the files laid in `project` are the winner of their name. */
async function activeIn(rows: readonly CorpusRow[], project: string): Promise<number> {
  const entries = listEntries(await compile(compileOptions({ home: join(work, 'home') }, ioAt(project))))
  const paths = new Set(entries.filter(({ status }) => status === 'active').map(({ path }) => path))
  return rows.filter((row) => paths.has(laidPath(row))).length
}

function flagsOf(project: string): string[] {
  return ['--project', project, '--home', join(work, 'home'), '--managed-dir', join(work, 'absent'), '--format', 'json']
}

/** Commands print nowhere: only that they end, and how, is looked at. */
function ioAt(cwd: string): Io {
  return {
    out: () => {},
    err: () => {},
    env: {},
    version: '0.0.0',
    cwd,
    home: join(work, 'home'),
    platform: 'linux',
    terminal: false,
    columns: 80,
    builtinDir: fileURLToPath(new URL('../agents', import.meta.url)),
    schemaDir: fileURLToPath(new URL('../schemas', import.meta.url)),
  }
}
