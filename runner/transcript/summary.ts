import type { EndLine, StartLine, TranscriptLine } from './line.ts'

/** A run in one line. `state` is how it ended; `cut off` if it did not come to an end, `running` if it is at work, `unreadable` else. */
export interface RunSummary {
  id: string
  agent: string | null
  state: string
  turns: number
  /** When it began, by the clock of the transcript. */
  started: string | null
  ended: string | null
}

/** Reads no more of a transcript than its first and last line; turns are counted. */
export function summaryOf(id: string, transcript: string, running: boolean): RunSummary {
  const lines = transcript.split('\n').slice(0, -1)
  const start = parsed(lines[0]) as StartLine | undefined
  if (start?.kind !== 'start')
    return { id, agent: null, state: lines.length === 0 ? 'cut off' : 'unreadable', turns: 0, started: null, ended: null }
  const last = parsed(lines.at(-1))
  const end = last?.kind === 'end' ? last : undefined
  return {
    id,
    agent: start.agent,
    state: running ? 'running' : stateOf(end, last),
    turns: turnsIn(lines),
    started: time(start.at),
    ended: end ? time(end.at) : null,
  }
}

/** The reply to the request for a summary, which follows on a line of `compact`, is no turn. */
function turnsIn(lines: readonly string[]): number {
  let turns = 0
  let summary = false
  for (const line of lines) {
    if (line.startsWith('{"kind":"compact"')) summary = true
    else if (line.startsWith('{"kind":"assistant"')) {
      if (!summary) turns += 1
      summary = false
    } else if (line.startsWith('{"kind":"fault"')) summary = false
  }
  return turns
}

function stateOf(end: EndLine | undefined, last: TranscriptLine | undefined): string {
  return end ? end.result.terminal_reason : last ? 'cut off' : 'unreadable'
}

function parsed(line: string | undefined): TranscriptLine | undefined {
  try {
    return line === undefined ? undefined : (JSON.parse(line) as TranscriptLine)
  } catch {
    return undefined
  }
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}
