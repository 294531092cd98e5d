import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { SourceFile } from '../source-file.ts'
import type { Stat } from './file-system.ts'
import type { Input } from './input.ts'
import type { Found } from './found.ts'
import { isYoung, stampOf } from './stamp.ts'

/** A file as an earlier search read it. */
export interface KnownSource {
  found: Found
  stat: Stat
  /** A time before it was read, in nanoseconds since 1970. */
  readAt: bigint
  file: SourceFile
  input: Input
  diagnostics: readonly Diagnostic[]
}

/** What one search leaves to the next: a file that did not change is the very same value, so that whatever was made of it still holds. */
export class KnownSources {
  private before = new Map<string, KnownSource>()
  private seen = new Map<string, KnownSource>()
  began = 0n

  /** Begins a search. What the last one did not meet is forgotten. */
  begin(began: bigint): void {
    this.before = this.seen
    this.seen = new Map()
    this.began = began
  }

  /** The file as it was read before, if it was found in the same place and as the same thing. */
  find(key: string, found: Found): KnownSource | undefined {
    const known = this.before.get(key)
    return known && sameFound(known.found, found) ? known : undefined
  }

  keep(key: string, known: KnownSource): void {
    this.seen.set(key, known)
  }
}

/** Whether the stat alone tells that nothing changed. */
export function isSettled({ stat, readAt }: KnownSource, now: Stat): boolean {
  return (stat === now || stampOf(stat) === stampOf(now)) && !isYoung(stat, readAt)
}

function sameFound(a: Found, b: Found): boolean {
  const [x, y] = [a.origin, b.origin]
  const sameOrigin = x.path === y.path && x.source === y.source && x.plugin === y.plugin && x.link === y.link && x.checkout === y.checkout
  return sameOrigin && a.namespace === b.namespace
}
