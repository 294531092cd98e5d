import type { RunResult } from '../events.ts'

/** The result as programs get it: these members in this order, in `--format json` and as the last line of `stream-json`. */
export function resultObject(result: RunResult) {
  const { type, subtype, is_error, terminal_reason, stop_reason, num_turns, duration_ms, usage, modelUsage, total_cost_usd } = result
  const { permission_denials, denied, errors, session_id, run_id, run_folder, stray_processes } = result
  return {
    type,
    subtype,
    is_error,
    terminal_reason,
    stop_reason,
    result: result.result,
    ...(result.structured_output === undefined ? {} : { structured_output: result.structured_output }),
    num_turns,
    duration_ms,
    usage,
    modelUsage,
    total_cost_usd,
    permission_denials,
    denied,
    errors,
    session_id,
    ...(run_id === undefined ? {} : { run_id, run_folder }),
    stray_processes,
    ...(result.subagent_stats && { subagent_stats: result.subagent_stats }),
  }
}
