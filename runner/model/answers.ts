import { hashOf } from '../../schemas/canonical.ts'
import type { Answered, Ask, Asked } from '../permission/decide.ts'
import type { Answer, AskPerson, Question } from '../tools/tool.ts'

/** Who answers what a run asks of people. */
export interface Asks {
  ask: Ask
  askPerson: AskPerson
}

/** An answer of a person in a recording, by the hash of what was asked: agents work side by side, so the order says nothing. */
export interface AnswerLine {
  kind: 'answer'
  to: string
  answer: Answered | Answer
}

/** Writes the person's answers down. */
export function recordedAsks({ ask, askPerson }: Asks, put: (line: AnswerLine) => void): Asks {
  const kept = <A extends Answered | Answer>(to: string, answer: A): A => {
    put({ kind: 'answer', to, answer })
    return answer
  }
  return {
    ask: async (asked, ...rest) => kept(callHash(asked), await ask(asked, ...rest)),
    askPerson: async (question, signal) => kept(questionHash(question), await askPerson(question, signal)),
  }
}

/** Answers as the person did, each time one was asked the same; of anything else `otherwise` is asked. */
export function replayedAsks(lines: readonly AnswerLine[], otherwise: Asks): Asks {
  const left = new Map<string, AnswerLine['answer'][]>()
  for (const { to, answer } of lines) left.set(to, [...(left.get(to) ?? []), answer])
  return {
    ask: (asked, ...rest) => {
      const answer = left.get(callHash(asked))?.shift() as Answered | undefined
      return answer ? Promise.resolve(answer) : otherwise.ask(asked, ...rest)
    },
    askPerson: (question, signal) => {
      const answer = left.get(questionHash(question))?.shift() as Answer | undefined
      return answer ? Promise.resolve(answer) : otherwise.askPerson(question, signal)
    },
  }
}

function callHash({ tool, input }: Asked): string {
  return hashOf({ tool, input })
}

function questionHash({ text, options = [] }: Question): string {
  return hashOf({ text, options })
}
