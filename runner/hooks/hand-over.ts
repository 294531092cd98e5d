import type { HookGroup, HookHandler } from '../../schemas/shapes/hook.ts'
import type { HandOver } from '../events.ts'
import { answered, type HandlerOptions } from './handler.ts'
import type { Say } from '../notice-queue.ts'
import { type HandingOver, hookInput, matcherInput, type Moment, type Subject } from './occasion.ts'
import { nameOf, pick, type Picked } from './pick.ts'

/** Whether a hook judges results that are handed over, and so does not keep an agent at work. */
export function isHandOver(handler: HookHandler): boolean {
  return 'handover' in handler && handler.handover === true
}

/** The groups with those of their handlers that check hand-overs, or with all others. */
export function split(groups: readonly HookGroup[], handOver: boolean): readonly HookGroup[] {
  return groups
    .map((group) => ({ ...group, handlers: group.handlers.filter((handler) => isHandOver(handler) === handOver) }))
    .filter(({ handlers }) => handlers.length > 0)
}

interface CheckOptions extends HandlerOptions {
  say: Say
  /** Why no model can be asked. */
  unable?: (() => string | undefined) | undefined
}

/** Lets every check judge, one after another. One that fails is said, and counts as not passed unless it says otherwise itself. */
export async function checkHandOver(
  groups: readonly HookGroup[],
  handing: HandingOver,
  subject: Subject,
  moment: Moment,
  options: CheckOptions,
): Promise<HandOver | undefined> {
  const picked = pick(split(groups, true), matcherInput(handing, subject), moment, new Set())
  if (picked.length === 0) return undefined
  const unable = options.unable?.()
  if (unable !== undefined) return { verdict: 'unchecked', reason: unable }
  const input = hookInput(handing, subject, moment)
  const found: HandOver[] = []
  for (const item of picked) found.push(await judged(item, input, moment.signal, options))
  return together(found)
}

async function judged(item: Picked, input: Record<string, unknown>, signal: AbortSignal, options: CheckOptions): Promise<HandOver> {
  const { block, failure } = await answered(item, 'SubagentStop', input, signal, options)
  const name = nameOf(item.handler)
  if (failure === undefined) return block === undefined ? { verdict: 'passed' } : { verdict: 'rejected', reason: block }
  options.say('hook-failed', `the hand-over hook ${name} failed: ${failure}`)
  const reason = `the check [${name}] failed: ${failure}`
  return { verdict: item.handler.onFailure === 'continue' ? 'passed' : 'unchecked', reason }
}

const WEIGHT = { passed: 0, unchecked: 1, rejected: 2 } as const

function together(found: readonly HandOver[]): HandOver {
  const verdict = found.map((each) => each.verdict).reduce((a, b) => (WEIGHT[b] > WEIGHT[a] ? b : a))
  const reasons = found.flatMap(({ reason }) => reason ?? [])
  return reasons.length === 0 ? { verdict } : { verdict, reason: reasons.join('; ') }
}
