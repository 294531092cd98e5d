import { z } from 'zod/v3'
import { HOOK_EVENTS } from '../values.ts'
import { placeShape, ruleShape } from './permission.ts'

const every = {
  /** A call that this rule is not about does not run the handler; an event that is no call never does. */
  if: ruleShape.optional(),
  /** Seconds. */
  timeout: z.number().positive().optional(),
  statusMessage: z.string().optional(),
  once: z.boolean().optional(),
  onFailure: z.enum(['block', 'continue']).optional(),
}

/**
 * Of SubagentStop: the hook does not keep the agent at work, but judges its result when it has ended, before the agent that started it sees
 * it (M29). A check that fails counts as not passed, unless `onFailure` is `continue`.
 */
const handover = { handover: z.literal(true).optional() }

/** A handler of a hook, normalised: nested shape, seconds, no unknown keys. */
export const handlerShape = z.discriminatedUnion('type', [
  z
    .object({
      type: z.literal('command'),
      command: z.string(),
      args: z.array(z.string()).optional(),
      async: z.boolean().optional(),
      asyncRewake: z.boolean().optional(),
      shell: z.enum(['bash', 'powershell']).optional(),
      ...every,
    })
    .strict(),
  z
    .object({
      type: z.literal('prompt'),
      prompt: z.string(),
      model: z.string().optional(),
      continueOnBlock: z.boolean().optional(),
      ...handover,
      ...every,
    })
    .strict(),
  z.object({ type: z.literal('agent'), prompt: z.string(), model: z.string().optional(), ...handover, ...every }).strict(),
  z
    .object({
      type: z.literal('http'),
      url: z.string(),
      headers: z.record(z.string()).optional(),
      allowedEnvVars: z.array(z.string()).optional(),
      ...every,
    })
    .strict(),
  z
    .object({ type: z.literal('mcp_tool'), server: z.string(), tool: z.string(), input: z.record(z.unknown()).optional(), ...every })
    .strict(),
])

/** Which tool names (or other matcher input) the group is for; absent: all. `regex` is unanchored and case-sensitive. */
export const matcherShape = z.union([z.object({ names: z.array(z.string()) }).strict(), z.object({ regex: z.string() }).strict()])

export const hookGroupShape = z
  .object({ matcher: matcherShape.optional(), handlers: z.array(handlerShape), origin: placeShape.optional() })
  .strict()

export const hooksShape = z.record(z.enum(HOOK_EVENTS), z.array(hookGroupShape))

export type HookHandler = z.infer<typeof handlerShape>
export type HookMatcher = z.infer<typeof matcherShape>
export type HookGroup = z.infer<typeof hookGroupShape>
export type Hooks = z.infer<typeof hooksShape>
