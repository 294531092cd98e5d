import { resolve } from 'node:path'
import { ManifestFault } from '../../schemas/manifest.ts'
import { EXIT } from '../exit-codes.ts'
import { timelineText } from '../timeline/text.ts'
import { timelineOf } from '../timeline/timeline.ts'
import { DamagedTranscript, readTranscript } from '../transcript/read.ts'
import { keptRun, Trouble } from './kept.ts'
import type { RunIo } from './run.ts'

/** `agentc runs show RUN`: what happened in a run, in its order, from its transcript alone. */
export function showRun(
  run: string,
  how: { project: string | undefined; format: string },
  io: Pick<RunIo, 'stdout' | 'stderr' | 'cwd'>,
): number {
  try {
    const { id, transcript, manifest } = keptRun(resolve(io.cwd, how.project ?? '.'), io.cwd, run)
    const { start, lines } = readTranscript(transcript)
    const steps = timelineOf(lines, manifest.agents.get(start.agent)?.cacheTtl ?? '5m')
    const columns = io.stdout.isTTY === true ? (io.stdout.columns ?? 80) : 400
    io.stdout.write(
      how.format === 'json' ? `${JSON.stringify({ run: id, agent: start.agent, steps })}\n` : timelineText(id, start.agent, steps, columns),
    )
    return EXIT.completed
  } catch (error) {
    if (!(error instanceof Trouble || error instanceof ManifestFault || error instanceof DamagedTranscript)) throw error
    io.stderr.write(`agentc: ${error.message}\n`)
    return EXIT.error
  }
}
