import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ATTEMPTS } from '../../runner/model/retry.ts'
import { expectPart } from '../support/document.ts'
import { expected, FATES, type FaultyRun, faultyRun, LAST } from './faulty.ts'
import { fakeApi, folder } from './stage.ts'

const TYPES = Object.keys(FATES)

test('every fault that the fake API knows is in the table', () => {
  const readme = readFileSync(new URL('../fake-api/README.md', import.meta.url), 'utf8')
  const listed = /^Fault types: ([^.]*)\./m.exec(readme)![1]!.trim().split(/\s+/)
  expect([...TYPES].sort()).toEqual(listed.sort())
})

/**
 * What is written where the conversation is compacted before this turn. The scripted model goes by the number of its replies that it sees:
 * it begins anew, or asks for the last call once more.
 */
const COMPACTED: Readonly<Record<number, string[]>> = { 1: ['0', '0', '1', '2'], [LAST]: ['0', '1', '2', '2'] }

function holds(run: FaultyRun, faults: Parameters<typeof expected>[0]): void {
  const { reason, retries } = expected(faults)
  const compacted = faults.find((fault) => fault.type === 'prompt_too_long' && fault.turn > 0)
  const written = compacted ? COMPACTED[compacted.turn] : expected(faults).written
  const what = JSON.stringify(faults)
  expect({ reason: run.result.terminal_reason, written: run.written, retries: run.retries }, what).toEqual({ reason, written, retries })
  expect(run.answered, `${what}: every call has one result, in order`).toEqual(run.calls)
  expect(run.result.is_error, what).toBe(reason !== 'completed')
}

test('every fault, at the first, a middle and the last turn, ends in the right state with no call lost or doubled', async () => {
  const api = await fakeApi({ turns: [] })
  const cwd = await folder()
  const rows: string[] = []
  for (const type of TYPES) {
    const cells: string[] = []
    for (const turn of [0, 1, LAST]) {
      const run = await faultyRun(api, cwd, [{ type, turn, times: 1 }])
      holds(run, [{ type, turn, times: 1 }])
      cells.push(told(run, turn))
    }
    rows.push(`| \`${type}\` | ${cells.join(' | ')} | ${lasting(await faultyRun(api, cwd, [{ type, turn: 1 }]))} |`)
  }
  const head =
    '| fault | at the first turn | at a middle turn | at the last turn | for good, from the middle turn on |\n|---|---|---|---|---|'
  expectPart('ARCHITECTURE.md', 'run-faults', `${head}\n${rows.join('\n')}`)
}, 120_000)

/** One cell: what was done, and how the run ended. */
function told(run: FaultyRun, turn: number): string {
  const { terminal_reason } = run.result
  const lost = terminal_reason === 'completed' && turn < LAST && !run.written.includes(`${turn}`)
  return [run.retries > 0 ? 'asked again' : '', lost ? 'the call goes back as an error' : '', terminal_reason]
    .filter((part) => part !== '')
    .join(', ')
}

function lasting(run: FaultyRun): string {
  const { terminal_reason } = run.result
  if (run.retries > 0) expect(run).toMatchObject({ retries: ATTEMPTS - 1, written: ['0'], result: { terminal_reason: 'api_error' } })
  return run.retries > 0 ? `${ATTEMPTS} attempts, ${terminal_reason}` : terminal_reason
}
