import type { TranscriptLine } from './line.ts'

/**
 * The seam to the transcript of a run. A line is on its way to the disk when `put` returns, so what follows it may have effects;
 * a kill can cut the last line only. Throws `TranscriptFault` when it cannot be written: a run without a record must not go on.
 */
export interface Transcript {
  /** Where the run is kept; `undefined` if it is not. */
  readonly run: { id: string; folder: string } | undefined
  /** The hash of the manifest beside the transcript. */
  readonly closure: string | null
  put(line: TranscriptLine): void
  /** Begins to take all lines so far to the disk itself, so that they outlive a power cut too. */
  sync(): void
  /** Keeps a text that is too long for the model; gives the path by which the model can read it, `undefined` if nothing is kept. */
  keep(text: string): string | undefined
}

export class TranscriptFault extends Error {
  override name = 'TranscriptFault'
}

/** For runs that are not kept. */
export const NO_TRANSCRIPT: Transcript = {
  run: undefined,
  closure: null,
  put: () => {},
  sync: () => {},
  keep: () => undefined,
}
