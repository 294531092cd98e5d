import { during, type EventQueue } from './aside.ts'
import { type RunContext, withPrompt } from './context.ts'
import type { Ending } from './ending.ts'
import type { RunEvent } from './events.ts'
import type { Arrivals, Inbox } from './inbox.ts'
import type { Transcript } from './transcript/transcript.ts'

/** What goes on beside a conversation. */
export interface BesideSeams {
  /** What comes to the agent while it works. */
  inbox?: Inbox | undefined
  arrivals?: Arrivals | undefined
  /** Events of the agents that the run has started; only the first agent of a run passes them on. */
  aside?: EventQueue | undefined
  /** How long an agent that is done waits for its background work; without it as long as that takes. */
  backgroundMs?: number | undefined
  transcript: Transcript
  signal: AbortSignal
}

/** The conversation with what has come to the agent since its last turn, each piece in the transcript before it is used. */
export async function withArrivals(context: RunContext, { inbox, arrivals, transcript, signal }: BesideSeams): Promise<RunContext> {
  const texts = (await inbox?.take(arrivals, signal)) ?? []
  return texts.reduce((now, text) => withArrival(now, text, transcript), context)
}

/** The conversation with one text that nobody typed: of an agent beside it, or of a hook. */
export function withArrival(context: RunContext, text: string, transcript: Transcript): RunContext {
  transcript.put({ kind: 'arrival', text })
  return withPrompt(context, text)
}

/**
 * An agent that is done waits for what it has begun in the background (M29). `undefined`: something has arrived, and it goes on with that.
 * When the time is over, or its turns are, what is still at work is lost, and the run says so.
 */
export async function* lingering(end: Ending, context: RunContext, seams: BesideSeams): AsyncGenerator<RunEvent, Ending | undefined> {
  const { inbox, aside, backgroundMs, signal } = seams
  if (end.reason !== 'completed' || !inbox) return end
  const came = yield* during(inbox.wait(backgroundMs, signal), aside)
  if (came === 'idle') return end
  if (came === 'arrived' && context.turns < context.maxTurns) return undefined
  if (came === 'arrived') return lost(`the report of an agent in the background came after the last of ${context.maxTurns} turns`)
  if (signal.aborted) return { reason: 'interrupted' }
  const running = inbox.running()
  return lost(
    `${running.length} in the background were still at work after ${backgroundMs! / 1000} seconds, and their work is lost: ${running.join(', ')}`,
  )
}

function lost(message: string): Ending {
  return { reason: 'background_lost', errors: [message] }
}
