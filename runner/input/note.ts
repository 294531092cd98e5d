import { appendFile, mkdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { folderName } from '../../schemas/folder-name.ts'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import { locate } from '../workspace.ts'

export interface NotePlaces {
  /** The root of the project. */
  root: string
  home: string | undefined
  config: string | undefined
}

const FOLDERS = { user: 'agent-memory', project: '.claude/agent-memory', local: '.claude/agent-memory-local' } as const

/** Writes a note of a person into the memory of an agent, as a line of its own at the end of MEMORY.md. Gives where it is, or why not. */
export async function takeNote(
  text: string,
  name: string,
  agent: Pick<ManifestAgent, 'memory'>,
  { root, home, config }: NotePlaces,
): Promise<{ path: string } | { refused: string }> {
  if (agent.memory === undefined) {
    return { refused: `${name} has no memory to note this in: give it \`memory: user\`, \`project\` or \`local\`.` }
  }
  const base = agent.memory === 'user' ? (config ?? (home === undefined ? undefined : join(home, '.claude'))) : root
  if (base === undefined) return { refused: `The memory of ${name} is in the home folder, and there is none.` }
  const folder = join(base, FOLDERS[agent.memory], folderName(name))
  const path = join(folder, 'MEMORY.md')
  try {
    await mkdir(base, { recursive: true })
    const real = await realpath(base)
    // A link in the way must not take the note to another place.
    const place = await locate({ root: real, cwd: real, told: base }, path)
    if (place.kind !== 'there' && place.kind !== 'missing') return { refused: `The memory of ${name} leads outside ${base}.` }
    await mkdir(dirname(place.real), { recursive: true })
    await appendFile(path, `- ${text.replace(/\s*\n\s*/g, ' ')}\n`)
    return { path }
  } catch (error) {
    return { refused: `The note cannot be written (${(error as NodeJS.ErrnoException).code}).` }
  }
}
