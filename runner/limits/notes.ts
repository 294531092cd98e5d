import type { RunContext } from '../context.ts'
import { type ToolUseBlock, toolResult } from '../message.ts'
import type { ToolOutput } from '../tools/tool.ts'
import { noteOf, seen } from './repeats.ts'

/** Takes the results of one reply in their order, and adds to a result what the model is to be told of the circle that its call closes. */
export function repeatNotes({ recent = [], header }: RunContext): (call: ToolUseBlock, past: boolean, output: ToolOutput) => ToolOutput {
  let calls = recent
  return (call, past, output) => {
    const traits = Object.hasOwn(header.tools, call.name) ? header.tools[call.name]!.traits : undefined
    if (traits?.polling) return output
    calls = seen(calls, call, toolResult(call.id, output.text, output.isError), traits?.readOnly === true)
    // What a transcript tells of a call has its note already.
    return past ? output : { ...output, text: `${output.text}${noteOf(calls)}` }
  }
}
