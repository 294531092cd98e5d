import { existsSync, readdirSync } from 'node:fs'
import { expect, onTestFinished } from 'vitest'
import { withEnvironment } from '../../support/processes.ts'
import { folder } from '../stage.ts'
import { crowd, type CrowdRun, type Size, worktrees } from './crowd.ts'

/** Temporary folders go to one of the test's own meanwhile: others make some in the system's. */
async function ownTemporary(): Promise<string> {
  const own = await folder()
  const { TMPDIR } = process.env
  process.env.TMPDIR = own
  onTestFinished(() => void (TMPDIR === undefined ? delete process.env.TMPDIR : (process.env.TMPDIR = TMPDIR)))
  return own
}

/** Runs a crowd, and looks at everything that has to hold of it whatever happened. */
export async function comesToOneEnd(seed: number, size: Size): Promise<CrowdRun> {
  const temporary = await ownTemporary()
  const run = await crowd(seed, size)
  const { result, started, notified, ends, stopped, session, cwd } = run
  expect(result.terminal_reason, JSON.stringify(result.errors)).toBe('completed')
  const stats = result.subagent_stats!
  expect(stats.completed + stats.failed + stats.killed).toBe(stats.spawned)
  expect(stats).toMatchObject({ started_in_background: size.branches, max_depth: 3 })

  // One start, one end, one notification: for every agent, whatever became of it.
  expect(started.size).toBe(stats.spawned)
  expect([...started.values()].every((times) => times === 1)).toBe(true)
  expect([...ends.keys()].sort()).toEqual([...started.keys()].sort())
  for (const [id, each] of ends) expect(each, id).toHaveLength(1)
  expect(notified.size).toBe(size.branches)
  expect([...notified.values()].every((times) => times === 1)).toBe(true)
  const reasons = [...ends.values()].map(([end]) => end!.terminal_reason)
  expect(reasons.filter((reason) => reason === 'completed')).toHaveLength(stats.completed)
  expect(reasons.filter((reason) => reason === 'interrupted')).toHaveLength(stats.killed)
  for (const id of stopped) expect(['interrupted', 'completed', 'refusal', 'api_error']).toContain(ends.get(id)![0]!.terminal_reason)

  expect(withEnvironment(`AGENTC_RUN=${session}`)).toEqual([])
  const left = worktrees(cwd)
  expect(left.filter(({ locked }) => locked)).toEqual([])
  for (const { path } of left) expect(existsSync(`${path}/new.txt`), path).toBe(true)
  expect(left.map(({ path }) => path).sort()).toEqual(run.kept.toSorted())
  // What is called like this is the test's.
  expect(readdirSync(temporary).filter((name) => !name.startsWith('agentc-run-'))).toEqual([])
  // No connection that the run has made, and no socket, pipe or file either: what it was asked for by the test's server ends with a delay.
  expect(run.connections).toEqual([])
  await expect.poll(run.opened, { timeout: 10_000 }).toEqual([])
  return run
}
