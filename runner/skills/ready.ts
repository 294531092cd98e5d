import type { Workspace } from '../workspace.ts'
import type { NamedSkill } from './catalogue.ts'
import type { FetchSkill } from './far.ts'
import { skillPlace } from './folder.ts'
import type { FramedSkill } from './frame.ts'
import { type Answered, skillText } from './text.ts'

export interface ReadySeams {
  workspace: Workspace
  /** The id of the whole run. */
  session: string
  signal: AbortSignal
  /** Runs a command of a skill, as a call of Bash under the rights of the agent and the rules of the skill. */
  shell(command: string, skill: NamedSkill): Promise<Answered>
  /** Without it skills that are kept elsewhere are refused. */
  fetchSkill?: FetchSkill | undefined
}

/** The text of a skill as it is put into the conversation, or why there is none, as a clause. */
export async function readySkill(found: NamedSkill, args: string, seams: ReadySeams): Promise<FramedSkill | { refused: string }> {
  const { name, skill, far } = found
  const { workspace, session, signal, fetchSkill } = seams
  if (far) {
    const got = (await fetchSkill?.(far, signal)) ?? { refused: 'it is kept elsewhere, and nothing is fetched here' }
    if ('refused' in got) return got
    // Commands in a text that nobody has looked at here are text.
    const text = await skillText({ ...skill, content: got.text }, { args, skillDir: undefined, sessionId: session }, undefined)
    if ('refused' in text) return text
    // The words of a server cannot close the frame around them.
    return { name, text: far.kind === 'mcp' ? text.text.replace(/<(?=\/?skill\b)/gi, '&lt;') : text.text }
  }
  const { lacks, ...place } = await skillPlace(skill, workspace)
  if (lacks !== undefined) return { refused: lacks }
  const text = await skillText(skill, { args, skillDir: place.folder, sessionId: session }, (command) => seams.shell(command, found))
  return 'refused' in text ? text : { name, text: text.text, ...place }
}
