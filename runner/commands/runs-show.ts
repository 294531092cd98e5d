import { EXIT } from '../exit-codes.ts'
import { timelineText } from '../timeline/text.ts'
import { treeOf } from '../timeline/tree.ts'
import { readTranscript } from '../transcript/read.ts'
import { lookAt, sideTranscripts } from './kept.ts'
import type { RunIo } from './run.ts'

/** `agentc runs show RUN`: what happened in a run, in its order, from its transcripts alone. */
export function showRun(
  run: string,
  how: { project: string | undefined; format: string },
  io: Pick<RunIo, 'stdout' | 'stderr' | 'cwd'>,
): number {
  return lookAt(run, how.project, io, (kept) => {
    const { id, transcript, manifest } = kept
    const tree = treeOf(readTranscript(transcript), sideTranscripts(kept).map(readTranscript), manifest)
    const columns = io.stdout.isTTY === true ? (io.stdout.columns ?? 80) : 400
    io.stdout.write(
      how.format === 'json'
        ? `${JSON.stringify({ run: id, agent: tree.agent, steps: tree.steps, started: tree.started })}\n`
        : timelineText(id, tree, columns),
    )
    return EXIT.completed
  })
}
