import { TRANSCRIPT_VERSION, type StartLine, type TranscriptLine } from './line.ts'

/** A transcript as it was found. `whole` is the length in bytes of its whole lines: what a kill has cut is behind it. */
export interface ReadTranscript {
  start: StartLine
  lines: readonly TranscriptLine[]
  whole: number
}

/** Why a transcript cannot be used; one sentence for a person. */
export class DamagedTranscript extends Error {
  override name = 'DamagedTranscript'
}

/** Reads a transcript. Only its last line may be torn: each is written by one call, before anything else happens. */
export function readTranscript(text: string): ReadTranscript {
  const end = text.lastIndexOf('\n') + 1
  const lines = text
    .slice(0, end)
    .split('\n')
    .slice(0, -1)
    .map((line, at) => lineOf(line, at + 1))
  const [start] = lines
  if (!start) throw new DamagedTranscript('The run was cut off before it began: its transcript is empty. Start it again.')
  if (start.kind !== 'start') throw new DamagedTranscript('This is not a transcript of agentc: its first line does not say so.')
  if (start.agentc_transcript !== TRANSCRIPT_VERSION) {
    throw new DamagedTranscript(`The transcript has version ${start.agentc_transcript}, this agentc reads version ${TRANSCRIPT_VERSION}.`)
  }
  return { start, lines, whole: Buffer.byteLength(text.slice(0, end)) }
}

function lineOf(text: string, at: number): TranscriptLine {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'kind' in value) return value as TranscriptLine
  } catch {
    // It is told below.
  }
  throw new DamagedTranscript(`Line ${at} of the transcript is damaged.`)
}
