import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openRun, type RunEvent, type RunOptions, type RunResult, type Start } from '../../runner/index.ts'
import type { Clock } from '../../runner/clock.ts'
import { type ModelRequest, resultText } from '../../runner/message.ts'
import { startApi } from '../support/api-thread.ts'

/** A temporary folder with these files; it goes with the test. */
export async function folder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'agentc-run-')))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

export interface FakeApi {
  url: string
  /** The bodies of all requests so far, in their order. */
  requests(): Promise<ModelRequest[]>
  /** Gives the server another script; nothing of the one before is remembered. */
  play(script: unknown): Promise<void>
  log(): Promise<{ status: number; headers: Record<string, string>; body: ModelRequest }[]>
}

/** A scripted Messages API on a port of its own; it ends with the test. */
export async function fakeApi(script: unknown): Promise<FakeApi> {
  const root = await folder({ 'log.jsonl': '' })
  const { url, close } = await startApi(script, join(root, 'log.jsonl'))
  onTestFinished(async () => void (await close()))
  const log: FakeApi['log'] = async () => {
    await quiet(url)
    const lines = (await readFile(join(root, 'log.jsonl'), 'utf8')).split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line) as Awaited<ReturnType<FakeApi['log']>>[number])
  }
  const play: FakeApi['play'] = async (next) => {
    const headers = { 'content-type': 'application/json' }
    await (await fetch(`${url}/__script`, { method: 'POST', headers, body: JSON.stringify(next) })).text()
  }
  return { url, log, play, requests: async () => (await log()).map((line) => line.body) }
}

/** The server writes a request down when its connection has done with it; this waits for the last one (the question itself counts as one). */
async function quiet(url: string): Promise<void> {
  for (;;) {
    const stats = (await (await fetch(`${url}/__stats`)).json()) as { in_flight: number }
    if (stats.in_flight <= 1) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** A clock that stands at one moment and notes what it was asked to wait. */
export function stillClock(): Clock & { waits: number[] } {
  const waits: number[] = []
  return { waits, now: () => 1_700_000_000_000, sleep: (ms) => (waits.push(ms), Promise.resolve()) }
}

export interface Ran {
  events: RunEvent[]
  result: RunResult
  rest: number
}

/** Runs to the end and keeps every event. `seen` gets each as it comes. */
export async function runToEnd(
  start: Start,
  options: Partial<RunOptions> & { cwd: string; url?: string; seen?: ((event: RunEvent) => void) | undefined },
): Promise<Ran> {
  const { url, seen, ...more } = options
  const own = `run-${randomUUID()}`
  const run = await openRun({
    start,
    env: process.env,
    signal: new AbortController().signal,
    api: { apiKey: 'test-key-0123456789', authToken: undefined, baseURL: url },
    clock: stillClock(),
    // A run with a host ends the processes that carry its id, and other tests run at the same time.
    ids: { session: () => (more.host ? own : 'session-1') },
    ...more,
  })
  const events: RunEvent[] = []
  for (;;) {
    const step = await run.events.next()
    if (step.done) return { events, result: step.value, rest: run.rest() }
    events.push(step.value)
    seen?.(step.value)
  }
}

/** What a run said beside its conversation, in its order; with a code only what has that one. */
export function noticesOf(events: readonly RunEvent[], code?: string): string[] {
  const notices = events.filter((event) => event.type === 'system' && event.subtype === 'notice')
  return notices.filter((notice) => code === undefined || notice.code === code).map(({ message }) => message)
}

/** The results of calls in a run, in their order. */
export function toolResults(events: readonly RunEvent[]): { text: string; isError: boolean }[] {
  return events.flatMap((event) =>
    event.type === 'user' ? event.message.content.map((block) => ({ text: resultText(block), isError: block.is_error === true })) : [],
  )
}
