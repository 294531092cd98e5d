import type { Say } from '../notice-queue.ts'
import type { HookBus } from './bus.ts'
import type { Moment } from './occasion.ts'

/** Hooks may keep an agent from stopping so many times in a row (claude-code-agents.md 7.6). */
const MOST = 8

/** What becomes of an agent that wants to stop: it goes on with a text, or it stops. */
export type StopAnswer = { goOn: string } | { stop: true }

export interface StopGate {
  /** Asks the hooks whether the agent may stop with these last words. */
  ask(lastMessage: string, moment: Moment): Promise<StopAnswer>
}

/**
 * Stop of the main agent; SubagentStop of any other, which has a transcript of its own. After hooks have kept the agent at work once,
 * `stop_hook_active` is true, so that they can tell.
 */
export function stopGate(bus: HookBus, say: Say, agentTranscript?: string): StopGate {
  let blocks = 0
  return {
    async ask(last_assistant_message, moment) {
      const event = agentTranscript === undefined ? 'Stop' : 'SubagentStop'
      const stop_hook_active = blocks > 0
      const rest = { last_assistant_message, background_tasks: [], session_crons: [] }
      const heard = await bus.fire(
        agentTranscript === undefined
          ? { event: 'Stop', stop_hook_active, ...rest }
          : { event: 'SubagentStop', stop_hook_active, agent_transcript_path: agentTranscript, ...rest },
        moment,
      )
      if (heard.stop !== undefined || heard.block === undefined) {
        blocks = 0
        return { stop: true }
      }
      blocks += 1
      if (blocks <= MOST) return { goOn: [`A ${event} hook wants you to go on: ${heard.block}`, ...heard.context].join('\n\n') }
      say('hook-stop', `the ${event} hooks kept the agent from stopping ${MOST} times in a row, and are not heard any more`)
      return { stop: true }
    },
  }
}
