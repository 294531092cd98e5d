import { createFold, type Fold } from './fold.ts'
import { count, oneLine, subject } from './shown.ts'
import { createTally } from './tally.ts'

/** A line of the steps, and whether it is of one that went wrong. */
export interface StepLine {
  text: string
  bad: boolean
  /** The agent that is named in it. */
  agent?: string
}

/** What an agent that a call has started is called, and what it has used. */
export interface AgentAtWork {
  type: string
  description: string
}

/** The calls between two texts of the model, as a person follows them: the last few steps, and of the earlier ones what they came to. */
export interface Steps {
  started(id: string, name: string, input: unknown): void
  ended(id: string, outcome: 'done' | 'failed' | 'denied'): void
  /** An agent that the call has started. */
  agent(id: string, agent: AgentAtWork): void
  agentUsed(id: string, uses: number, tokens: number): void
  /** One line for each of the last steps, `most` at most, and one for all before them. */
  lines(most: number): readonly StepLine[]
}

/** Neighbouring calls that only look are one step; any other call is one by itself. */
interface Step {
  calls: { id: string; name: string; input: unknown; outcome?: 'done' | 'failed' | 'denied' }[]
  fold?: Fold
  agent?: AgentAtWork & { used: string }
}

export function createSteps(): Steps {
  const steps: Step[] = []
  const stepOf = (id: string): Step | undefined => steps.findLast(({ calls }) => calls.some((call) => call.id === id))
  return {
    started(id, name, input) {
      const fold = steps.at(-1)?.fold ?? createFold()
      const looks = fold.take(name, input)
      const call = { id, name, input }
      if (looks && steps.at(-1)?.fold) steps.at(-1)!.calls.push(call)
      else steps.push({ calls: [call], ...(looks && { fold }) })
    },
    ended(id, outcome) {
      const step = stepOf(id)
      const call = step?.calls.find((each) => each.id === id)
      if (call) call.outcome = outcome
    },
    agent(id, agent) {
      const step = stepOf(id)
      if (step) step.agent = { ...agent, used: '' }
    },
    agentUsed(id, uses, tokens) {
      const agent = stepOf(id)?.agent
      if (agent) agent.used = ` (${count(uses, 'call')}, ${count(tokens, 'token')})`
    },
    lines(most) {
      const whole = steps.length <= most + 1
      const earlier = whole ? [] : steps.slice(0, -most)
      const last = whole ? steps : steps.slice(-most)
      return [...(earlier.length > 0 ? [{ text: summary(earlier), bad: false }] : []), ...last.map(lineOf)]
    },
  }
}

function lineOf({ calls, fold, agent }: Step): StepLine {
  const bad = calls.every(({ outcome }) => outcome === 'failed' || outcome === 'denied')
  if (fold && calls.length > 1) return { text: `${fold.line()}${wrongOf(calls)}`, bad }
  const { name, input, outcome } = calls[0]!
  const what = agent ? `${oneLine(agent.type)}: ${oneLine(agent.description)}${agent.used}` : `${name} ${subject(input)}`.trimEnd()
  return { text: bad ? `${outcome}: ${what}` : what, bad, ...(agent && { agent: oneLine(agent.type) }) }
}

/** `… before (1 failed): read 2 files, ran 3 commands`. */
function summary(steps: readonly Step[]): string {
  const tally = createTally()
  const calls = steps.flatMap((step) => step.calls)
  for (const { name, input } of calls) tally.take(name, input)
  return `… before${wrongOf(calls)}: ${tally.phrase()}`
}

function wrongOf(calls: Step['calls']): string {
  const parts = (['failed', 'denied'] as const).flatMap((wanted) => {
    const number = calls.filter(({ outcome }) => outcome === wanted).length
    return number > 0 ? [`${number} ${wanted}`] : []
  })
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}
