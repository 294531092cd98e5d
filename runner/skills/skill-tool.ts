import type { RunContext } from '../context.ts'
import type { CallTool } from '../delegation/caller.ts'
import { failed, type Look, type Tool, type ToolContext, type ToolOutput } from '../tools/tool.ts'
import { calledSkill, knownIn, type NamedSkill, type PromptFile } from './catalogue.ts'
import { broughtBy, changeBy, spending, whileAtWork } from './change.ts'
import { hasCommands } from './expand.ts'
import { type FramedSkill, skillFrame } from './frame.ts'
import { isSafe } from './safe.ts'
import { readySkill } from './ready.ts'
import type { Answered } from './text.ts'

/** A skill whose text is to be the task of another agent (`context: fork`). */
export interface SkillTask {
  skill: PromptFile
  task: FramedSkill
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
    look: ({ skill }, context) => lookAt(calledSkill(skill, knownIn(context))),
    async run({ skill: given, args }, context) {
      const { caller } = context
      const found = calledSkill(given, caller ? knownIn(caller.context) : NOTHING)
      if ('refused' in found) return failed(found.refused)
      if (!caller?.callTool) return failed('Skills cannot be called here.')
      const ready = await framed(found, typeof args === 'string' ? args : '', context, caller.context, caller.callTool, options)
      if ('refused' in ready) {
        const output = failed(`The skill ${found.name} cannot be used: ${ready.refused}.`)
        return ready.denied ? { ...output, denied: ready.denied } : output
      }
      const { skill } = found
      if (skill.context !== 'fork') return inline(skill, ready, spending(caller))
      if (!options.runApart) return failed(`The skill ${found.name} runs in an agent of its own, and agents cannot be started here.`)
      return options.runApart({ skill, task: ready }, context)
    },
  }
}

const NOTHING = { skills: {}, commands: {} }

function lookAt(found: NamedSkill | { refused: string }): Look {
  if ('refused' in found) return found
  const { skill, far } = found
  // What a server says now nobody has looked at.
  if (far?.kind === 'mcp') return { safe: false, brings: `its text comes from the MCP server ${far.server}`, repeatable: true }
  return { safe: isSafe(skill), brings: broughtBy(skill), repeatable: skill.context !== 'fork' && !hasCommands(skill) }
}

/** The text of a skill, ready for the model. Commands in it are calls of Bash with the rights of the agent, and the rules of the skill. */
async function framed(
  found: NamedSkill,
  args: string,
  { workspace, signal, fetchSkill }: ToolContext,
  agent: RunContext,
  callTool: CallTool,
  { session = agent.sessionId }: SkillToolOptions,
): Promise<FramedSkill | { refused: string; denied?: ToolOutput['denied'] }> {
  const within = whileAtWork(agent, found)
  let denied: ToolOutput['denied']
  const shell = async (command: string): Promise<Answered> => {
    const output = await callTool('Bash', { command }, within)
    denied ??= output.denied
    return output
  }
  const ready = await readySkill(found, args, { workspace, signal, fetchSkill, session, shell })
  return 'refused' in ready ? { ...ready, denied } : ready
}

function inline(skill: PromptFile, ready: FramedSkill, agent: RunContext): ToolOutput {
  const { patch, notes } = changeBy(skill, ready, agent)
  const more = notes.map((note) => `\n[agentc: ${note}]`).join('')
  return { text: `The skill ${ready.name} follows.${more}`, isError: false, messages: [skillFrame(ready)], patch }
}
