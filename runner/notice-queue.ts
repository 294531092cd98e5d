import type { NoticeEvent, RunEvent } from './events.ts'
import type { Transcript } from './transcript/transcript.ts'

/** Says something about a run that is not a part of its conversation. */
export type Say = (code: string, message: string) => void

/** Things that servers and hooks have to say while a run goes on. The loop takes them out between its steps, in their order. */
export class NoticeQueue {
  #waiting: NoticeEvent[] = []

  readonly say: Say = (code, message) => {
    this.#waiting.push(notice(code, message))
  }

  drain(): readonly NoticeEvent[] {
    const waiting = this.#waiting
    this.#waiting = []
    return waiting
  }
}

export function notice(code: string, message: string): NoticeEvent {
  return { type: 'system', subtype: 'notice', code, message }
}

/** Puts notices into the transcript, and passes them on. */
export async function* announced(
  events: readonly NoticeEvent[],
  { transcript }: { transcript: Transcript },
): AsyncGenerator<RunEvent, void> {
  for (const event of events) {
    transcript.put({ kind: 'event', event })
    yield event
  }
}
