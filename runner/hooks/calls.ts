import { isAbsolute, join } from 'node:path'
import type { ToolOutput } from '../tools/tool.ts'
import type { HookBus } from './bus.ts'
import { NOTHING, type Outcome } from './merge.ts'
import { type Call, type Moment, PATHS } from './occasion.ts'

/** A call of a tool, as hooks are told of it. `name` is the tool's own, not an alias. */
export interface HookedCall {
  id: string
  name: string
  input: Readonly<Record<string, unknown>>
}

/**
 * Before a call is decided on. In what comes back `deny` refuses it whatever the rules say, `ask` wants a person to be asked, `allow` stands
 * for the person's yes (deny and ask rules of the settings still count), and `updatedInput` takes the place of the input: it has to be
 * checked against the schema like the first one.
 */
export function beforeCall(bus: HookBus, call: HookedCall, cwd: string, effort: string | undefined, moment: Moment): Promise<Outcome> {
  return bus.fire({ event: 'PreToolUse', ...toldOf(call, cwd), effort: { level: effort ?? 'medium' } }, moment)
}

/** What a call came to once its hooks have heard of it. */
export interface Heard {
  output: ToolOutput
  /** The whole run is to end, for this reason. */
  stop?: string
}

/**
 * After a call. What hooks say is put behind the result, because that is what the transcript keeps; the call itself stands (measured.md).
 * `before` is what came of `beforeCall`, whose context the model gets here too. `ms` is how long it took, `interrupted` that it was cut off.
 */
export async function afterCall(
  bus: HookBus,
  call: HookedCall,
  output: ToolOutput,
  { ms, interrupted = false, cwd, before = NOTHING }: { ms: number; interrupted?: boolean; cwd: string; before?: Outcome },
  moment: Moment,
): Promise<Heard> {
  const told = toldOf(call, cwd)
  const duration_ms = Math.round(ms)
  const event = output.isError ? 'PostToolUseFailure' : 'PostToolUse'
  const heard = output.isError
    ? await bus.fire({ event: 'PostToolUseFailure', ...told, error: output.text, is_interrupt: interrupted, duration_ms }, moment)
    : await bus.fire({ event: 'PostToolUse', ...answered(told, responseOf(call.name, output)), duration_ms }, moment)
  const objection = heard.block === undefined ? [] : [`The ${event} hook objects: ${heard.block}`]
  const texts = [...before.context, ...objection, ...heard.context]
  const shown = heard.output === undefined ? output : { ...output, text: heard.output }
  return { output: withReminder(shown, texts), ...(heard.stop !== undefined && { stop: heard.stop }) }
}

/** Once for all calls of a reply, when the last of them has ended. */
export function afterBatch(
  bus: HookBus,
  calls: readonly { call: HookedCall; output: ToolOutput }[],
  cwd: string,
  moment: Moment,
): Promise<Outcome> {
  const tool_calls = calls.map(({ call, output }) => ({ ...toldOf(call, cwd), tool_response: output.text }))
  return bus.fire({ event: 'PostToolBatch', tool_calls }, moment)
}

/** What hooks have said in place of the person. Another input is to be judged like the first one. */
export type HookVerdict = { allow: true; updatedInput?: Readonly<Record<string, unknown>> } | { allow: false; reason: string }

/** Lets hooks answer where a person would be asked; when they do not, the person is. */
export function throughHooks<Asked extends { tool: string; input: unknown }, Rest extends readonly unknown[], Answer>(
  ask: (asked: Asked, reason: string, signal: AbortSignal, ...rest: Rest) => Promise<Answer>,
  bus: HookBus,
  moment: () => Moment,
): (asked: Asked, reason: string, signal: AbortSignal, ...rest: Rest) => Promise<Answer | HookVerdict> {
  return async (asked, reason, signal, ...rest) => {
    const { tool: tool_name, input: tool_input } = asked
    const heard = await bus.fire({ event: 'PermissionRequest', tool_name, tool_input, permission_suggestions: [] }, { ...moment(), signal })
    if (heard.decision === 'deny') return { allow: false, reason: heard.reason ?? 'a PermissionRequest hook refuses it' }
    if (heard.decision !== 'allow') return ask(asked, reason, signal, ...rest)
    return { allow: true, ...(heard.updatedInput && { updatedInput: heard.updatedInput }) }
  }
}

/** What the model reads of hooks. It stands in a frame, so that it is not taken for what the tool or the user said. */
export function reminderOf(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `<system-reminder>\n${texts.join('\n\n')}\n</system-reminder>`
}

function withReminder(output: ToolOutput, texts: readonly string[]): ToolOutput {
  return texts.length === 0 ? output : { ...output, text: `${output.text}\n\n${reminderOf(texts)}` }
}

function toldOf({ id, name, input }: HookedCall, cwd: string): Call {
  const paths = PATHS.flatMap((key) => {
    const path = input[key]
    return typeof path === 'string' && !isAbsolute(path) ? [[key, join(cwd, path)]] : []
  })
  return { tool_name: name, tool_input: paths.length > 0 ? { ...input, ...Object.fromEntries(paths) } : input, tool_use_id: id }
}

/** In the measured order. */
function answered({ tool_use_id, ...told }: Call, tool_response: unknown): Call & { tool_response: unknown } {
  return { ...told, tool_response, tool_use_id }
}

/** Bash's is an object in Claude Code (measured.md); hooks look into it. */
function responseOf(name: string, { text }: ToolOutput): unknown {
  return name === 'Bash' ? { stdout: text, stderr: '', interrupted: false, isImage: false, noOutputExpected: false } : text
}
