import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from '../../../schemas/manifest.ts'
import type { RunEvent, RunOptions } from '../../../runner/index.ts'
import type { Person } from '../../../runner/person.ts'
import type { TranscriptLine } from '../../../runner/transcript/line.ts'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import { type AgentParts, type HeaderParts, manifestText, startOf } from '../manifest-fixture.ts'
import { folder, runToEnd } from '../stage.ts'

export type Sees = (event: RunEvent) => boolean

/** A person who says these things one after another, then leaves. A function: interrupts the work at the first event that it takes. */
export function saying(...script: (string | Sees)[]): Person & { asked: number; see(event: RunEvent): void } {
  const left = [...script]
  let stop = new AbortController()
  const person = {
    asked: 0,
    next: () => {
      person.asked += 1
      return Promise.resolve(left.shift() as string | undefined)
    },
    begin: () => (stop = new AbortController()).signal,
    see(event: RunEvent) {
      const [next] = left
      if (typeof next !== 'function' || !next(event)) return
      left.shift()
      stop.abort()
    },
  }
  return person
}

/** A conversation that is kept, in a new folder. */
export async function talk(
  person: Person & { see?(event: RunEvent): void },
  url: string,
  agent: AgentParts = {},
  more: Partial<RunOptions> = {},
  parts: HeaderParts = {},
) {
  const cwd = more.cwd ?? (await folder({ 'a.txt': 'the text of a' }))
  const text = manifestText({ worker: agent }, parts)
  const { header } = readManifest(text)
  const start = { ...startOf(agent, '', parts), ...more.start }
  const options: Partial<RunOptions> = { keep: { text, hash: header.hash }, host: process, ...more, start, person }
  const ran = await runToEnd(start, { ...options, cwd, url, seen: person.see?.bind(person) })
  const run = join(cwd, ran.result.run_folder!)
  const transcript = readFileSync(join(run, 'transcript.jsonl'), 'utf8')
  const manifest = readManifest(readFileSync(join(run, 'manifest.json'), 'utf8'))
  const lines = transcript
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TranscriptLine)
  return { ...ran, cwd, lines, transcript, manifest, id: ran.result.run_id!, verdict: verifyRun(transcript, manifest) }
}

export const texts = (messages: readonly { role: string; content: readonly { type: string; text?: string }[] }[]): string[] =>
  messages.flatMap(({ content }) => content.map((block) => block.text ?? block.type)).slice(1)
export const system = (events: readonly RunEvent[], subtype: string) =>
  events.filter((event) => event.type === 'system' && event.subtype === subtype)
