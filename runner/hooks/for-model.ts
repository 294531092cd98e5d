import { isAbsolute, join, relative } from 'node:path'
import { PATHS } from './occasion.ts'
import { isInside } from '../workspace.ts'
import type { Judges } from './verdict.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * What a model is told of an event. Paths of this machine mean nothing to it, and a recorded question that held them, or how long a call took
 * this time, could be answered in one folder only and once.
 */
export function forModel(input: Json, { told, took = (ms) => ms }: Pick<Judges, 'told' | 'took'>): Json {
  const { transcript_path: _, agent_transcript_path: _side, cwd, ...rest } = input
  const { duration_ms, tool_calls } = rest
  const call = (each: Json): Json => asTold(each, String(cwd), told)
  return {
    ...call(rest),
    ...(Array.isArray(tool_calls) && { tool_calls: (tool_calls as Json[]).map(call) }),
    ...(typeof duration_ms === 'number' && { duration_ms: took(duration_ms) }),
  }
}

/** A call with its files below the working directory as the agent knows that. */
function asTold(call: Json, cwd: string, told: string): Json {
  const input = call.tool_input as Json | undefined
  const paths = PATHS.flatMap((key) => {
    const path = input?.[key]
    const below = typeof path === 'string' && isAbsolute(path) && isInside(cwd, path)
    return below ? [[key, join(told, relative(cwd, path))]] : []
  })
  return paths.length === 0 ? call : { ...call, tool_input: { ...input, ...Object.fromEntries(paths) } }
}
