import { setMaxListeners } from 'node:events'

/** The connections that a run makes over http: kept for the next question, as any are, and closed with the run. */
export interface Connections {
  /** The global `fetch`, over connections of the run's own. */
  fetch: typeof fetch
  /** Ends all of them, whatever is under way. What is asked afterwards fails. */
  close(): Promise<void>
}

/** What Node's own `fetch` is given as `dispatcher`: it opens connections and keeps them for seconds after the last answer. */
interface Pool {
  destroy(): Promise<void>
}

/** Where Node, and the copy of undici in it, keeps the pool of the whole process; newer ones have the second name too. */
const SHARED = [Symbol.for('undici.globalDispatcher.2'), Symbol.for('undici.globalDispatcher.1')]
/** Pools that are what they are without being told anything. Of another one (a proxy's, a test's) nobody knows how to make a second. */
const PLAIN = new Set(['Agent', 'EnvHttpProxyAgent'])

/** Nothing is opened, and nothing loaded, before the first question. */
export function openConnections(): Connections {
  let pool: Pool | undefined
  const closed = new AbortController()
  // Each connection listens to it.
  setMaxListeners(0, closed.signal)
  return {
    fetch: (input, init) => {
      if (closed.signal.aborted) return Promise.reject(new TypeError('the run has closed its connections'))
      pool ??= newPool(closed.signal)
      return fetch(input, { ...init, ...(pool && { dispatcher: pool }) } as RequestInit)
    },
    close: async () => {
      closed.abort()
      await pool?.destroy()
    },
  }
}

/**
 * Another pool of the kind that the process has. A connection that is just being made when the pool is ended is forgotten by it and would
 * keep the process from ending: the signal ends those too. Node exports no class for it, so it is taken from the one that is there.
 */
function newPool(signal: AbortSignal): Pool | undefined {
  // Node makes its own when one of these classes is asked for.
  void globalThis.Response
  for (const name of SHARED) {
    const shared = (globalThis as Record<symbol, { constructor: { new (options: object): Pool; name: string } } | undefined>)[name]
    if (shared && PLAIN.has(shared.constructor.name)) return new shared.constructor({ connect: { signal } })
  }
  return undefined
}
