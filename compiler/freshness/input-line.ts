import type { Input } from '../discover/input.ts'
import { listingHash } from '../discover/search.ts'
import { identityOf, isYoung, stampOf } from '../discover/stamp.ts'

/** An input as the record holds it: a short text that is cheap to read, because an unchanged build reads thousands of them. */

/** What is compared: `w` the whole stat, `i` which thing it is, `k` only what kind of thing; of what was `y`oung also what is in it. */
type Mark = 'w' | 'i' | 'k' | 'y' | 'absent' | 'dangling' | 'refused' | 'real'

export interface InputLine {
  mark: Mark
  /** Of the stat: kind, identity and, for the whole, size and times. */
  stamp: string
  /** Where it leads, why it is refused, or the hash of what is in it; empty if there is none. */
  value: string
  path: string
}

/** In: an input, and when the build began (ns since 1970). */
export function lineOf({ path, kind, stat, identityOnly, sha256, entries, value }: Input, began: bigint): string {
  if (kind === 'absent' || kind === 'dangling' || kind === 'refused' || kind === 'real') return `${kind} - ${value ?? ''}\t${path}`
  if (!stat) return `k ${kind} \t${path}`
  if (identityOnly) return `i ${identityOf(stat)} \t${path}`
  return `${isYoung(stat, began) ? 'y' : 'w'} ${stampOf(stat)} ${sha256 ?? (entries ? listingHash(entries) : '')}\t${path}`
}

/** In: a line of a record. Out: its parts. */
export function readLine(line: string): InputLine {
  const [first, tab] = [line.indexOf(' '), line.indexOf('\t')]
  const second = line.indexOf(' ', first + 1)
  return {
    mark: line.slice(0, first) as Mark,
    stamp: line.slice(first + 1, second),
    value: line.slice(second + 1, tab),
    path: line.slice(tab + 1),
  }
}
