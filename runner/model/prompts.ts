import type { Person } from '../person.ts'

/**
 * A prompt of a conversation in a recording; `null`: the person left. `waited`: nothing was said before an agent in the background had
 * something to report.
 */
export interface SaidLine {
  kind: 'prompt'
  said: string | null
  waited?: true
}

/** Writes down what the person says. */
export function recordedPerson(person: Person, put: (line: SaidLine) => void): Person {
  return {
    begin: () => person.begin(),
    async next(signal) {
      const said = await person.next(signal)
      put(said === undefined && signal.aborted ? { kind: 'prompt', said: null, waited: true } : { kind: 'prompt', said: said ?? null })
      return said
    },
  }
}

/** Says what was said in the recorded run. Nobody interrupts: where the person did, the recorded reply is a broken one. */
export function replayedPerson(lines: readonly SaidLine[]): Person {
  const left = [...lines]
  return {
    begin: () => new AbortController().signal,
    next(signal) {
      const { said, waited } = left.shift() ?? { said: null }
      if (!waited || left.length === 0) return Promise.resolve(said ?? undefined)
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
    },
  }
}
