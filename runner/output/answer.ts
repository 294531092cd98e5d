import { answer, type RunContext, withPrompt } from '../context.ts'
import type { Ending } from '../ending.ts'
import { schemaFault } from '../tools/input.ts'
import { jsonIn } from './json-answer.ts'

/** How often a model is asked again for an answer that does not fit. */
export const MOST_REPAIRS = 2

type Schema = Readonly<Record<string, unknown>>

/** The end of a run that is to give a JSON value: with the value, or with what the model is to be told to mend. */
export async function structuredEnd(context: RunContext, schema: Schema): Promise<Ending | { repair: string }> {
  const found = jsonIn(answer(context))
  const fault = 'fault' in found ? found.fault : await schemaFault(schema, found.value)
  if ('value' in found && fault === undefined) return { reason: 'completed', structured: { value: found.value } }
  if ((context.repairs ?? 0) < MOST_REPAIRS && context.turns < context.maxTurns) {
    return { repair: `Your answer is not the JSON value that was asked for: ${fault}. Answer again with that value alone.` }
  }
  return {
    reason: 'structured_output',
    errors: [`the answer does not fit the schema, and was asked for again ${context.repairs ?? 0} times: ${fault}`],
  }
}

/** The run with the model asked once more. */
export function withRepair(context: RunContext, repair: string): RunContext {
  return { ...withPrompt(context, repair), repairs: (context.repairs ?? 0) + 1 }
}
