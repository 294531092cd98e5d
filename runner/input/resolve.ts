import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { InvokedSkill } from '../context.ts'
import { expanded, type Filling, mentions, type Part } from './expand.ts'
import { type PromptFile, route } from './route.ts'

/** What an input needs of the outside. Both go through the permissions of the agent. */
export interface InputSeams {
  sessionId: string
  /** The folder of a skill's file for the model, if it can be opened. */
  skillDir(skill: PromptFile): string | undefined
  /** Runs a command line as a call of Bash. `skill`: the file that holds it, for trust; without it the person wrote it. */
  shell(command: string, skill?: PromptFile): Promise<Answered>
  /** Reads a file as a call of Read. */
  read(path: string): Promise<Answered>
}

export interface Answered {
  text: string
  isError: boolean
}

/** An input, ready for the model, with what a person is to be told of it; or why it cannot be used. */
export type Resolved = { prompt: string; skill?: InvokedSkill; notices: readonly string[] } | { refused: string } | { note: string }

/** Turns an input into what the model gets, in this order: what it is, then its commands one by one, then the files that it mentions. */
export async function resolveInput(
  input: string,
  header: Pick<ManifestHeader, 'skills' | 'commands'>,
  seams: InputSeams,
): Promise<Resolved> {
  const routed = route(input, header)
  if (routed.kind === 'refused') return { refused: routed.message }
  if (routed.kind === 'note') return { note: routed.text }
  if (routed.kind === 'shell') return ofShell(routed.command, await seams.shell(routed.command))
  if (routed.kind === 'prompt') return withFiles(routed.text, routed.text, seams)
  const { name, args, skill } = routed
  const filling: Filling = { args, sessionId: seams.sessionId, skillDir: seams.skillDir(skill) }
  const ran = await withCommands(expanded(skill, filling), skill, seams)
  if ('refused' in ran) return { refused: `/${name}: ${ran.refused}` }
  const text = `<command-name>/${name}</command-name>\n${args === '' ? '' : `<command-args>${args}</command-args>\n`}\n${ran.text.trim()}`
  const found = await withFiles(text, args, seams)
  return { ...found, skill: { name, text: ran.text.trim() } }
}

function ofShell(command: string, { text, isError }: Answered): Resolved {
  const output = isError ? 'bash-stderr' : 'bash-stdout'
  return { prompt: `<bash-input>${command}</bash-input>\n<${output}>\n${text}\n</${output}>`, notices: [] }
}

/** A command that may not run, or fails, is no text: the skill would be another one without its output. */
async function withCommands(parts: readonly Part[], skill: PromptFile, seams: InputSeams): Promise<{ text: string } | { refused: string }> {
  let text = ''
  for (const part of parts) {
    if (part.kind === 'text') {
      text += part.text
      continue
    }
    const { text: output, isError } = await seams.shell(part.command, skill)
    if (isError) return { refused: `its command ${JSON.stringify(part.command)} did not run: ${output}` }
    text += output
  }
  return { text }
}

/** Puts the files behind the prompt that mentions them. One that cannot be had leaves the prompt as it is, and is told of. */
async function withFiles(prompt: string, said: string, seams: InputSeams): Promise<{ prompt: string; notices: readonly string[] }> {
  const files: string[] = []
  const notices: string[] = []
  for (const path of mentions(said)) {
    const { text, isError } = await seams.read(path)
    if (isError) notices.push(`@${path} is not attached: ${text}`)
    else files.push(`<file path=${JSON.stringify(path)}>\n${text}\n</file>`)
  }
  return { prompt: [prompt, ...files].join('\n\n'), notices }
}
