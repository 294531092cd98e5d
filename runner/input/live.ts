import { dirname, join, relative } from 'node:path'
import { begin } from '../endings.ts'
import type { Clock, Ids } from '../clock.ts'
import type { Start } from '../context.ts'
import type { Environment } from '../environment.ts'
import { execute, type ExecuteSeams } from '../execute.ts'
import { resultText } from '../message.ts'
import { NOTHING_KNOWN } from '../open-reply.ts'
import { NO_TRANSCRIPT } from '../transcript/transcript.ts'
import { slashed, type Workspace } from '../workspace.ts'
import type { Answered, InputSeams, Resolved } from './resolve.ts'
import { resolveInput } from './resolve.ts'
import type { PromptFile } from './route.ts'

interface LiveSeams extends ExecuteSeams {
  clock: Clock
  ids: Ids
  environment: Environment
  /** Whether the project's own files may run commands. */
  trusted?: boolean | undefined
}

/** Why an input cannot be used, for a person: wrong usage. */
export class InputRefused extends Error {
  override name = 'InputRefused'
}

export interface ReadyInput {
  start: Start
  notices: readonly string[]
}

/**
 * The start of a run with its inputs resolved: the agent's `initialPrompt` first, then the prompt. It happens before the run has a transcript,
 * so that what the commands and files gave is a part of the prompt there, and a resumed run does not ask them again.
 */
export async function withInputs(start: Start, seams: LiveSeams, which: 'all' | 'prompt' = 'all'): Promise<ReadyInput> {
  const outside = inputSeams(start, seams)
  const notices: string[] = []
  const skills = [...(start.skills ?? [])]
  const resolved = async (text: string): Promise<string> => {
    if (!mayBeSpecial(text)) return text
    const result: Resolved = await resolveInput(text, start.header, outside)
    if ('refused' in result) throw new InputRefused(result.refused)
    // A note is taken before a run is begun; where none can be, it is text.
    if ('note' in result) return text
    notices.push(...result.notices)
    if (result.skill) skills.push(result.skill)
    return result.prompt
  }
  const initialPrompt = which === 'all' ? start.agent.initialPrompt : undefined
  const first = initialPrompt === undefined ? undefined : await resolved(initialPrompt)
  const prompt = await resolved(start.prompt)
  const more = { ...(first !== initialPrompt && { initialPrompt: first }), ...(skills.length > 0 && { skills }) }
  return { start: prompt === start.prompt && Object.keys(more).length === 0 ? start : { ...start, prompt, ...more }, notices }
}

/** Most prompts are nothing but text, and need nothing to be opened. */
function mayBeSpecial(text: string): boolean {
  return /^\s*[/!#]|@/.test(text)
}

function inputSeams(start: Start, seams: LiveSeams): InputSeams {
  return {
    sessionId: seams.ids.session(),
    skillDir: (skill) => skillDir(skill, seams.workspace),
    read: (path) => called('Read', { file_path: path }, start, seams),
    shell: async (command, skill) => {
      if (skill && seams.trusted === false && skill.origin.source === 'project') {
        return { text: 'the project is not trusted', isError: true }
      }
      return called('Bash', { command }, start, seams)
    },
  }
}

/** Where a skill of the project or the user lies, as the model may open it. */
function skillDir({ origin }: PromptFile, { root, cwd, config }: Workspace): string | undefined {
  if (origin.source === 'project') return slashed(relative(cwd, join(root, dirname(origin.path)))) || '.'
  if (origin.source === 'user' && config !== undefined) return join(config, dirname(origin.path))
  return undefined
}

/** One call under the agent's own rights, outside any conversation. */
async function called(name: string, input: Record<string, unknown>, start: Start, seams: LiveSeams): Promise<Answered> {
  const { context } = begin(start, seams)
  const usage = context.usage
  const content = [{ type: 'tool_use' as const, id: 'input', name, input }]
  const reply = { type: 'reply' as const, id: 'input', model: '', content, stop_reason: 'tool_use', usage, broken: {} }
  const calls = execute({ reply, known: NOTHING_KNOWN }, context, { ...seams, transcript: NO_TRANSCRIPT })
  for (;;) {
    const step = await calls.next()
    if (!step.done) continue
    const [block] = step.value.blocks
    return { text: resultText(block!), isError: block!.is_error === true }
  }
}
