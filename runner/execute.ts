import type { Results, RunContext } from './context.ts'
import { during, type EventQueue } from './aside.ts'
import type { CalledAside, CallTool } from './delegation/caller.ts'
import type { PermissionDenial, RunEvent, ToolEvent } from './events.ts'
import { repeatNotes } from './limits/notes.ts'
import { isToolUse, resultText, toolResult, type ToolUseBlock } from './message.ts'
import type { NoticeQueue } from './notice-queue.ts'
import { NOTHING_KNOWN, type OpenReply } from './open-reply.ts'
import { UNWATCHED } from './hooks/agent-hooks.ts'
import { type Heard, type HookedCall, reminderOf } from './hooks/calls.ts'
import { prepare, type Prepared, type PrepareSeams, stateOf } from './prepare.ts'
import { filesNow } from './tools/effects.ts'
import { failed, type ToolOutput } from './tools/tool.ts'
import type { FileEffect, ToolEndLine } from './transcript/line.ts'
import { NO_TRANSCRIPT, type Transcript } from './transcript/transcript.ts'
import { NO_USAGE } from './usage.ts'

export interface ExecuteSeams extends Omit<PrepareSeams, 'callTool'> {
  /** What the agents that a call has started tell of themselves while it is waited for. */
  aside?: EventQueue | undefined
  /** What is to be told of the run beside its conversation. */
  queue?: NoticeQueue | undefined
}

/** Read-only calls that run at one time, at most. */
const PARALLEL = 10

/**
 * Runs the calls of one reply. Every call ends in exactly one result, in the order of the calls: unknown, refused, invalid,
 * failed and interrupted are results too. All decisions are made before the first call starts; then neighbouring
 * read-only calls run together and any other call alone. The transcript has a line before a call starts and one when it has ended.
 */
export async function* execute(open: OpenReply, context: RunContext, seams: ExecuteSeams): AsyncGenerator<RunEvent, Results> {
  const calls = open.reply.content.filter(isToolUse)
  const callTool: CallTool = (name, input, within) => callAside(name, input, within, seams)
  const prepared: Prepared[] = []
  for (const [at, call] of calls.entries()) {
    prepared.push(await prepare(call, at, open.reply.broken[call.id], open.known, context, { ...seams, callTool }))
  }
  let stop = prepared.find((item) => item.stop !== undefined)?.stop
  if (stop !== undefined) for (const item of prepared) item.answer ??= failed(`Not run: a hook ended the run: ${stop}.`)
  yield* wallsOf(prepared, seams)
  const outputs: ToolOutput[] = []
  const noted = repeatNotes(context)
  const together = Math.min(PARALLEL, context.header.limits.parallelReads)
  for (const run of runsOf(prepared, together)) {
    const effects: (readonly FileEffect[] | undefined)[] = []
    for (const item of run) {
      effects.push(await begun(item, seams))
      if (!item.past) yield startEvent(item)
    }
    const pending = run.map((item) => timed(outputOf(item, seams.signal)))
    for (const [at, item] of run.entries()) {
      const { value, ms } = yield* during(pending[at]!, seams.aside)
      if (value.unanswered) item.denied = item.unanswered = true
      const whole = clipped(value, context.header.limits.resultChars, seams.transcript)
      const heard = await toldHooks(item, whole, ms, context, seams)
      stop ??= heard.stop
      const output = noted(item.call, item.past, heard.output)
      outputs.push(output)
      if (item.past) continue
      await ended(item, output, effects[at], seams)
      yield endEvent(item, output)
    }
  }
  const batch = await (seams.hooks ?? UNWATCHED).batch(batchOf(prepared, outputs), stateOf(context, seams.signal))
  stop ??= batch.stop
  return { ...resultsOf(prepared, outputs), said: reminderOf(batch.context), ...(stop !== undefined && { stop }) }
}

/**
 * One call that stands in no conversation, under the rights of a context: a command in the text of a skill, a file that a prompt mentions.
 * It is decided on and watched as any other; only the transcript has no line of it.
 */
export async function callAside(
  name: string,
  input: Readonly<Record<string, unknown>>,
  context: RunContext,
  seams: ExecuteSeams,
): Promise<CalledAside> {
  const content = [{ type: 'tool_use' as const, id: 'aside', name, input }]
  const reply = { type: 'reply' as const, id: 'aside', model: '', content, stop_reason: 'tool_use', usage: NO_USAGE, broken: {} }
  const calls = execute(
    { reply, known: NOTHING_KNOWN },
    { ...context, recent: [] },
    { ...seams, transcript: NO_TRANSCRIPT, queue: undefined },
  )
  for (;;) {
    const step = await calls.next()
    if (!step.done) continue
    const { blocks, denials, unanswered } = step.value
    const denied = denials.length > 0 ? (unanswered ? 'unanswered' : 'denied') : undefined
    return { text: resultText(blocks[0]!), isError: blocks[0]!.is_error === true, ...(denied && { denied }) }
  }
}

/** Whether commands run in walls is told before the first one does. */
async function* wallsOf(prepared: readonly Prepared[], { sandbox, queue, transcript }: ExecuteSeams): AsyncGenerator<RunEvent, void> {
  if (!sandbox || !prepared.some(({ name, run, answer }) => name === 'Bash' && run && !answer)) return
  await sandbox.open()
  for (const event of queue?.drain() ?? []) {
    transcript.put({ kind: 'event', event })
    yield event
  }
}

async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const begun = performance.now()
  return { value: await work, ms: performance.now() - begun }
}

/** A call that was not run is nothing that happened. */
async function toldHooks(
  item: Prepared,
  output: ToolOutput,
  ms: number,
  context: RunContext,
  { hooks = UNWATCHED, signal }: ExecuteSeams,
): Promise<Heard> {
  const { call, name, hooked, answer } = item
  if (!hooked || answer) return { output }
  const { input, before, isAbout } = hooked
  return hooks.after({ id: call.id, name, input }, output, { ms, before, isAbout }, stateOf(context, signal))
}

function batchOf(prepared: readonly Prepared[], outputs: readonly ToolOutput[]): { call: HookedCall; output: ToolOutput }[] {
  return prepared.map(({ call, name, hooked }, at) => {
    return { call: { id: call.id, name, input: hooked?.input ?? (call.input as HookedCall['input']) }, output: outputs[at]! }
  })
}

/** The results of the calls of a reply that the run ends with: they are not run. */
export function notRun({ reply, known }: OpenReply, why: string, transcript: Transcript): Results {
  const calls = reply.content.filter(isToolUse)
  const blocks = calls.map((call, at) => {
    const past = known.ended.get(at)
    const { text, isError } = past ? { text: past.text, isError: past.is_error } : failed(`Not run: ${why}.`)
    if (!past) transcript.put({ kind: 'tool_end', call: at, tool_use_id: call.id, name: call.name, text, is_error: isError })
    return toolResult(call.id, text, isError, past?.images)
  })
  const denied = [...known.ended.values()].filter((line) => line.denied)
  return {
    blocks,
    denials: denied.map(({ call, name, text }) => denialOf(calls[call]!, name, text)),
    unanswered: denied.some((line) => line.unanswered),
    patches: [...known.ended.values()].flatMap((line) => line.patch ?? []),
    messages: [...known.ended.values()].flatMap((line) => line.messages ?? []),
  }
}

/** Writes down that a call begins, and what it will do. A call whose answer is there already does not begin. */
async function begun(item: Prepared, { signal, transcript }: ExecuteSeams): Promise<readonly FileEffect[] | undefined> {
  if (!item.answer && signal.aborted) item.answer = failed('Not run: the run was interrupted.')
  if (item.answer) return undefined
  const effects = await item.effects?.()
  const { at, call, name } = item
  transcript.put({ kind: 'tool_start', call: at, tool_use_id: call.id, name, ...(effects && { effects }) })
  return effects
}

async function ended(item: Prepared, output: ToolOutput, effects: readonly FileEffect[] | undefined, seams: ExecuteSeams): Promise<void> {
  const { at, call, name, decision, repair } = item
  const { denied, unanswered } = denialIn(item, output)
  const files = effects && (await filesNow(effects, seams.workspace))
  const line: ToolEndLine = {
    kind: 'tool_end',
    call: at,
    tool_use_id: call.id,
    name,
    text: output.text,
    is_error: output.isError,
    ...(denied && { denied: true as const }),
    ...(unanswered && { unanswered: true as const }),
    ...(decision && { decision }),
    ...(repair && { repair }),
    ...(files && { files }),
    ...(output.images && { images: output.images }),
    ...(output.patch && { patch: output.patch }),
    ...(output.messages && { messages: output.messages }),
    ...(output.sandboxed !== undefined && { sandboxed: output.sandboxed }),
  }
  seams.transcript.put(line)
}

/** Neighbours that only read stand together, up to the limit; whatever writes stands alone. */
function runsOf(prepared: readonly Prepared[], together: number): Prepared[][] {
  const runs: Prepared[][] = []
  for (const item of prepared) {
    const last = runs.at(-1)
    if (last && item.readOnly && last.length < together && last.every((other) => other.readOnly)) last.push(item)
    else runs.push([item])
  }
  return runs
}

async function outputOf(item: Prepared, signal: AbortSignal): Promise<ToolOutput> {
  if (item.answer) return item.answer
  try {
    return await item.run!(signal)
  } catch (error) {
    return failed(`${item.name} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What is too long for the model is cut, and kept whole where the model can read on. */
function clipped(output: ToolOutput, most: number, transcript: Transcript): ToolOutput {
  const { text, messages } = output
  const cut = (whole: string): string => {
    if (whole.length <= most) return whole
    const kept = transcript.keep(whole)
    const where = kept === undefined ? '' : `; the whole output is in ${kept}`
    return `${whole.slice(0, most)}\n[${whole.length - most} more characters left out${where}]`
  }
  return { ...output, text: cut(text), ...(messages && { messages: messages.map(cut) }) }
}

/** Whether a call was denied, or could not do its work because one that it made was. */
function denialIn({ denied, unanswered }: Prepared, output: ToolOutput): { denied: boolean; unanswered: boolean } {
  return { denied: denied || output.denied !== undefined, unanswered: unanswered || output.denied === 'unanswered' }
}

/** A denied call, as the result of the run lists it. */
function denialOf(call: ToolUseBlock, name: string, reason: string): PermissionDenial {
  return { tool_name: name, tool_use_id: call.id, tool_input: call.input, reason }
}

function resultsOf(prepared: readonly Prepared[], outputs: readonly ToolOutput[]): Results {
  return {
    blocks: prepared.map(({ call }, at) => toolResult(call.id, outputs[at]!.text, outputs[at]!.isError, outputs[at]!.images)),
    denials: prepared.flatMap((item, at) => {
      const output = outputs[at]!
      return denialIn(item, output).denied ? [denialOf(item.call, item.name, output.text)] : []
    }),
    unanswered: prepared.some((item, at) => denialIn(item, outputs[at]!).unanswered),
    patches: outputs.flatMap((output) => output.patch ?? []),
    messages: outputs.flatMap((output) => output.messages ?? []),
  }
}

function startEvent({ call, name }: Prepared): ToolEvent {
  return { type: 'system', subtype: 'tool_start', tool_use_id: call.id, name, input: call.input }
}

function endEvent(item: Prepared, output: ToolOutput): ToolEvent {
  const { call, name } = item
  const { isError, sandboxed } = output
  const { denied } = denialIn(item, output)
  return {
    type: 'system',
    subtype: 'tool_end',
    tool_use_id: call.id,
    name,
    is_error: isError,
    denied,
    ...(denied && { message: output.text }),
    ...(sandboxed !== undefined && { sandboxed }),
  }
}
