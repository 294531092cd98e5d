import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Lays files of the corpus into projects that agentc can read. */

/** In: rows of one repository and a folder. Does: copies each to `.claude/agents/<its path there>`, so that two files of one name stay two. */
export function lay(rows, project) {
  for (const row of rows) {
    const target = join(project, laidPath(row))
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(row.file, target)
  }
}

/** In: a row. Out: where it lies in its project, with `/`. */
export function laidPath({ path }) {
  return `.claude/agents/${path}`
}

/**
 * In: the rows of one repository. Out: lists of rows in which no name stands twice (translations and plugin copies repeat names; of a
 * name in one folder only one file can be active, so the others are looked at in a project of their own). The first list is the longest.
 */
export function shelves(rows) {
  const lists = []
  for (const row of rows) {
    const free = lists.find((list) => row.name === '-' || !list.names.has(row.name))
    const list = free ?? { names: new Set(), rows: [] }
    if (!free) lists.push(list)
    list.names.add(row.name)
    list.rows.push(row)
  }
  return lists.map((list) => list.rows)
}
