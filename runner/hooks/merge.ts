import type { Answer } from './answer.ts'

/** What all hooks of an event come to together. */
export interface Outcome {
  decision?: 'allow' | 'ask' | 'deny'
  reason?: string
  updatedInput?: Readonly<Record<string, unknown>>
  /** What the model gets in place of the output of a call. */
  output?: string
  /** Texts for the model, in the order of the hooks. */
  context: readonly string[]
  block?: string
  stop?: string
  /** The worktree that a hook has made. */
  worktree?: string
}

export const NOTHING: Outcome = { context: [] }

const STRENGTH = ['allow', 'ask', 'deny'] as const

/**
 * Hooks run at the same time; what they say is put together in the order in which they are written, so that the result never depends on
 * which was the fastest. The strongest decision wins (deny, ask, allow), with the reason of the first that made it; of inputs the last one
 * counts, because it is written nearest to the agent; a refused call has none.
 */
export function merge(answers: readonly Answer[]): Outcome {
  const decision = STRENGTH.findLast((each) => answers.some((answer) => answer.decision === each))
  const reason = answers.find((answer) => decision !== undefined && answer.decision === decision && answer.reason !== undefined)?.reason
  const updatedInput = decision === 'deny' ? undefined : answers.findLast((answer) => answer.updatedInput)?.updatedInput
  const output = answers.findLast((answer) => answer.output !== undefined)?.output
  const blocks = answers.flatMap(({ block }) => block ?? [])
  const worktree = answers.findLast((answer) => answer.worktree !== undefined)?.worktree
  const stop = answers.find((answer) => answer.stop !== undefined)?.stop
  return {
    ...(decision && { decision }),
    ...(reason !== undefined && { reason }),
    ...(updatedInput && { updatedInput }),
    ...(output !== undefined && { output }),
    context: answers.flatMap(({ context }) => context ?? []),
    ...(blocks.length > 0 && { block: blocks.join('\n') }),
    ...(stop !== undefined && { stop }),
    ...(worktree !== undefined && { worktree }),
  }
}
