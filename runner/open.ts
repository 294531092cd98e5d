import { type Clock, type Ids, liveClock, liveIds } from './clock.ts'
import type { Start } from './context.ts'
import { lookAround } from './environment.ts'
import type { RunEvent, RunResult } from './events.ts'
import { runAgent, type Seams } from './loop.ts'
import { liveModel, type LiveOptions } from './model/live.ts'
import { recorder } from './model/recording.ts'
import { openRecording } from './model/replay.ts'
import { retrying } from './model/retry.ts'
import { decide } from './permission.ts'
import { builtInTools } from './tools/registry.ts'
import { openWorkspace } from './workspace.ts'

export interface RunOptions {
  start: Start
  cwd: string
  home?: string | undefined
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  api: LiveOptions
  /** Gets the lines of a recording, each as it is made. */
  record?: ((line: string) => void) | undefined
  /** The text of a recording: the run is answered from it and nothing is sent. */
  replay?: string | undefined
  clock?: Clock
  ids?: Ids
}

export interface OpenRun {
  events: AsyncGenerator<RunEvent, RunResult>
  /** Recorded turns that the run has not asked for; 0 without a replay. */
  rest(): number
}

/** What processes of tools get to see. */
function withoutCredentials(env: RunOptions['env']): RunOptions['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('ANTHROPIC_')))
}

/** Puts the seams of a run together: live, live and recorded, or replayed. */
export async function openRun(options: RunOptions): Promise<OpenRun> {
  const workspace = await openWorkspace(options.cwd, options.home, options.env.CLAUDE_CONFIG_DIR || undefined)
  const fixed = { tools: builtInTools, decide, env: withoutCredentials(options.env), signal: options.signal }
  if (options.replay !== undefined) {
    const { rest, ...replay } = openRecording(options.replay)
    const seams: Seams = { ...fixed, ...replay, workspace: { ...workspace, told: replay.environment.cwd } }
    return { events: runAgent(options.start, seams), rest }
  }
  const clock = options.clock ?? liveClock
  const live = { clock, ids: options.ids ?? liveIds, model: retrying(liveModel(options.api), clock) }
  const environment = await lookAround(workspace)
  const secrets = [options.api.apiKey, options.api.authToken].filter((secret) => secret !== undefined)
  const seen = options.record ? recorder(live, environment, options.record, secrets) : live
  return { events: runAgent(options.start, { ...fixed, ...seen, environment, workspace }), rest: () => 0 }
}
