import { lstat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import { MEMORY_FILE, tooLong } from '../memory/notes.ts'
import { slashed } from '../workspace.ts'
import { describeChange } from './change.ts'
import { save } from './save.ts'
import type { Target } from './target.ts'
import { failed, fine, isOutput, type Tool, type ToolContext, type ToolInput, type ToolOutput } from './tool.ts'

/** What a call will make of a file: its whole new content. */
export interface Planned {
  target: Target
  after: Buffer
}

type Plan = (input: ToolInput, context: ToolContext) => Promise<Planned | ToolOutput>

/** A tool that writes one file. The plan says what will be written or why not, and changes nothing; it is made for the effects and for the run. */
export function writingTool(path: (input: ToolInput) => string, plan: Plan): Tool {
  return {
    paths: (input) => [path(input)],
    async effects(input, context) {
      const planned = await plan(input, context)
      if (isOutput(planned)) return []
      const { target, after } = planned
      const file = slashed(relative(context.workspace.cwd, target.place.real))
      return [{ path: file, before: target.now ? sha256(target.now.bytes) : null, after: sha256(after) }]
    },
    async run(input, context) {
      const planned = await plan(input, context)
      if (isOutput(planned)) return planned
      return context.signal.aborted ? failed('The run was interrupted; nothing was written.') : written(planned, context)
    },
  }
}

/** Where the notes are that the agent is shown at the start of a run. */
function memoryFile({ memory }: ToolContext['workspace']): string | undefined {
  return memory && join(memory.folder, MEMORY_FILE)
}

async function written({ target, after }: Planned, context: ToolContext): Promise<ToolOutput> {
  const { real, shown } = target.place
  try {
    const reason = await save(target, after)
    if (reason) return failed(`${shown} was not written: ${reason}. Read it again.`)
  } catch (error) {
    return failed(`${shown} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}); it is as it was.`)
  }
  context.state.files.note(real, await lstat(real, { bigint: true }), sha256(after))
  const change = await describeChange(shown, target.now?.bytes, after)
  const over = real === memoryFile(context.workspace) ? tooLong(after) : undefined
  if (over === undefined) return fine(change)
  return failed(`${change}\n\nIt was written, but it is too long to be shown to you whole at the start of a run: ${over}. Shorten it.`)
}
