import type { KnownSkills, NamedSkill, PromptFile } from '../skills/catalogue.ts'
import type { FramedSkill } from '../skills/frame.ts'
import type { Answered } from '../skills/text.ts'
import { mentions } from './mentions.ts'
import { route } from './route.ts'

export type { Answered } from '../skills/text.ts'

/** What an input needs of the outside. Both go through the permissions of the agent. */
export interface InputSeams {
  /** The text of a skill, its commands run under the rules of the skill too. */
  ready(skill: NamedSkill, args: string): Promise<FramedSkill | { refused: string }>
  /** Runs a command line that the person wrote, as a call of Bash. */
  shell(command: string): Promise<Answered>
  /** Reads a file as a call of Read. */
  read(path: string): Promise<Answered>
}

/** An input, ready for the model, with what a person is to be told of it; or why it cannot be used. */
export type Resolved = { prompt: string; skill?: CalledSkill; notices: readonly string[] } | { refused: string } | { note: string }

/** A skill that a person has called, with its text. */
export interface CalledSkill {
  skill: PromptFile
  framed: FramedSkill
}

/** Turns an input into what the model gets, in this order: what it is, then its commands one by one, then the files that it mentions. */
export async function resolveInput(input: string, header: KnownSkills, seams: InputSeams): Promise<Resolved> {
  const routed = route(input, header)
  if (routed.kind === 'refused') return { refused: routed.message }
  if (routed.kind === 'note') return { note: routed.text }
  if (routed.kind === 'shell') return ofShell(routed.command, await seams.shell(routed.command))
  if (routed.kind === 'prompt') return withFiles(routed.text, routed.text, seams)
  const { args, called } = routed
  const { name, skill } = called
  const framed = await seams.ready(called, args)
  if ('refused' in framed) return { refused: `/${name}: ${framed.refused}` }
  const said = `<command-name>/${name}</command-name>\n${args === '' ? '' : `<command-args>${args}</command-args>\n`}`
  if (skill.context !== 'fork') return { ...(await withFiles(`${said}\n${framed.text}`, args, seams)), skill: { skill, framed } }
  // The agent that it runs in needs the files, and the one that is asked for its report only the name.
  const { prompt, notices } = await withFiles(framed.text, args, seams)
  return { prompt: said.trim(), notices, skill: { skill, framed: { ...framed, text: prompt } } }
}

function ofShell(command: string, { text, isError }: Answered): Resolved {
  const output = isError ? 'bash-stderr' : 'bash-stdout'
  return { prompt: `<bash-input>${command}</bash-input>\n<${output}>\n${text}\n</${output}>`, notices: [] }
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
