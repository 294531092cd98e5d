import { start } from './bin.ts'

/** What `agentc watch --format json` says, a line an event. */
export interface WatchEvent {
  event: 'ready' | 'changed' | 'manifest'
  agents: number
  errors: number
  parsed: number
  state: 'written' | 'unchanged' | 'kept'
  reason?: string
  changes: { agent?: string; kind: string; change: string; gain: boolean; message: string }[]
  new: { code: string; file: string }[]
  gone: { code: string; file: string }[]
}

/** A running `agentc watch`. */
export interface Watching {
  /** Everything that was said so far. */
  events: WatchEvent[]
  /** The next event after those that were asked for before that is like this; others on the way are passed over. */
  next(isIt: (event: WatchEvent) => boolean): Promise<WatchEvent>
  /** Whether nothing is said for so long (milliseconds). */
  quiet(milliseconds: number): Promise<boolean>
  /** Ends it; gives the exit code and the time it took (milliseconds). */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; took: number; err: string }>
}

/** Two seconds is what a person waits (case 88); the machine that tests run on may be busy with other tests. */
const PATIENCE = 20_000

/** Starts it in a project and waits until it sees changes. */
export async function watching(cwd: string, ...flags: string[]): Promise<Watching> {
  const child = start(['watch', '--format', 'json', '--managed-dir', `${cwd}/../managed`, ...flags], { cwd })
  const events: WatchEvent[] = []
  let [rest, err, asked] = ['', '', 0]
  let woken = (): void => undefined
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    events.push(...lines.map((line) => JSON.parse(line) as WatchEvent))
    woken()
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => void (err += text))
  const changed = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      woken = () => (clearTimeout(timer), resolve())
    })
  const watch: Watching = {
    events,
    next: async (isIt) => {
      for (const until = Date.now() + PATIENCE; Date.now() < until; await changed(until - Date.now())) {
        while (asked < events.length) {
          const event = events[asked++]!
          if (isIt(event)) return event
        }
      }
      throw new Error(
        `nothing like it was said: ${isIt}\n${events
          .slice(-6)
          .map((event) => JSON.stringify(event).slice(0, 400))
          .join('\n')}\n${err}`,
      )
    },
    quiet: async (milliseconds) => {
      const before = events.length
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      return events.length === before
    },
    end: (signal = 'SIGINT') =>
      new Promise((resolve) => {
        const at = performance.now()
        child.once('close', (code) => resolve({ code, took: performance.now() - at, err }))
        child.kill(signal)
      }),
  }
  await watch.next(({ event }) => event === 'ready')
  await watch.next(({ event }) => event === 'manifest')
  return watch
}

/** Something became different about this agent. */
export function about(agent: string, kind?: string, change?: string): (event: WatchEvent) => boolean {
  return ({ event, changes }) =>
    event === 'changed' &&
    changes.some(
      (item) => item.agent === agent && (kind === undefined || item.kind === kind) && (change === undefined || item.change === change),
    )
}

export const written = ({ event, state }: WatchEvent): boolean => event === 'manifest' && state === 'written'
