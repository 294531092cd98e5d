import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EndLine } from '../../../runner/transcript/line.ts'
import { fakeApi, folder, runToEnd } from '../stage.ts'
import { call, cast } from './stage.ts'

test('of two hundred agents, three deep, with faults and stops, each comes to exactly one end and nothing is left', async () => {
  const { start, agents, keep } = cast(
    { lead: { tools: ['Agent', 'TaskStop'] }, branch: { tools: ['Agent'] }, twig: { tools: ['Agent'] }, leaf: { tools: ['Bash'] } },
    'go',
    { limits: { spawnDepth: 3, parallelReads: 10, resultChars: 100_000 }, permissions: { allow: [{ tool: 'Bash' }], ask: [], deny: [] } },
  )
  const many = (count: number, subagent_type: string, more: object = {}) =>
    Array.from({ length: count }, (_, at) => call('Agent', { description: 'd', prompt: `task ${at}`, subagent_type, ...more }))
  const { url } = await fakeApi({
    rules: [
      {
        when: { system: 'You are lead' },
        turns: [{ content: many(20, 'branch', { run_in_background: true }) }, { text: 'waiting', repeat: 60 }],
      },
      { when: { system: 'You are branch' }, turns: [{ content: many(3, 'twig') }, { text: 'branch done' }] },
      { when: { system: 'You are twig', last_user: 'task 2' }, respond: { text: 'x', fault: { type: 'refusal' } } },
      { when: { system: 'You are twig' }, turns: [{ content: many(3, 'leaf') }, { text: 'twig done' }] },
      { when: { system: 'You are leaf', last_user: 'task 1' }, respond: { text: 'x', fault: { type: '401' } } },
      {
        when: { system: 'You are leaf' },
        turns: [{ content: [call('Bash', { command: 'sleep 100 & echo started' })] }, { text: 'leaf done' }],
      },
    ],
  })
  const cwd = await folder()
  const { result } = await runToEnd(start, { cwd, url, agents, keep, host: process, ids: { session: () => 'run-of-many' } })
  expect(result.terminal_reason).toBe('completed')
  // 20 branches, 60 twigs of which 20 refuse, 3 leaves for each of the other 40, of which one fails.
  expect(result.subagent_stats).toEqual({ spawned: 200, started_in_background: 20, max_depth: 3, completed: 140, failed: 60, killed: 0 })
  const sides = readdirSync(join(cwd, result.run_folder!, 'agents'))
  expect(sides).toHaveLength(200)
  const ends = sides.map((name) =>
    readFileSync(join(cwd, result.run_folder!, 'agents', name), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"kind":"end"'))
      .map((line) => (JSON.parse(line) as EndLine).result),
  )
  expect(ends.every((each) => each.length === 1)).toBe(true)
  // Eighty leaves leave a process behind; on a busy machine one may not be there yet when its agent ends.
  expect(ends.flat().reduce((sum, { stray_processes }) => sum + stray_processes, 0)).toBeGreaterThan(70)
  expect(marked(result.session_id)).toEqual([])
}, 180_000)

/** Processes that carry the mark of the run. */
function marked(session: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && Number(pid) !== process.pid && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`AGENTC_RUN=${session}`)
      )
    } catch {
      return false
    }
  })
}
