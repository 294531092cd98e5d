import type { RunEvent, RunResult } from '../../runner/index.ts'
import type { ToolSet } from '../../runner/tools/registry.ts'
import { startOf } from './manifest-fixture.ts'
import { type FakeApi, runToEnd, stillClock } from './stage.ts'

/** A run of three writes and an answer, with faults of the API at its turns. */

/** What a fault comes to. `passes`: it is asked again; `lost`: a call of that reply is not run, and the model is told. */
export interface Fate {
  reason: RunResult['terminal_reason']
  retries: 0 | 1
  call: 'run' | 'lost'
}

const again: Fate = { reason: 'completed', retries: 1, call: 'run' }
const nothing: Fate = { reason: 'completed', retries: 0, call: 'run' }
const atOnce: Fate = { reason: 'api_error', retries: 0, call: 'lost' }
const ends = (reason: Fate['reason']): Fate => ({ reason, retries: 0, call: 'lost' })

/** Every fault of test/fake-api, and how the run is to end that meets it once. */
export const FATES: Readonly<Record<string, Fate>> = {
  '408': again,
  '409': again,
  '429': again,
  '500': again,
  '502html': again,
  '529': again,
  reset_before: again,
  reset_mid: again,
  truncate: again,
  malformed_sse: again,
  error_event: again,
  hang: again,
  hang_mid: again,
  drip: nothing,
  bad_json: nothing,
  pause_turn: nothing,
  bad_tool_json: { reason: 'completed', retries: 0, call: 'lost' },
  '401': atOnce,
  '403': atOnce,
  '404': atOnce,
  '413': atOnce,
  // Later there is something to summarise: see fateOf.
  prompt_too_long: ends('context_overflow'),
  max_tokens: ends('max_tokens'),
  refusal: ends('refusal'),
  empty: ends('empty_reply'),
}

/** The fate of a fault at its turn: a conversation that has begun is compacted and goes on. */
export function fateOf({ type, turn }: FaultAt): Fate {
  return type === 'prompt_too_long' && turn > 0 ? nothing : FATES[type]!
}

/** Turns of the script; the last one is the answer. */
export const TURNS = 4
export const LAST = TURNS - 1

export interface FaultAt {
  type: string
  turn: number
  /** Without it the fault stays. */
  times?: number
}

export interface FaultyRun {
  result: RunResult
  /** Contents that were written, in their order. */
  written: string[]
  retries: number
  /** Calls of the model, and results they got. */
  calls: string[]
  answered: string[]
}

/** Silence is waited for only where there will be some: a busy machine must not look like a silent API. */
function patience(faults: readonly FaultAt[]): number {
  return faults.some((fault) => fault.type.startsWith('hang')) ? 400 : 20_000
}

/** In: a server, a folder, faults. Out: what became of the run. Waits cost no time. */
export async function faultyRun(api: FakeApi, cwd: string, faults: readonly FaultAt[]): Promise<FaultyRun> {
  const turns = [0, 1, 2].map((turn) => ({ text: `Writing ${turn}.`, tool: 'Write', input: { file_path: 'log', content: `${turn}` } }))
  await api.play({ turns: [...turns, { text: 'All is written.' }], faults, options: { chunk: 6 } })
  const written: string[] = []
  const { events, result } = await runToEnd(startOf({ tools: ['Write'], permissionMode: 'bypassPermissions' }, 'go'), {
    cwd,
    api: { apiKey: 'test-key-0123456789', authToken: undefined, baseURL: api.url, idleMs: patience(faults) },
    clock: stillClock(),
    tools: noting(written),
  })
  return {
    result,
    written,
    retries: events.filter((event) => event.type === 'system' && event.subtype === 'api_retry').length,
    ...callsIn(events),
  }
}

/** A Write that only notes that it was done. */
function noting(written: string[]): ToolSet {
  return (name) =>
    name === 'Write'
      ? {
          run: (input) => (written.push(input.content as string), Promise.resolve({ text: 'written', isError: false })),
        }
      : { absent: 'not here' }
}

function callsIn(events: readonly RunEvent[]): { calls: string[]; answered: string[] } {
  const calls: string[] = []
  const answered: string[] = []
  for (const event of events) {
    if (event.type === 'assistant') for (const block of event.message.content) if (block.type === 'tool_use') calls.push(block.id)
    if (event.type === 'user') answered.push(...event.message.content.map((block) => block.tool_use_id))
  }
  return { calls, answered }
}

/** What a run with these faults, each once, must have come to: the fates in the order of the turns, up to the first that ends it. */
export function expected(faults: readonly FaultAt[]): Pick<FaultyRun, 'written' | 'retries'> & { reason: RunResult['terminal_reason'] } {
  const written: string[] = []
  let retries = 0
  for (let turn = 0; turn < TURNS; turn++) {
    const fates = faults.filter((fault) => fault.turn === turn).map(fateOf)
    retries += fates.reduce((sum, fate) => sum + fate.retries, 0)
    const end = fates.find((fate) => fate.reason !== 'completed')
    if (end) return { written, retries, reason: end.reason }
    if (turn < LAST && fates.every((fate) => fate.call === 'run')) written.push(`${turn}`)
  }
  return { written, retries, reason: 'completed' }
}
