import type { FiredEvent } from './occasion.ts'

/** What came of running one handler, before it is known what it means: like a process, whatever its type. */
export interface Ran {
  /** `null` if there is none: it could not be started, or was ended. */
  code: number | null
  stdout: string
  stderr: string
  /** Why it did not run to its end, as the end of a sentence. */
  failure?: string
}

/** What came of a handler that did not run to its end; `failure` is the end of a sentence. */
export function notRun(failure: string): Ran {
  return { code: null, stdout: '', stderr: '', failure }
}

/** What one hook says. */
export interface Answer {
  decision?: 'allow' | 'ask' | 'deny'
  /** Of the decision. */
  reason?: string
  updatedInput?: Readonly<Record<string, unknown>>
  /** After a call: what the model gets in place of its output. */
  output?: string
  /** For the model. */
  context?: string
  /** What the event is about is not to go on; or, after a call, what the model is told of it. */
  block?: string
  /** The whole run is to end. */
  stop?: string
  /** Of WorktreeCreate: the folder that the hook has made. */
  worktree?: string
  /** For people. */
  message?: string
  /** Members of the JSON that this version does nothing with, though they were to change something. */
  unheard?: readonly string[]
  /** It did not do what it should, as the end of a sentence. */
  failure?: string
}

/** Longer texts of a hook are cut (claude-code-agents.md 7.6). */
export const TEXT_LIMIT = 10_000

/** Events at which plain text on standard output is context for the model. */
const PLAIN: ReadonlySet<FiredEvent> = new Set(['SessionStart', 'UserPromptSubmit'])
/** Events at which exit code 2 blocks, or tells the model. */
const BLOCKING: ReadonlySet<FiredEvent> = new Set([
  'PreToolUse',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'WorktreeCreate',
])

/**
 * What a handler's exit code and output mean: JSON counts at every code; 2 blocks, even against a JSON that allows; any other code is a
 * failure and blocks nothing, unless the JSON decides (claude-code-agents.md 7.6; measured.md, Hooks).
 */
export function answerOf(event: FiredEvent, { code, stdout, stderr, failure }: Ran): Answer {
  if (failure !== undefined) return { failure }
  const json = jsonOf(stdout)
  const said = json === undefined ? {} : spoken(event, json)
  if (code === 2) return blocked(event, said, stderr)
  if (code !== 0 && !decides(said))
    return { ...said, failure: `it ended with exit code ${code}${stderr.trim() === '' ? '' : `: ${clip(stderr.trim())}`}` }
  if (json === undefined && stdout.trimStart().startsWith('{')) return { failure: 'it printed JSON that cannot be read' }
  if (json === undefined && PLAIN.has(event) && stdout.trim() !== '') return { context: clip(stdout.trim()) }
  const made = json === undefined && event === 'WorktreeCreate' ? stdout.trim().split('\n').at(-1)!.trim() : ''
  if (made !== '') return { worktree: made }
  return said
}

function blocked(event: FiredEvent, said: Answer, stderr: string): Answer {
  const { message, context } = said
  const reason = said.reason ?? said.block ?? (clip(stderr.trim()) || 'it gave no reason')
  if (!BLOCKING.has(event)) return { ...said, failure: `it ended with exit code 2, which blocks nothing here: ${reason}` }
  return { ...(message !== undefined && { message }), ...(context !== undefined && { context }), ...refused(event, reason) }
}

/** An answer that says no, at any event. */
export function refused(event: FiredEvent, reason: string): Answer {
  if (event === 'PreToolUse' || event === 'PermissionRequest') return { decision: 'deny', reason }
  return event === 'PostToolBatch' ? { stop: reason } : { block: reason }
}

function decides({ decision, block, stop }: Answer): boolean {
  return decision !== undefined || block !== undefined || stop !== undefined
}

type Json = Readonly<Record<string, unknown>>

function jsonOf(stdout: string): Json | undefined {
  if (!stdout.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(stdout) as Json
  } catch {
    return undefined
  }
}

const DECISIONS: Readonly<Record<string, Answer['decision']>> = {
  allow: 'allow',
  approve: 'allow',
  deny: 'deny',
  block: 'deny',
  ask: 'ask',
  defer: 'ask',
}

function spoken(event: FiredEvent, json: Json): Answer {
  const own = (json.hookSpecificOutput ?? {}) as Json
  const wrong = fault(event, json, own)
  if (wrong !== undefined) return { failure: wrong }
  const reason = text(json.reason)
  const context = text(own.additionalContext)
  return {
    ...(json.continue === false && { stop: text(json.stopReason) ?? reason ?? 'it ended the run' }),
    ...(text(json.systemMessage) !== undefined && { message: text(json.systemMessage)! }),
    ...(context !== undefined && { context }),
    ...(event === 'PreToolUse' ? callDecision(json, own) : event === 'PermissionRequest' ? requestDecision(own) : {}),
    ...(event === 'PostToolUse' && otherOutput(own)),
    ...(event === 'WorktreeCreate' && text(own.worktreePath) !== undefined && { worktree: text(own.worktreePath)! }),
    ...(event !== 'PreToolUse' && json.decision === 'block' && refused(event, reason ?? 'it gave no reason')),
  }
}

function callDecision(json: Json, own: Json): Answer {
  const decision = DECISIONS[String(own.permissionDecision ?? json.decision)]
  const reason = text(own.permissionDecisionReason) ?? text(json.reason)
  const input = own.updatedInput as Json | undefined
  return { ...(decision && { decision }), ...(reason !== undefined && { reason }), ...(input && { updatedInput: input }) }
}

function requestDecision({ decision }: Json): Answer {
  const { behavior, message, updatedInput, ...rest } = (isRecord(decision) ? decision : {}) as Json
  if (behavior !== 'allow' && behavior !== 'deny') return {}
  const reason = text(message)
  const unheard = ['updatedPermissions', 'interrupt'].filter((key) => rest[key] !== undefined && rest[key] !== false)
  return {
    decision: behavior,
    ...(unheard.length > 0 && { unheard }),
    ...(reason !== undefined && { reason }),
    ...(updatedInput !== undefined && { updatedInput: updatedInput as Json }),
  }
}

/** Of calls of MCP servers the older name is known too; who reads it knows the tool. */
function otherOutput({ updatedToolOutput, updatedMCPToolOutput }: Json): Answer {
  const output = updatedToolOutput ?? updatedMCPToolOutput
  if (output === undefined) return {}
  return { output: typeof output === 'string' ? output : JSON.stringify(output) }
}

/** What is wrong with the JSON; nothing of one that is wrong counts. */
function fault(event: FiredEvent, json: Json, own: Json): string | undefined {
  const texts = ['stopReason', 'systemMessage', 'reason', 'decision'].find(
    (key) => json[key] !== undefined && typeof json[key] !== 'string',
  )
  if (texts !== undefined) return `its JSON has a ${texts} that is no text`
  if (json.continue !== undefined && typeof json.continue !== 'boolean') return 'its JSON has a `continue` that is neither true nor false'
  if (!isRecord(own)) return 'its JSON has a `hookSpecificOutput` that is no object'
  if (own.hookEventName !== undefined && own.hookEventName !== event)
    return `its JSON is about ${String(own.hookEventName)}, not about ${event}`
  if (json.decision !== undefined && !mayDecide(event, String(json.decision)))
    return `its JSON has the decision ${JSON.stringify(json.decision)}, which is none`
  if (own.permissionDecision !== undefined && !Object.hasOwn(DECISIONS, String(own.permissionDecision)))
    return `its JSON has the permissionDecision ${JSON.stringify(own.permissionDecision)}, which is none`
  if (own.updatedInput !== undefined && !isRecord(own.updatedInput)) return 'its JSON has an `updatedInput` that is no object'
  const { decision } = own
  if (event === 'PermissionRequest' && decision !== undefined && !isVerdict(decision))
    return 'its JSON has a `decision` whose `behavior` is neither allow nor deny'
  if (event === 'PermissionRequest' && isRecord(decision) && decision.updatedInput !== undefined && !isRecord(decision.updatedInput))
    return 'its JSON has an `updatedInput` that is no object'
  return own.additionalContext !== undefined && typeof own.additionalContext !== 'string'
    ? 'its JSON has an `additionalContext` that is no text'
    : undefined
}

/** Of a decision that is none nobody knows what it was to be: to pass over it would let through what may have been refused. */
function mayDecide(event: FiredEvent, decision: string): boolean {
  return event === 'PreToolUse' ? Object.hasOwn(DECISIONS, decision) : decision === 'block' || decision === 'approve'
}

function isVerdict(decision: unknown): boolean {
  return isRecord(decision) && (decision.behavior === 'allow' || decision.behavior === 'deny')
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? clip(value) : undefined
}

export function clip(value: string): string {
  return value.length <= TEXT_LIMIT ? value : `${value.slice(0, TEXT_LIMIT)}\n[${value.length - TEXT_LIMIT} more characters left out]`
}
