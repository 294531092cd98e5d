import type { CorpusRow } from './rows.mjs'

export function lay(rows: readonly CorpusRow[], project: string): void
export function laidPath(row: Pick<CorpusRow, 'path'>): string
export function shelves(rows: readonly CorpusRow[]): CorpusRow[][]
