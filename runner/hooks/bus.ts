import type { HookGroup, HookHandler, Hooks } from '../../schemas/shapes/hook.ts'
import type { HandOver } from '../events.ts'
import type { Say } from '../notice-queue.ts'
import { type Answer, refused } from './answer.ts'
import { answered, type HandlerOptions } from './handler.ts'
import { checkHandOver, split } from './hand-over.ts'
import { merge, NOTHING, type Outcome } from './merge.ts'
import { type FiredEvent, type HandingOver, hookInput, matcherInput, type Moment, type Occasion, type Subject } from './occasion.ts'
import { nameOf, pick, type Picked } from './pick.ts'

export interface BusOptions extends HandlerOptions {
  /** The hooks of the settings that count: those of a project that is not trusted are not among them. */
  settings: Hooks
  say: Say
}

/** The hooks of one agent: those of the settings, then its own, which live exactly as long as it, then those of the moment. */
export interface HookBus {
  /** Tells the hooks of an event, and gives what they come to together. It never rejects. */
  fire(occasion: Occasion, moment: Moment): Promise<Outcome>
  /** Lets hooks judge a result before it is handed over; `undefined` if there is none that does. It never rejects.
   * `unable`: why no model can be asked. */
  check(handing: HandingOver, moment: Moment, unable?: () => string | undefined): Promise<HandOver | undefined>
}

export const NO_HOOKS: HookBus = {
  fire: () => Promise.resolve(NOTHING),
  check: () => Promise.resolve(undefined),
}

/**
 * The hooks that an agent is watched by. `Stop` in the file of a sub-agent is its SubagentStop (measured.md). All handlers of an event run
 * at the same time, but those that ask a model, one after another, so that a recorded run asks in the same order.
 */
export function hookBus(own: Hooks, subject: Subject, options: BusOptions): HookBus {
  const all = (event: FiredEvent, { hooks = [] }: Moment): readonly HookGroup[] => [
    ...(options.settings[event] ?? []),
    ...[own, ...hooks].flatMap((each) => ownGroups(each, event, subject)),
  ]
  const done = new Set<string>()
  return {
    check: (handing, moment, unable) => checkHandOver(all('SubagentStop', moment), handing, subject, moment, { ...options, unable }),
    async fire(occasion, moment) {
      const picked = pick(split(all(occasion.event, moment), false), matcherInput(occasion, subject), moment, done)
      if (picked.length === 0) return NOTHING
      const input = hookInput(occasion, subject, moment)
      let before: Promise<unknown> = Promise.resolve()
      const answers = picked.map((item) => {
        done.add(item.key)
        const run = (): Promise<Answer> => answered(item, occasion.event, input, moment.signal, options)
        if (isAsync(item.handler)) return unwaited(run(), item, occasion.event, options)
        if (item.handler.type !== 'prompt' && item.handler.type !== 'agent') return run()
        const turn = before.then(run)
        before = turn
        return turn
      })
      const settled = await Promise.all(answers)
      return merge(settled.map((answer, at) => told(answer, picked[at]!, occasion.event, options.say)))
    },
  }
}

function ownGroups(own: Hooks, event: FiredEvent, { agentId }: Subject): readonly HookGroup[] {
  if (agentId === undefined || (event !== 'Stop' && event !== 'SubagentStop')) return own[event] ?? []
  return event === 'Stop' ? [] : [...(own.SubagentStop ?? []), ...(own.Stop ?? [])]
}

function isAsync(handler: HookHandler): boolean {
  return handler.type === 'command' && (handler.async === true || handler.asyncRewake === true)
}

/** A handler that is not waited for decides nothing; that it failed is said, and that it cannot wake a run that has gone on. */
function unwaited(answer: Promise<Answer>, item: Picked, event: FiredEvent, { say }: BusOptions): Promise<Answer> {
  const { handler } = item
  const name = nameOf(handler)
  if (handler.type === 'command' && handler.asyncRewake)
    say('hook-async', `the ${event} hook ${name} runs beside the agent and cannot wake it (asyncRewake)`)
  void answer.then(({ failure }) => failure !== undefined && say('hook-failed', `the ${event} hook ${name} failed: ${failure}`))
  return Promise.resolve({})
}

/** Says what a person should know of an answer, puts the hook's name to what it refuses, and makes a failure a refusal if it is to be one. */
function told(answer: Answer, { handler }: Picked, event: FiredEvent, say: Say): Answer {
  const name = nameOf(handler)
  if (answer.message !== undefined) say('hook-message', answer.message)
  if (answer.unheard) say('hook-unheard', `the ${event} hook ${name} says ${answer.unheard.join(' and ')}, which changes nothing here`)
  const named = {
    ...answer,
    ...(answer.decision === 'deny' && { reason: `the ${event} hook [${name}] refuses it: ${answer.reason ?? 'it gave no reason'}` }),
  }
  if (answer.failure === undefined) return named
  // Whoever makes worktrees in place of git and cannot must not be passed over (claude-code-agents.md 7.2).
  const blocks = handler.onFailure === 'block' || event === 'WorktreeCreate'
  say('hook-failed', `the ${event} hook ${name} failed: ${answer.failure}${blocks ? ', which blocks' : ''}`)
  return blocks ? { ...named, ...refused(event, `the ${event} hook [${name}] failed: ${answer.failure}`) } : named
}
