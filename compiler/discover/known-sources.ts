import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { sameOrigin, type SourceFile } from '../source-file.ts'
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

/** Files by path, for each kind and form by itself: the same path may be read as several things. */
type Sources = Map<string, Map<string, KnownSource>>

/** What one search leaves to the next: a file that did not change is the very same value, so that whatever was made of it still holds. */
export class KnownSources {
  private before: Sources = new Map()
  private seen: Sources = new Map()
  began = 0n

  /** Begins a search. What the last one did not meet is forgotten. */
  begin(began: bigint): void {
    this.before = this.seen
    this.seen = new Map()
    this.began = began
  }

  /** The file as it was read before, if it was found in the same place and as the same thing. */
  find(as: string, found: Found): KnownSource | undefined {
    const known = this.before.get(as)?.get(found.path)
    return known && sameFound(known.found, found) ? known : undefined
  }

  /** In: as what it was read (its kind and form). */
  keep(as: string, known: KnownSource): void {
    const sources = this.seen.get(as)
    if (sources) sources.set(known.found.path, known)
    else this.seen.set(as, new Map([[known.found.path, known]]))
  }
}

/** Whether the stat alone tells that nothing changed. */
export function isSettled({ stat, readAt }: Pick<KnownSource, 'stat' | 'readAt'>, now: Stat): boolean {
  return (stat === now || stampOf(stat) === stampOf(now)) && !isYoung(stat, readAt)
}

function sameFound(a: Found, b: Found): boolean {
  return a.namespace === b.namespace && sameOrigin(a.origin, b.origin)
}
