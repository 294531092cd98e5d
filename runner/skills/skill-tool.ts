import type { RunContext } from '../context.ts'
import { patched } from '../context.ts'
import type { CallTool } from '../delegation/caller.ts'
import { failed, type Look, type Tool, type ToolContext, type ToolOutput } from '../tools/tool.ts'
import { calledSkill, type NamedSkill } from './catalogue.ts'
import { atWorkOf, broughtBy, changeBy } from './change.ts'
import { hasCommands } from './expand.ts'
import { skillFolder } from './folder.ts'
import { skillFrame } from './frame.ts'
import { isSafe } from './safe.ts'
import { type Answered, skillText } from './text.ts'

/** A skill whose text is to be the task of another agent (`context: fork`). */
export interface SkillTask extends NamedSkill {
  task: string
}

/** Runs a skill in an agent of its own, and gives that one's report. */
export type RunApart = (task: SkillTask, context: ToolContext) => Promise<ToolOutput>

export interface SkillToolOptions {
  /** The id of the whole run; without it that of the agent stands for it. */
  session?: string | undefined
  /** Without it skills that want an agent of their own are refused. */
  runApart?: RunApart | undefined
}

/** The tool Skill: puts the text of a skill into the conversation, with what the skill changes in the run, or has another agent work on it (M23). */
export function skillTool(options: SkillToolOptions = {}): Tool {
  return {
    paths: () => [],
    search: false,
    look: ({ skill }, context) => lookAt(calledSkill(skill, context.header)),
    async run({ skill: given, args }, context) {
      const { caller } = context
      const found = calledSkill(given, caller?.context.header ?? NOTHING)
      if ('refused' in found) return failed(found.refused)
      if (!caller?.callTool) return failed('Skills cannot be called here.')
      const text = await textOf(found, typeof args === 'string' ? args : '', context, caller.context, caller.callTool, options)
      if ('refused' in text)
        return { ...failed(`The skill ${found.name} cannot be used: ${text.refused}.`), ...(text.denied && { denied: text.denied }) }
      if (found.skill.context !== 'fork') return inline(found, text.text, context, caller.context)
      if (!options.runApart) return failed(`The skill ${found.name} runs in an agent of its own, and agents cannot be started here.`)
      return options.runApart({ ...found, task: text.text }, context)
    },
  }
}

const NOTHING = { skills: {}, commands: {} }

function lookAt(found: NamedSkill | { refused: string }): Look {
  if ('refused' in found) return found
  const { skill } = found
  return { safe: isSafe(skill), brings: broughtBy(skill), repeatable: skill.context !== 'fork' && !hasCommands(skill) }
}

/** Commands in the text of a skill are calls of Bash with the rights of the agent, and the rules of the skill. */
async function textOf(
  { name, skill }: NamedSkill,
  args: string,
  { workspace }: ToolContext,
  agent: RunContext,
  callTool: CallTool,
  { session = agent.sessionId }: SkillToolOptions,
): Promise<{ text: string } | { refused: string; denied?: ToolOutput['denied'] }> {
  const atWork = atWorkOf(name, skill)
  const within = atWork ? patched(agent, { atWork }) : agent
  let denied: ToolOutput['denied']
  const shell = async (command: string): Promise<Answered> => {
    const output = await callTool('Bash', { command }, within)
    denied ??= output.denied
    return output
  }
  const text = await skillText(skill, { args, skillDir: skillFolder(skill, workspace), sessionId: session }, shell)
  return 'refused' in text ? { ...text, denied } : text
}

function inline({ name, skill }: NamedSkill, text: string, { workspace }: ToolContext, agent: RunContext): ToolOutput {
  const framed = { name, text, folder: skillFolder(skill, workspace) }
  const { patch, notes } = changeBy(skill, framed, agent)
  const more = notes.map((note) => `\n[agentc: ${note}]`).join('')
  return { text: `The skill ${name} follows.${more}`, isError: false, messages: [skillFrame(framed)], patch }
}
