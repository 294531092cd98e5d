import { EXIT } from '../exit-codes.ts'

/** What ends a run from outside. */
export interface Signals {
  /** Aborted with the name of the first signal, or with `EPIPE` when nobody reads the output any more. */
  signal: AbortSignal
  atOnce(kill: () => void): () => void
  interrupts: {
    /** SIGINT goes to `take` instead, until what is returned is called; if `take` gives false, it ends the run all the same. */
    divert(take: () => boolean): () => void
    /** As if SIGINT had come: in a terminal whose keys are read one by one, Ctrl-C is one of them. */
    raise(): void
  }
  /** To be called when the output is closed. */
  outputClosed(): void
}

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: EXIT.hangUp } as const

/**
 * The first signal lets an open run end in order: its processes are ended, its result is written. A second SIGINT ends everything at once.
 * However the program ends otherwise, a bug included, the processes of its runs go with it.
 */
export function stopOnSignals(): Signals {
  const stopped = new AbortController()
  const kills = new Set<() => void>()
  const killAll = (): void => kills.forEach((kill) => kill())
  let taker: (() => boolean) | undefined
  const came = (name: keyof typeof CODES): void => {
    if (name === 'SIGINT' && !stopped.signal.aborted && taker?.()) return
    // Before a run has been opened there is nothing to put in order.
    const atOnce = kills.size === 0 || (stopped.signal.aborted && name === 'SIGINT')
    if (atOnce) {
      killAll()
      process.exit(CODES[name])
    }
    stopped.abort(name)
  }
  for (const name of Object.keys(CODES) as (keyof typeof CODES)[]) process.on(name, () => came(name))
  process.on('exit', killAll)
  return {
    signal: stopped.signal,
    atOnce(kill) {
      kills.add(kill)
      return () => void kills.delete(kill)
    },
    interrupts: {
      divert(take) {
        taker = take
        return () => void (taker = undefined)
      },
      raise: () => came('SIGINT'),
    },
    outputClosed: () => stopped.abort('EPIPE'),
  }
}
