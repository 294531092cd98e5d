import { openRun } from '../../../runner/open.ts'
import { heap } from '../heap.ts'
import { fakeApi, folder, stillClock } from '../stage.ts'
import { call, cast } from './stage.ts'

/** Characters that each agent reads in each of its turns; what it says at its end is short. */
const PAGE = 60_000
const TURNS = 4
const TOGETHER = 10

export interface Held {
  /** Bytes of the heap after each batch of agents had ended. */
  heaps: readonly number[]
  finished: number
}

/** A run whose agent starts ten others at a time, again and again; each has a long conversation of its own and gives a short report. */
export async function held(batches: number, how: { background: boolean; keeps: boolean }): Promise<Held> {
  const { start, agents, keep } = cast({ lead: { tools: ['Agent'] }, reader: { tools: ['Read'] } })
  const batch = (at: number) =>
    Array.from({ length: TOGETHER }, (_, which) =>
      call('Agent', { description: 'd', prompt: `task ${at}.${which}`, subagent_type: 'reader', run_in_background: how.background }),
    )
  const work = Array.from({ length: batches }, (_, at) => ({ content: batch(at) }))
  // In the background all are started at once, and ten work at a time.
  const turns = how.background ? [{ content: work.flatMap(({ content }) => content) }] : work
  const { url } = await fakeApi({
    rules: [
      { when: { system: 'You are lead' }, turns: [...turns, { text: 'end', repeat: 999 }] },
      {
        when: { system: 'You are reader' },
        turns: [
          ...Array.from({ length: TURNS }, (_, at) => ({ content: [call('Read', { file_path: `page${at}.txt` })] })),
          { text: 'read' },
        ],
      },
    ],
  })
  const line = `${'All work and no play. '.repeat(40)}\n`
  const pages = Object.fromEntries(Array.from({ length: TURNS }, (_, at) => [`page${at}.txt`, line.repeat(Math.ceil(PAGE / line.length))]))
  const cwd = await folder(pages)
  const run = await openRun({
    start,
    agents,
    ...(how.keeps && { keep }),
    cwd,
    env: process.env,
    signal: new AbortController().signal,
    api: { apiKey: 'test-key-0123456789', authToken: undefined, baseURL: url },
    clock: stillClock(),
    ids: { session: () => `held-${process.pid}` },
    host: process,
  })
  const heaps: number[] = []
  let notified = 0
  for (;;) {
    const step = await run.events.next()
    if (step.done) return { heaps, finished: step.value.subagent_stats!.completed }
    const { value: event } = step
    const ended = event.type === 'system' && event.subtype === 'task_notification'
    if (ended) notified += 1
    if ((ended && notified % TOGETHER === 0) || (!how.background && event.type === 'user')) heaps.push(heap())
  }
}
