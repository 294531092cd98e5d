import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openRun, type RunEvent, type RunResult } from '../../../runner/index.ts'
import type { Resume } from '../../../runner/run-options.ts'
import { resumed } from '../../../runner/commands/resumed.ts'
import { keptRun } from '../../../runner/commands/kept.ts'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import type { TranscriptLine } from '../../../runner/transcript/line.ts'
import { requestOf } from '../../../runner/request.ts'
import { hashOf } from '../../../schemas/canonical.ts'
import { readManifest } from '../../../schemas/manifest.ts'
import { heap } from '../heap.ts'
import { manifestText } from '../manifest-fixture.ts'
import { fakeApi, folder, stillClock } from '../stage.ts'

export interface LongRun {
  result: RunResult
  compactions: number
  requests: number
  /** The longest request, in bytes. */
  longest: number
  /** Bytes of heap after each tenth of the run. */
  heaps: number[]
  cwd: string
  url: string
}

/** Turns that call Glob with a pattern of their own and get a page of text, and a rule that answers the request for a summary. */
export function longScript(turns: number) {
  const page = 'All work and no play makes a long conversation. '.repeat(20)
  const work = Array.from({ length: turns }, (_, at) => ({
    text: `${page}${at}`,
    tools: [{ name: 'Glob', input: { pattern: `*.${at}-{{turn}}` } }],
  }))
  return {
    rules: [{ when: { last_user: 'has grown too long and will be cut here' }, respond: { text: `Summary: {{turn}} replies. ${page}` } }],
    turns: work,
  }
}

export const WINDOW = 20_000

/** Runs an agent with a small window until its turns are used up; every request has passed the checks of the API. */
export async function longRun(turns: number): Promise<LongRun> {
  const cwd = await folder({ 'a.txt': 'A' })
  const api = await fakeApi(longScript(turns))
  const text = manifestText({ worker: { tools: ['Glob'], autoCompactWindow: WINDOW, maxTurns: turns } })
  const manifest = readManifest(text)
  const start = { header: manifest.header, name: 'worker', agent: manifest.agents.get('worker')!, prompt: 'Go through it all.' }
  const opened = await openRun({
    start,
    cwd,
    env: process.env,
    signal: new AbortController().signal,
    api: { apiKey: 'test-key-0123456789', authToken: undefined, baseURL: api.url },
    clock: stillClock(),
    ids: { session: () => 'long' },
    host: process,
    keep: { text, hash: manifest.header.hash },
  })
  const run: LongRun = { result: undefined as unknown as RunResult, compactions: 0, requests: 0, longest: 0, heaps: [], cwd, url: api.url }
  let replies = 0
  const took = (event: RunEvent): void => {
    if (event.type === 'system' && event.subtype === 'compact_boundary') run.compactions += 1
    if (event.type !== 'assistant') return
    replies += 1
    if (replies % Math.ceil(turns / 10) === 0) run.heaps.push(heap())
  }
  for (;;) {
    const step = await opened.events.next()
    if (step.done) {
      run.result = step.value
      break
    }
    took(step.value)
  }
  const log = await api.log()
  const sent = log.filter(({ body }) => body.max_tokens !== undefined)
  run.requests = sent.length
  run.longest = Math.max(...sent.map(({ body }) => JSON.stringify(body).length))
  expect(log.filter(({ status }) => status !== 200)).toEqual([])
  return run
}

/** Bytes that are still in use: what nobody needs any more is collected first, else the figure would tell when that last happened. */
/** That the run of `cwd`, cut off after any of these numbers of lines, goes on with the very request that it would have sent next. */
export function expectExactResume({ cwd }: LongRun, cuts: readonly number[]): void {
  const kept = keptRun(cwd, cwd, 'long')
  const lines = kept.transcript.split('\n').slice(0, -1)
  expect(verifyRun(kept.transcript, kept.manifest)).toMatchObject({ difference: undefined, ended: true })
  for (const cut of cuts) {
    const part = `${lines.slice(0, cut).join('\n')}\n`
    expect(verifyRun(part, kept.manifest).difference).toBeUndefined()
    const resume: Resume = resumed({ ...kept, transcript: part }, {})
    const { context } = resume.history
    expect(context.messages[0]!.role).toBe('user')
    const next = JSON.parse(lines[cut] ?? 'null') as TranscriptLine | null
    if (next?.kind === 'request' && !lines[cut - 1]!.startsWith('{"kind":"compact"')) expect(hashOf(requestOf(context))).toBe(next.sha256)
  }
}

/** Goes on with the run as it was after so many lines of its transcript, and gives the hashes of all its requests, summaries included. */
export async function goOnFrom({ cwd, url }: LongRun, cut: number): Promise<string[]> {
  const folder = join(cwd, '.agentc/runs/long')
  const whole = readFileSync(join(folder, 'transcript.jsonl'), 'utf8')
  const part = `${whole.split('\n').slice(0, cut).join('\n')}\n`
  writeFileSync(join(folder, 'transcript.jsonl'), part)
  try {
    const resume = resumed(keptRun(cwd, cwd, 'long'), {})
    const api = { apiKey: 'test-key-0123456789', authToken: undefined, baseURL: url }
    const signal = new AbortController().signal
    const more = { env: process.env, signal, api, clock: stillClock(), host: process }
    const opened = await openRun({ start: resume.history.start, resume, cwd, ...more })
    while (!(await opened.events.next()).done);
    const now = readFileSync(join(folder, 'transcript.jsonl'), 'utf8')
    expect(verifyRun(now, keptRun(cwd, cwd, 'long').manifest)).toMatchObject({ difference: undefined, ended: true })
    return hashesIn(now)
  } finally {
    writeFileSync(join(folder, 'transcript.jsonl'), whole)
  }
}

/** Of a request that was sent twice, because the run was cut off in between, one. */
export function hashesIn(transcript: string): string[] {
  const lines = transcript
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as TranscriptLine)
  return [...new Set(lines.flatMap((line) => (line.kind === 'request' ? [line.sha256] : [])))]
}
