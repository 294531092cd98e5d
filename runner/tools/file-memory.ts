import type { BigIntStats } from 'node:fs'

/** A file as the agent has last seen it. Of a file that is too big to be edited there is no hash. */
export interface SeenFile {
  size: bigint
  mtimeNs: bigint
  hash: string | undefined
}

/** Which files an agent has read or written, by their real paths: only these may be changed, and only as they were seen (M18). */
export class FileMemory {
  readonly #seen: Map<string, SeenFile>

  constructor(seen: ReadonlyMap<string, SeenFile> = new Map()) {
    this.#seen = new Map(seen)
  }

  note(real: string, { size, mtimeNs }: Pick<BigIntStats, 'size' | 'mtimeNs'>, hash: string | undefined): void {
    this.#seen.set(real, { size, mtimeNs, hash })
  }

  /**
   * How a file stands to what was seen of it. The hash decides where there is one: a file that was only touched is the same,
   * and one that was changed behind its time stamp is not.
   */
  standing(
    real: string,
    { size, mtimeNs }: Pick<BigIntStats, 'size' | 'mtimeNs'>,
    hash: string | undefined,
  ): 'unread' | 'changed' | 'same' {
    const seen = this.#seen.get(real)
    if (!seen) return 'unread'
    if (seen.hash !== undefined && hash !== undefined) return seen.hash === hash ? 'same' : 'changed'
    return seen.size === size && seen.mtimeNs === mtimeNs ? 'same' : 'changed'
  }

  copy(): FileMemory {
    return new FileMemory(this.#seen)
  }
}
