import { writeTarget } from './target.ts'
import { fine, isOutput } from './tool.ts'
import { writingTool } from './writing.ts'

/**
 * Writes a whole file, with the folders on its way. A file that is there must have been read: what the agent does not know
 * it cannot mean to throw away. The content is written as it is given, in UTF-8.
 */
export const writeTool = writingTool(
  (input) => input.file_path as string,
  async (input, context) => {
    const target = await writeTarget(input.file_path as string, context)
    if (isOutput(target)) return target
    const after = Buffer.from(input.content as string, 'utf8')
    if (target.now?.bytes.equals(after)) return fine(`${target.place.shown} holds exactly this already: nothing was written.`)
    return { target, after }
  },
)
