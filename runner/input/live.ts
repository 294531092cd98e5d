import { begin } from '../endings.ts'
import type { Clock, Ids } from '../clock.ts'
import type { ContextPatch } from '../context-patch.ts'
import type { Start } from '../context.ts'
import type { Environment } from '../environment.ts'
import { callAside, type ExecuteSeams } from '../execute.ts'
import { knownIn, type NamedSkill } from '../skills/catalogue.ts'
import { changeBy, whileAtWork } from '../skills/change.ts'
import { readySkill } from '../skills/ready.ts'
import { limitsInForce } from '../limits/run-limits.ts'
import type { Answered, CalledSkill, InputSeams, Resolved } from './resolve.ts'
import { resolveInput } from './resolve.ts'

interface LiveSeams extends ExecuteSeams {
  clock: Clock
  ids: Ids
  environment: Environment
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
  const patches = [...(start.patches ?? [])]
  const resolved = async (text: string): Promise<string> => {
    if (!mayBeSpecial(text)) return text
    const result: Resolved = await resolveInput(text, knownIn(start), outside)
    if ('refused' in result) throw new InputRefused(result.refused)
    // A note is taken before a run is begun; where none can be, it is text.
    if ('note' in result) return text
    notices.push(...result.notices)
    if (result.skill) patches.push(changed(result.skill, start, notices))
    return result.prompt
  }
  const initialPrompt = which === 'all' ? start.agent.initialPrompt : undefined
  const first = initialPrompt === undefined ? undefined : await resolved(initialPrompt)
  const prompt = await resolved(start.prompt)
  const more = { ...(first !== initialPrompt && { initialPrompt: first }), ...(patches.length > 0 && { patches }) }
  return { start: prompt === start.prompt && Object.keys(more).length === 0 ? start : { ...start, prompt, ...more }, notices }
}

/** What a skill that a person calls changes in the run that it begins; what of it does not count is said. */
function changed({ skill, framed }: CalledSkill, start: Start, notices: string[]): ContextPatch {
  if (skill.context === 'fork') return { apart: framed }
  const subject = { ...start, maxBudgetUsd: limitsInForce(start).usd }
  const { patch, notes } = changeBy(skill, framed, subject)
  notices.push(...notes.map((note) => `/${framed.name}: ${note}`))
  return patch
}

/** Most prompts are nothing but text, and need nothing to be opened. */
function mayBeSpecial(text: string): boolean {
  return /^\s*[/!#]|@/.test(text)
}

function inputSeams(start: Start, seams: LiveSeams): InputSeams {
  return {
    ready: (skill, args) =>
      readySkill(skill, args, {
        ...seams,
        session: seams.ids.session(),
        shell: (command) => called('Bash', { command }, start, seams, skill),
      }),
    read: (path) => called('Read', { file_path: path }, start, seams),
    shell: (command) => called('Bash', { command }, start, seams),
  }
}

/** One call under the agent's own rights, outside any conversation, and under those of the skill that makes it. */
function called(name: string, input: Record<string, unknown>, start: Start, seams: LiveSeams, skill?: NamedSkill): Promise<Answered> {
  const { context } = begin(start, seams)
  return callAside(name, input, skill ? whileAtWork(context, skill) : context, seams)
}
