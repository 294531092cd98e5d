import { subject } from './shown.ts'
import { createTally, onlyLooks } from './tally.ts'

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

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

export function createFold(): Fold {
  let tally = createTally()
  let calls = 0
  let failures = 0
  let only = ''
  const line = (): string => {
    if (calls === 0) return ''
    const failed = failures > 0 ? ` (${failures === calls ? '' : `${failures} of ${calls} `}failed)` : ''
    return `${calls === 1 ? only : capital(tally.phrase())}${failed}`
  }
  return {
    line,
    take(name, input) {
      if (!onlyLooks(name)) return false
      calls += 1
      only = `${name} ${subject(input)}`.trimEnd()
      tally.take(name, input)
      return true
    },
    failed: () => void (failures += 1),
    end() {
      const said = line()
      tally = createTally()
      calls = failures = 0
      return said
    },
  }
}
