import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunResult } from '../../runner/events.ts'
import { apiCase, type ApiCase } from '../support/api-case.ts'
import { agentc, BIN, type Ran, start } from '../support/bin.ts'
import { CASES, expectation, layCase } from '../support/case.ts'
import { withArgument, workingBelow } from '../support/processes.ts'
import { put } from '../support/tree.ts'

/** A case, laid out, with its API. `run` calls the real program in the case's folder. */
export interface Staged {
  root: string
  cwd: string
  api: ApiCase
  run(...argv: string[]): Promise<Ran & { result: RunResult }>
  begin(...argv: string[]): ReturnType<typeof start>
}

/** What the runs of a case come to, beside what `api.json` expects of each request: what is wrong, a sentence each. */
export type Driver = (staged: Staged) => Promise<string[]>

/** Lays a case, starts its API and lets a driver run it; gives everything that is wrong. */
export async function runFaults(name: string, driver: Driver): Promise<string[]> {
  const root = layCase(name)
  const { cwd: at, user_settings: settings } = expectation(name) as ReturnType<typeof expectation> & { user_settings?: unknown }
  if (settings) put(root, 'home/.claude/settings.json', JSON.stringify(settings))
  const cwd = join(root, at)
  const api = await apiCase(join(CASES, name), { main_checkout: realpathSync(cwd) })
  const env = { HOME: join(root, 'home'), ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'case-key-0123456789' }
  const outside = ['--managed-dir', join(root, 'managed')]
  const run: Staged['run'] = async (...argv) => {
    const ran = await agentc([...argv, '--format', 'json', ...outside], { cwd, env })
    return { ...ran, result: (ran.out === '' ? {} : JSON.parse(ran.out)) as RunResult }
  }
  const begin: Staged['begin'] = (...argv) => start([...argv, ...outside], { cwd, env })
  return [...(await driver({ root, cwd, api, run, begin })), ...api.faults]
}

/** What is wrong with a run that has printed its result. */
export async function faults<T extends { err: string; out: string }>(
  ran: Promise<T>,
  look: (ran: T) => Record<string, boolean>,
): Promise<string[]> {
  const value = await ran
  return value.out === '' ? [`nothing came out: ${value.err}`] : wrong(look(value))
}

/** What holds and must not. */
export function wrong(table: Record<string, boolean>): string[] {
  return Object.keys(table).filter((what) => table[what])
}

/** The transcripts of the agents that a run has started. */
export function sides(cwd: string, { run_folder: folder }: RunResult): string {
  const agents = join(cwd, folder!, 'agents')
  return readdirSync(agents)
    .map((name) => text(join(agents, name)))
    .join('\n')
}

/** Processes that work in a folder or below it, beside the run itself. */
export function below(folder: string): number[] {
  const runs = withArgument(BIN)
  return workingBelow(folder).filter((pid) => !runs.includes(pid))
}

export function transcripts(cwd: string): string[] {
  const runs = join(cwd, '.agentc/runs')
  return existsSync(runs) ? readdirSync(runs).map((id) => text(join(runs, id, 'transcript.jsonl'))) : []
}

export function text(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

export async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 20) {
    if (waited > 10_000) throw new Error('it did not come to that')
    await pause(20)
  }
}
