import type { Reply } from './message.ts'
import type { ToolEndLine, ToolStartLine } from './transcript/line.ts'

/** A reply whose calls are to be answered. Of some the answer may be known: a run that was cut off has them in its transcript. */
export interface OpenReply {
  reply: Reply
  known: KnownCalls
}

/** What a transcript tells of the calls of the reply it ends with, by the place of each call in the reply. */
export interface KnownCalls {
  started: ReadonlyMap<number, ToolStartLine>
  ended: ReadonlyMap<number, ToolEndLine>
  /** A secret was taken out of the reply, so its inputs may not be whole. */
  redacted: boolean
}

export const NOTHING_KNOWN: KnownCalls = { started: new Map(), ended: new Map(), redacted: false }
