import type { OpenManifest } from '../../schemas/manifest.ts'
import type { ReadTranscript } from '../transcript/read.ts'
import { type Step, timelineOf } from './timeline.ts'

/** What one agent of a run did, and the agents that it has started. */
export interface AgentRun {
  id: string
  agent: string
  /** The call that has started it. */
  by?: string
  background: boolean
  steps: Step[]
  started: AgentRun[]
}

const MAIN = 'main'

/**
 * The tree of a run, from the transcripts of its agents. All times count from the run's start. One that was started before transcripts
 * told by whom stands nowhere; the order of those that one call has started is that of their ids.
 */
export function treeOf(main: ReadTranscript, sides: readonly ReadTranscript[], { agents }: OpenManifest): AgentRun {
  const began = main.start.at
  const runOf = (id: string, { start, lines }: ReadTranscript): AgentRun => ({
    id,
    agent: start.agent,
    ...(start.options.startedBy && { by: start.options.startedBy.call }),
    background: start.options.role === 'background',
    steps: timelineOf(lines, agents.get(start.agent)?.cacheTtl ?? '5m', began),
    started: sides
      .filter((side) => side.start.options.startedBy?.agent === id)
      .map((side) => runOf(side.start.session_id, side))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  })
  return runOf(MAIN, main)
}
