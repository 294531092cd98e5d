import { resolve } from 'node:path'
import { ManifestFault } from '../../schemas/manifest.ts'
import { EXIT } from '../exit-codes.ts'
import { timelineText } from '../timeline/text.ts'
import { treeOf } from '../timeline/tree.ts'
import { DamagedTranscript, readTranscript } from '../transcript/read.ts'
import { keptRun, sideTranscripts, Trouble } from './kept.ts'
import type { RunIo } from './run.ts'

/** `agentc runs show RUN`: what happened in a run, in its order, from its transcripts alone. */
export function showRun(
  run: string,
  how: { project: string | undefined; format: string },
  io: Pick<RunIo, 'stdout' | 'stderr' | 'cwd'>,
): number {
  try {
    const kept = keptRun(resolve(io.cwd, how.project ?? '.'), io.cwd, run)
    const { id, transcript, manifest } = kept
    const tree = treeOf(readTranscript(transcript), sideTranscripts(kept).map(readTranscript), manifest)
    const columns = io.stdout.isTTY === true ? (io.stdout.columns ?? 80) : 400
    io.stdout.write(
      how.format === 'json'
        ? `${JSON.stringify({ run: id, agent: tree.agent, steps: tree.steps, started: tree.started })}\n`
        : timelineText(id, tree, columns),
    )
    return EXIT.completed
  } catch (error) {
    if (!(error instanceof Trouble || error instanceof ManifestFault || error instanceof DamagedTranscript)) throw error
    io.stderr.write(`agentc: ${error.message}\n`)
    return EXIT.error
  }
}
