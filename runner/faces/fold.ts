import { count, subject } from './shown.ts'

/** Tools that only look: what they looked at is of interest while they do, afterwards how much it was. */
const READS = new Set(['Read', 'ReadMcpResource'])
const SEARCHES = new Set(['Glob', 'Grep'])

/** Reads and searches that follow one another, told in one line. */
export interface Fold {
  /** Takes a call in; false if calls of its kind are told one by one. */
  take(name: string, input: unknown): boolean
  failed(): void
  /** The line so far; `''` if there is nothing. */
  line(): string
  /** Gives the line and begins anew. */
  end(): string
}

export function createFold(): Fold {
  let files = new Set<string>()
  let searches = 0
  let calls = 0
  let failures = 0
  let only = ''
  const line = (): string => {
    if (calls === 0) return ''
    const failed = failures > 0 ? ` (${failures === calls ? '' : `${failures} of ${calls} `}failed)` : ''
    return `${calls === 1 ? only : summary(files.size, searches)}${failed}`
  }
  return {
    line,
    take(name, input) {
      const reads = READS.has(name)
      if (!reads && !SEARCHES.has(name)) return false
      calls += 1
      only = `${name} ${subject(input)}`.trimEnd()
      if (reads) files.add(subject(input))
      else searches += 1
      return true
    },
    failed: () => void (failures += 1),
    end() {
      const said = line()
      files = new Set()
      searches = calls = failures = 0
      return said
    },
  }
}

/** `Read 4 files, searched 2 times`. A file that is read in parts counts once. */
function summary(files: number, searches: number): string {
  const searched = searches === 0 ? '' : `earched ${count(searches, 'time')}`
  if (files === 0) return `S${searched}`
  return `Read ${count(files, 'file')}${searched === '' ? '' : `, s${searched}`}`
}
