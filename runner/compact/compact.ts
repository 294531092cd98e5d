import { withArrival } from '../arrivals.ts'
import type { RunContext } from '../context.ts'
import type { CompactEvent, NoticeEvent, RunEvent } from '../events.ts'
import type { Fault, Outcome } from '../message.ts'
import type { ModelClient } from '../model/client.ts'
import { requestOf } from '../request.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { type Recipe, recipeFor } from './recipe.ts'
import type { CompactSettings } from './settings.ts'
import { summaryRequest, withoutSummary, withSummary } from './summary.ts'
import { type CountTokens, tokensNow } from './tokens.ts'
import { isNear, mayCompact, thresholdOf, type Trigger, triggerOf } from './trigger.ts'

export interface CompactSeams {
  model: ModelClient
  signal: AbortSignal
  transcript: Transcript
  count?: CountTokens | undefined
  hooks?: CompactHooks | undefined
}

/** The hooks of an agent, as far as they watch compactions. */
export interface CompactHooks {
  /** A reason, if the conversation is not to be compacted. */
  before(trigger: 'manual' | 'auto'): Promise<string | undefined>
  /** Texts for the model, now that the conversation begins with a summary. */
  after(trigger: 'manual' | 'auto', summary: string): Promise<string>
}

/** The run after a compaction, or as it was. `fault`: the request for the summary was broken off. */
export interface Compacted {
  context: RunContext
  done: boolean
  fault?: Fault | undefined
}

/** Compacts the conversation if it is time to. */
export async function* compactIfDue(
  context: RunContext,
  settings: CompactSettings,
  seams: CompactSeams,
): AsyncGenerator<RunEvent, Compacted> {
  if (!mayCompact(context)) return { context, done: false }
  const trigger = triggerOf(context, settings)
  const tokens = await sizeOf(context, trigger, settings, seams)
  const due = trigger ?? (tokens >= thresholdOf(context, settings) ? 'tokens' : undefined)
  if (!due || (due === 'tokens' && tokens < thresholdOf(context, settings))) return { context, done: false }
  return yield* compact(context, due, settings, seams, tokens)
}

/** Only near the threshold it matters how good the estimate is. */
async function sizeOf(context: RunContext, trigger: Trigger | undefined, settings: CompactSettings, seams: CompactSeams): Promise<number> {
  const tokens = tokensNow(context)
  if (!seams.count || !isNear(tokens, thresholdOf(context, settings))) return tokens
  if (trigger !== undefined && trigger !== 'tokens') return tokens
  return (await seams.count(requestOf(context), seams.signal)) ?? tokens
}

/**
 * Has the old part summarised and replaces it. The transcript gets the recipe before the request, then request and reply as of any turn,
 * then the boundary: with these three the conversation can be derived again. What the model says meanwhile is no part of the run's output.
 */
export async function* compact(
  context: RunContext,
  trigger: Trigger,
  settings: CompactSettings,
  seams: CompactSeams,
  tokens = tokensNow(context),
): AsyncGenerator<RunEvent, Compacted> {
  const recipe = recipeFor(context, trigger, tokens, settings)
  if (!recipe) return { context, done: false }
  const how = trigger === 'manual' ? 'manual' : 'auto'
  const refused = await seams.hooks?.before(how)
  if (refused !== undefined) {
    yield* said(failure(`a PreCompact hook refuses it: ${refused}`), seams.transcript)
    return { context, done: false }
  }
  seams.transcript.put({ kind: 'compact', ...recipe })
  const outcome = yield* silently(seams.model(summaryRequest(context, recipe), seams.signal))
  if (outcome.type === 'fault') {
    const fault = outcome.kind === 'interrupted' || outcome.kind === 'mismatch' ? outcome : undefined
    const event = fault ? undefined : failure(outcome.message)
    if (event) yield* said(event, seams.transcript)
    return { context: withoutSummary(context), done: false, fault }
  }
  const after = withSummary(context, recipe, outcome)
  const done = after.messages !== context.messages
  yield* said(done ? boundary(recipe, after) : failure('the model gave no summary'), seams.transcript)
  const text = (done && (await seams.hooks?.after(how, after.compaction!.summary))) || ''
  return { context: text === '' ? after : withArrival(after, text, seams.transcript), done }
}

async function* silently(events: ReturnType<ModelClient>): AsyncGenerator<RunEvent, Outcome> {
  try {
    for (;;) {
      const step = await events.next()
      if (step.done) return step.value
      if (step.value.type === 'system') yield step.value
    }
  } finally {
    await events.return(undefined as never)
  }
}

async function* said(event: CompactEvent | NoticeEvent, transcript: Transcript): AsyncGenerator<RunEvent> {
  transcript.put({ kind: 'event', event })
  yield event
}

/** In the form of Claude Code's stream-json; `trigger` there knows no reasons, so ours stands beside. */
function boundary({ trigger, tokens, cut }: Recipe, { messages, compaction }: RunContext): CompactEvent {
  const compact_metadata = {
    trigger: trigger === 'manual' ? ('manual' as const) : ('auto' as const),
    pre_tokens: tokens,
    reason: trigger,
    summarised_messages: cut,
    kept_messages: messages.length - 1,
    times: compaction?.times ?? 0,
  }
  return { type: 'system', subtype: 'compact_boundary', compact_metadata }
}

function failure(why: string): NoticeEvent {
  return { type: 'system', subtype: 'notice', code: 'compaction', message: `the conversation could not be compacted: ${why}` }
}
