import type { RunEvent } from '../events.ts'
import type { ExecuteSeams } from '../execute.ts'
import type { Keeper } from './keeper.ts'

type Asking = Pick<ExecuteSeams, 'ask' | 'askPerson'>

/** The seams of a run within its limits. While a person is asked, the run is not idle. */
export function limited({ ask, askPerson }: Asking, limits: Keeper): Asking & Omit<Keeper, 'check' | 'causeOf' | 'end'> {
  const paused = async <T>(asking: () => Promise<T>): Promise<T> => {
    const goOn = limits.pause()
    return asking().finally(goOn)
  }
  return {
    model: limits.model,
    signal: limits.signal,
    budget: limits.budget,
    seen: limits.seen,
    pause: limits.pause,
    ask: (...asked) => paused(() => ask(...asked)),
    askPerson: (...asked) => paused(() => askPerson(...asked)),
  }
}

/** The events of a piece of work, each a sign of life; its limits end with it. */
export async function* watched<Done>(events: AsyncGenerator<RunEvent, Done>, limits: Keeper): AsyncGenerator<RunEvent, Done> {
  try {
    for (;;) {
      const step = await events.next()
      limits.seen()
      if (step.done) return step.value
      yield step.value
    }
  } finally {
    await events.return(undefined as never)
    limits.end()
  }
}
