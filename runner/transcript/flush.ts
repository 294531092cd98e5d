import { fdatasync, fdatasyncSync } from 'node:fs'

export interface Flusher {
  /** Sees to it that all that is written gets to the disk itself. Throws what the last time came to. */
  sync(): void
  /** Takes the rest there, and waits for it. */
  end(): void
}

/** Milliseconds between the beginnings of two flushes. */
const APART_MS = 500

/**
 * Flushes a file after each turn without keeping the run waiting. A turn of a real model takes longer than `APART_MS`, so each has its flush.
 * Where turns are faster, one flush is for several: a write to a file that is just being flushed waits until the disk is done, which would
 * make every one of them as slow as the disk.
 */
export function flusher(file: number): Flusher {
  let busy = false
  let asked = false
  let ended = false
  let failure: Error | null = null
  const flush = (): void => {
    busy = true
    asked = false
    fdatasync(file, (error) => void (failure ??= error))
    setTimeout(() => {
      busy = false
      if (asked && !ended) flush()
    }, APART_MS).unref()
  }
  return {
    sync() {
      if (failure) throw failure
      if (busy) asked = true
      else flush()
    },
    end() {
      ended = true
      try {
        fdatasyncSync(file)
      } catch {
        // The lines are written; whether the disk keeps them over a power cut is not in our hands.
      }
    },
  }
}
