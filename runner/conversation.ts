import { during } from './aside.ts'
import type { BesideSeams } from './arrivals.ts'
import type { Past } from './begun.ts'
import type { Clock, Ids } from './clock.ts'
import { answer, type RunContext, type Start } from './context.ts'
import type { Ending } from './ending.ts'
import { DEFAULT_MAX_TURNS, finish } from './endings.ts'
import type { Environment } from './environment.ts'
import type { RunEvent, RunResult, TerminalReason } from './events.ts'
import type { ExecuteSeams } from './execute.ts'
import { reminderOf } from './hooks/calls.ts'
import { failedBy } from './hooks/failed.ts'
import { InputRefused, withInputs } from './input/live.ts'
import { type Below, withBelow, withMore } from './delegation/below.ts'
import { type Budget, renew } from './limits/budget.ts'
import { settleWith } from './limits/keeper.ts'
import { limitsInForce, maxTurnsOf } from './limits/run-limits.ts'
import { announced, notice } from './notice-queue.ts'
import { withNextPrompt } from './next-prompt.ts'
import type { OpenReply } from './open-reply.ts'
import type { Person } from './person.ts'
import { stateOf } from './prepare.ts'
import type { PromptLine } from './transcript/line.ts'
import type { UsageByModel } from './usage.ts'

/** A piece of work that is to be done: from a prompt up to the answer to it. */
export interface Work {
  context: RunContext
  open: OpenReply | undefined
  /** That of the run, and of the person who may interrupt it. */
  signal: AbortSignal
}

/** A piece of work that is over. Without an ending there was none yet. */
export interface Rest {
  context: RunContext
  ending?: Ending
}

/** Of what a run touches, that by which its pieces of work follow one another. */
export interface ConversationSeams extends ExecuteSeams, Omit<BesideSeams, 'transcript' | 'signal'> {
  clock: Clock
  ids: Ids
  environment: Environment
  /** Who says what comes after a piece of work; without it the run ends with the first. */
  person?: Person | undefined
  /** A run that is gone on with. */
  past?: Past | undefined
  /** What the agents that this one has started come to, for its result. */
  below?: (() => Below) | undefined
  hookUsage?: (() => UsageByModel) | undefined
  /** Of an agent that another one has started. */
  budget?: Budget | undefined
}

/** What belongs to the run as a whole is used up for good, so the next prompt would end as this one did. */
const FOR_GOOD: ReadonlySet<TerminalReason> = new Set(['budget_exhausted', 'token_limit', 'output_limit', 'replay_mismatch'])

/** Whether a run begins with a question for its first prompt. One that was cut off in the middle of its work does that first. */
export function asksFirst({ prompt, initialPrompt, agent }: Start, { person, past }: Pick<ConversationSeams, 'person' | 'past'>): boolean {
  if (!person) return false
  return past
    ? past.prompt === undefined && past.history.end !== undefined
    : prompt === '' && (initialPrompt ?? agent.initialPrompt) === undefined
}

/** The work that a run begins with, or is to do for the agents that it has started. */
export function workOf({ context, open }: Omit<Work, 'signal'>, { person, signal }: Pick<ConversationSeams, 'person' | 'signal'>): Work {
  return { context, open, signal: person ? AbortSignal.any([signal, person.begin()]) : signal }
}

/**
 * What comes after a piece of work: without a person nothing, the run ends as the work did. Else the next prompt, or what an agent in the
 * background reports meanwhile. Turns and time are counted anew from each prompt, as from the prompt of a run that is resumed.
 */
export async function* nextWork(rest: Rest, start: Start, seams: ConversationSeams): AsyncGenerator<RunEvent, Required<Rest> | Work> {
  const { context, ending = { reason: 'completed' } } = rest
  const { person, signal, inbox } = seams
  if (!person || signal.aborted || FOR_GOOD.has(ending.reason)) return { context, ending }
  const failed = failedBy(ending, answer(context))
  if (failed) await seams.hooks?.failed(failed, stateOf(context, signal))
  if (rest.ending) yield { type: 'system', subtype: 'prompt_end', result: resultSoFar(context, ending, seams) }
  for (;;) {
    const said = yield* during(heard(person, seams), seams.aside)
    if (signal.aborted) return { context, ending: { reason: 'interrupted' } }
    if (said === ARRIVED) return workOf({ context, open: undefined }, seams)
    if (said === undefined) {
      const lost = inbox?.running() ?? []
      if (lost.length > 0) yield* announced([notice('background', `ended with the conversation: ${lost.join(', ')}`)], seams)
      return { context, ending: { reason: 'completed' } }
    }
    const work = yield* prompted(said, { context, ...(rest.ending && { ending }) }, start, seams)
    if (work) return work
  }
}

const ARRIVED = Symbol('arrived')

/** Waits for the person, and for the reports of agents in the background. What the person says is never lost. */
async function heard(person: Person, { inbox, signal }: ConversationSeams): Promise<string | undefined | typeof ARRIVED> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  const said = person.next(either)
  const arrived = async () => ((await inbox?.wait(undefined, either)) === 'arrived' ? ARRIVED : said)
  const first = await Promise.race([said, arrived()])
  over.abort()
  return (await said) ?? first
}

/** Makes work of what the person has said; `undefined` if it is refused, which is told. */
async function* prompted(said: string, rest: Rest, start: Start, seams: ConversationSeams): AsyncGenerator<RunEvent, Work | undefined> {
  const work = workOf({ context: rest.context, open: undefined }, seams)
  yield { type: 'system', subtype: 'prompt', prompt: said }
  const ready = await resolved(said, work, start, seams)
  if ('refused' in ready) {
    yield* announced([notice('input', ready.refused)], seams)
    return undefined
  }
  const { notices, ...input } = ready
  yield* announced(
    notices.map((message) => notice('input', message)),
    seams,
  )
  const line = lineOf(input, rest, start, seams)
  seams.transcript.put(line)
  seams.transcript.sync()
  if (seams.budget) settleWith(seams.budget, rest.context, seams.hookUsage)
  if (seams.budget) renew(seams.budget, Math.max(line.max_turns - rest.context.turns, limitsInForce(start).turns ?? 0), line.at)
  return { ...work, context: withNextPrompt(rest.context, line) }
}

/** The prompt as the model gets it: through the input router, then through the hooks. */
async function resolved(
  said: string,
  { context, signal }: Work,
  start: Start,
  seams: ConversationSeams,
): Promise<(Pick<PromptLine, 'text' | 'patches'> & { notices: readonly string[] }) | { refused: string }> {
  const { permissionMode } = context
  try {
    const asked = { ...start, prompt: said, permissionMode, patches: undefined }
    const { start: given, notices } = await withInputs(asked, { ...seams, signal }, 'prompt')
    if (signal.aborted) return { refused: 'interrupted before it was sent' }
    const opening = await seams.hooks?.prompted(given.prompt, context.turns, stateOf(context, signal))
    if (opening?.refusal !== undefined) return { refused: opening.refusal }
    const text = [given.prompt, reminderOf(opening?.context ?? [])].filter((part) => part !== '').join('\n\n')
    return { text, notices, ...(given.patches && { patches: given.patches }) }
  } catch (error) {
    if (error instanceof InputRefused) return { refused: error.message }
    throw error
  }
}

/** Reasons why a reply was broken off that do not make what had arrived of it void. */
const BROKEN_OFF: ReadonlySet<TerminalReason> = new Set(['interrupted', 'timeout', 'idle_timeout'])

function lineOf(
  input: Pick<PromptLine, 'text' | 'patches'>,
  { context, ending }: Rest,
  start: Start,
  { clock, past }: ConversationSeams,
): PromptLine {
  const turns = past?.maxTurns ?? maxTurnsOf(start, DEFAULT_MAX_TURNS)
  const partial = ending && BROKEN_OFF.has(ending.reason) ? ending.partial?.trimEnd() : undefined
  return {
    kind: 'prompt',
    at: clock.now(),
    max_turns: context.turns + turns,
    ...input,
    ...(ending && { after: ending.reason }),
    ...(partial && { partial }),
  }
}

/** The account of the run up to here. */
function resultSoFar(context: RunContext, ending: Ending, { below, hookUsage, clock, transcript }: ConversationSeams): RunResult {
  const told = ending.reason === 'interrupted' ? { errors: ['interrupted'], ...ending } : ending
  const own = finish(context, told, { now: clock.now(), closed: { stray: 0, faults: [] }, run: transcript.run })
  return withBelow(below?.(), withMore(own, hookUsage?.()))
}
