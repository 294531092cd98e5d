import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readManifest } from '../../schemas/manifest.ts'
import { verifyRun } from '../../runner/transcript/verify.ts'
import { temporary } from '../support/tree.ts'
import { manifestText } from './manifest-fixture.ts'
import { type Ran, startDriver } from './processes.ts'

/** A run of 30 turns that adds to files, several in one reply too, and reads in between. */
export const KILL_SCRIPT = {
  turns: [...Array.from({ length: 29 }, (_, turn) => ({ text: `Turn ${turn}.`, tools: callsOf(turn) })), { text: 'All written.' }],
}

function callsOf(turn: number): { name: string; input: object }[] {
  const write = (part: number) => ({
    name: 'Write',
    input: { file_path: `out/${(turn + part) % 7}.txt`, content: `turn ${turn} part ${part}\n` },
  })
  const read = { name: 'Read', input: { file_path: 'a.txt' } }
  if (turn % 3 === 0) return [write(0), read, read, write(1)]
  return turn % 3 === 1 ? [read, write(0), write(7)] : [write(0)]
}

const ARGV = ['worker', 'Write it all.', '--manifest', 'm.json', '--format', 'json']

export interface Killed {
  /** Every process, in its order; the last one was not killed. */
  rans: Ran[]
  files: Record<string, string>
  verdict: ReturnType<typeof verifyRun>
  /** What resumed processes did about calls that were cut off. */
  repairs: string[]
  /** Length of the transcript. */
  bytes: number
}

/** How a process is killed: after some milliseconds, or at a byte of what it writes into its transcript. */
export type Kill = { ms: number } | { byte: number }

/** Runs with each kill in turn, going on after each, and then to the end. */
export async function runKilled(driver: string, url: string, kills: readonly Kill[]): Promise<Killed> {
  const cwd = join(temporary(), 'project')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'a.txt'), 'A\n')
  writeFileSync(join(cwd, 'm.json'), manifestText({ worker: { tools: ['Read', 'Write'] } }))
  const rans: Ran[] = []
  for (const kill of [...kills, undefined]) {
    const env = kill && 'byte' in kill ? { KILL_AT: String(kill.byte) } : {}
    const { child, ended } = startDriver(driver, argvOf(cwd), { cwd, url, env })
    if (kill && 'ms' in kill) void Promise.race([ended, pause(kill.ms)]).then(() => child.kill('SIGKILL'))
    rans.push(await ended)
    if (kill && rans.at(-1)!.code === 0) break
  }
  const folder = join(cwd, '.agentc/runs', runIn(cwd)!)
  const verdict = verifyRun(text(folder, 'transcript.jsonl'), readManifest(text(folder, 'manifest.json')))
  const files = Object.fromEntries(
    readdirSync(join(cwd, 'out'))
      .sort()
      .map((name) => [name, text(cwd, `out/${name}`)]),
  )
  const transcript = text(folder, 'transcript.jsonl')
  const repairs = [...transcript.matchAll(/"repair":"(\w+)"/g)].map((match) => match[1]!)
  rmSync(cwd, { recursive: true })
  return { rans, files, verdict, repairs, bytes: Buffer.byteLength(transcript) }
}

/** A run that has begun is gone on with; one that was killed before it began is started. */
function argvOf(cwd: string): string[] {
  const run = runIn(cwd)
  return run === undefined ? ARGV : ['--resume', run, '--format', 'json']
}

/** The one run of the project whose transcript has a whole line. */
function runIn(cwd: string): string | undefined {
  const runs = join(cwd, '.agentc/runs')
  const names = (() => {
    try {
      return readdirSync(runs)
    } catch {
      return []
    }
  })()
  return names.find((name) => {
    try {
      return text(join(runs, name), 'transcript.jsonl').includes('\n')
    } catch {
      return false
    }
  })
}

function text(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}
