import { expect, test } from 'vitest'
import { childBudget, rootBudget } from '../../../runner/limits/budget.ts'
import { exitCodeOf } from '../../../runner/exit-codes.ts'
import type { RunEvent, RunResult, Seams, Start } from '../../../runner/index.ts'
import { runAgent } from '../../../runner/index.ts'
import type { RunLimits } from '../../../runner/limits/run-limits.ts'
import type { ModelRequest, Outcome, Reply, StreamEvent } from '../../../runner/message.ts'
import type { ModelClient } from '../../../runner/model/client.ts'
import { SUMMARY_PROMPT } from '../../../runner/compact/summary.ts'
import { decide, nobody } from '../../../runner/permission/decide.ts'
import { openProcesses } from '../../../runner/processes.ts'
import { Scope } from '../../../runner/scope.ts'
import { newToolState } from '../../../runner/tools/state.ts'
import { noPerson, type Tool } from '../../../runner/tools/tool.ts'
import { NO_TRANSCRIPT } from '../../../runner/transcript/transcript.ts'
import { openWorkspace } from '../../../runner/workspace.ts'
import { startOf } from '../manifest-fixture.ts'
import { folder } from '../stage.ts'

/** A clock that only goes when something takes time, and wakes who sleeps. */
function virtualClock() {
  let now = 0
  const sleepers = new Set<{ at: number; wake: () => void }>()
  return {
    now: () => now,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const sleeper = { at: now + ms, wake: () => (sleepers.delete(sleeper), resolve()) }
        if (signal.aborted) return resolve()
        sleepers.add(sleeper)
        signal.addEventListener('abort', sleeper.wake)
      }),
    /** Time goes on step by step, until `signal` is aborted. */
    async pass(ms: number, signal: AbortSignal) {
      for (const end = now + ms; now < end && !signal.aborted;) {
        now = Math.min(end, ...[...sleepers].map(({ at }) => at).filter((at) => at > now))
        for (const sleeper of Array.from(sleepers)) if (sleeper.at <= now) sleeper.wake()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

type Phase = 'before' | 'streaming' | 'tool' | 'compaction'
type Clock = ReturnType<typeof virtualClock>

/** What happens in the phase that the limit is to be hit in. */
interface Happening {
  /** Milliseconds that pass. */
  ms?: number
  /** Text that arrives. */
  chars?: number
  /** Tokens that the request takes. */
  tokens?: number
}

const usage = (tokens: number) => ({ input_tokens: tokens, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 })
const fault = (partial: string): Outcome => ({ type: 'fault', kind: 'interrupted', message: 'the run was interrupted', partial })

function scripted(clock: Clock, phase: Phase, { ms = 0, chars = 0, tokens = 1 }: Happening): ModelClient {
  let turn = 0
  return async function* (request: ModelRequest, signal) {
    const summary = JSON.stringify(request.messages.at(-1)).includes(JSON.stringify(SUMMARY_PROMPT).slice(1, 40))
    turn += summary ? 0 : 1
    const here = summary ? phase === 'compaction' : phase === 'streaming' && turn === 3
    const event = (data: StreamEvent) => ({ type: 'stream_event' as const, event: data })
    yield event({ type: 'message_start', message: { usage: usage(here ? tokens : 1) } })
    let text = ''
    const steps = here ? 10 : 0
    for (let at = 0; at < steps && !signal.aborted; at++) {
      await clock.pass(ms / 10, signal)
      if (signal.aborted) break
      text += 'x'.repeat(chars / 10)
      if (chars > 0) yield event({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'x'.repeat(chars / 10) } })
    }
    if (signal.aborted) return fault(text)
    const content = summary
      ? [{ type: 'text' as const, text: 'a summary' }]
      : [
          { type: 'text' as const, text: `t${turn}` },
          { type: 'tool_use' as const, id: `u${turn}`, name: 'Glob', input: { pattern: `${turn}` } },
        ]
    const reply: Reply = {
      type: 'reply',
      id: `m${turn}`,
      model: 'claude-haiku-5-5',
      content,
      stop_reason: summary ? 'end_turn' : 'tool_use',
      usage: usage(here ? tokens : 1),
      broken: {},
    }
    return reply
  }
}

async function hit(limits: RunLimits & { compactMessages?: number }, phase: Phase, happening: Happening): Promise<RunResult> {
  const { compactMessages = 5, ...own } = limits
  const clock = virtualClock()
  const tool: Tool = {
    async run(input, { signal }) {
      if (phase === 'tool' && input.pattern === '3') await clock.pass(happening.ms ?? 0, signal)
      return { text: 'found', isError: false }
    },
  }
  const start: Start = {
    ...startOf({ tools: ['Glob'] }, 'go'),
    limits: { ...own, ...(phase === 'compaction' && { compact: { messages: compactMessages } }) },
  }
  if (own.usd !== undefined) start.maxBudgetUsd = own.usd
  const cwd = await folder()
  const workspace = await openWorkspace(cwd)
  const signal = new AbortController().signal
  const seams = {
    model: scripted(clock, phase, happening),
    clock,
    ids: { session: () => 's' },
    environment: { cwd, platform: 'linux', git: false },
    tools: () => tool,
    decide,
    ask: nobody,
    askPerson: noPerson,
    state: newToolState(),
    workspace,
    scope: new Scope(openProcesses('s', {}, { pid: 0, kill: () => true as never })),
    transcript: NO_TRANSCRIPT,
    signal,
    env: {},
    ...(phase === 'before' && { budget: spentBudget(own, clock, happening) }),
  } as unknown as Seams
  const events: AsyncGenerator<RunEvent, RunResult> = runAgent(start, seams)
  for (;;) {
    const step = await events.next()
    if (step.done) return step.value
  }
}

/** A budget of which everything is gone before the run begins: that of a child whose parent has used it up. */
function spentBudget(limits: RunLimits, clock: Clock, { ms = 0, chars = 0, tokens = 0 }: Happening) {
  const spent = { turns: limits.turns ?? 0, tokens, usd: limits.usd ?? 0, outputChars: chars }
  return childBudget(rootBudget(limits, clock.now() - ms, spent), {}, clock.now())
}

const ROWS: [phase: Phase, limits: RunLimits, happening: Happening, reason: RunResult['terminal_reason'], code: number][] = [
  ['before', { turns: 3 }, {}, 'max_turns', 3],
  ['before', { usd: 1 }, {}, 'budget_exhausted', 4],
  ['before', { tokens: 100 }, { tokens: 100 }, 'token_limit', 4],
  ['before', { outputChars: 100 }, { chars: 100 }, 'output_limit', 4],
  ['before', { seconds: 10 }, { ms: 10_000 }, 'timeout', 124],
  ['streaming', { usd: 0.001 }, { chars: 100_000 }, 'budget_exhausted', 4],
  ['streaming', { tokens: 1000 }, { chars: 100_000 }, 'token_limit', 4],
  ['streaming', { tokens: 1000 }, { tokens: 2000, ms: 100 }, 'token_limit', 4],
  ['streaming', { outputChars: 100 }, { chars: 1000 }, 'output_limit', 4],
  ['streaming', { seconds: 10 }, { ms: 60_000 }, 'timeout', 124],
  ['streaming', { idleSeconds: 10 }, { ms: 600_000 }, 'idle_timeout', 124],
  ['tool', { turns: 3 }, {}, 'max_turns', 3],
  ['tool', { seconds: 10 }, { ms: 60_000 }, 'timeout', 124],
  ['tool', { idleSeconds: 10 }, { ms: 60_000 }, 'idle_timeout', 124],
  ['tool', { tokens: 3 }, {}, 'token_limit', 4],
  ['compaction', { usd: 0.001 }, { tokens: 90_000 }, 'budget_exhausted', 4],
  ['compaction', { tokens: 1000 }, { tokens: 2000 }, 'token_limit', 4],
  ['compaction', { tokens: 1000 }, { chars: 100_000 }, 'token_limit', 4],
  ['compaction', { seconds: 10 }, { ms: 60_000 }, 'timeout', 124],
  ['compaction', { idleSeconds: 10 }, { ms: 600_000 }, 'idle_timeout', 124],
]

test.each(ROWS)('%s: %j with %j ends as %s', async (phase, limits, happening, reason, code) => {
  const result = await hit(limits, phase, happening)
  expect([result.terminal_reason, exitCodeOf(result), result.is_error, result.errors.length]).toEqual([reason, code, true, 1])
  if (phase === 'before') expect(result.num_turns).toBe(0)
  else expect(result.result).toContain(phase === 'compaction' ? 't' : 't1')
})

test('time that a limit leaves changes nothing', async () => {
  const result = await hit({ seconds: 100, idleSeconds: 100, turns: 6 }, 'tool', { ms: 50_000 })
  expect(result.terminal_reason).toBe('max_turns')
})
