/** One real agent file and what Claude Code 2.1.332 does with it. */
export interface CorpusRow {
  repo: string
  path: string
  file: string
  name: string
  reason: string
  odd: string[]
  fate: 'loads' | 'harmed' | 'skipped' | 'document'
}
export function corpusDir(env?: NodeJS.ProcessEnv): string | undefined
export function corpusRows(dir: string): CorpusRow[]
export function byRepository(rows: readonly CorpusRow[]): [string, CorpusRow[]][]
