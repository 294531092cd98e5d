import { expect, test } from 'vitest'
import { expected, FATES, type FaultAt, fateOf, faultyRun, LAST, TURNS } from '../run/faulty.ts'
import { fakeApi, folder } from '../run/stage.ts'

/** Pairs of faults in one run, of one turn or of two. `AGENTC_PAIRS=all` takes all of them, otherwise a fixed sample. */
const EVERY = process.env['AGENTC_PAIRS'] === 'all' ? 1 : 17

function pairs(): [FaultAt, FaultAt][] {
  const types = Object.keys(FATES)
  const all: [FaultAt, FaultAt][] = []
  for (const a of types) {
    for (const b of types) {
      for (let first = 0; first < TURNS; first++) {
        for (let second = first; second < TURNS; second++)
          all.push([
            { type: a, turn: first, times: 1 },
            { type: b, turn: second, times: 1 },
          ])
      }
    }
  }
  return all.filter((pair, at) => at % EVERY === 0 && !meetsAfterEnd(pair) && !isCompacted(pair))
}

/** Two faults of one turn meet only if the first lets it be asked again. */
function meetsAfterEnd([a, b]: [FaultAt, FaultAt]): boolean {
  return a.turn === b.turn && fateOf(a).retries === 0
}

/** A compacted conversation is shorter, and the server counts its turns anew. */
function isCompacted([a, b]: [FaultAt, FaultAt]): boolean {
  return [a, b].some((fault) => fault.type === 'prompt_too_long' && fault.turn > 0)
}

/** At the last turn there is no call to break, and a pause is followed by the same answer once more. */
const quiet = ({ type, turn }: FaultAt) => turn === LAST && (type === 'bad_tool_json' || type === 'pause_turn')

test('two faults in one run: the right end, and no call lost or doubled', async () => {
  const api = await fakeApi({ turns: [] })
  const cwd = await folder()
  let runs = 0
  for (const pair of pairs()) {
    const run = await faultyRun(api, cwd, pair)
    const { reason, written, retries } = expected(pair.filter((fault) => !quiet(fault)))
    const what = JSON.stringify(pair)
    expect({ reason: run.result.terminal_reason, written: run.written, retries: run.retries }, what).toEqual({ reason, written, retries })
    expect(run.answered, what).toEqual(run.calls)
    runs += 1
  }
  console.log(`${runs} pairs of faults`)
}, 570_000)
