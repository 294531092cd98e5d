import type { ContextPatch } from '../context-patch.ts'
import type { RunContext } from '../context.ts'
import { deniedTo } from '../denied-to.ts'
import { atWorkOf, changeBy, spending } from '../skills/change.ts'
import { skillFrame } from '../skills/frame.ts'
import type { RunApart, SkillTask } from '../skills/skill-tool.ts'
import { failed } from '../tools/tool.ts'
import { startAgent, type ToolsFor } from './agent-tool.ts'
import type { AgentInput } from './input.ts'
import { GENERAL, route } from './route.ts'
import { listAgents, type SpawnLimit } from './spawns.ts'
import type { AgentNode, SkillStart, Tree } from './tree.ts'

/**
 * Runs a skill with `context: fork`: its text is the task of an agent of its own, whose report is the result of the call. The agent is
 * decided on like any other: depth, limits `Agent(a, b)`, rules about `Agent`, ceilings. Where the caller has no tool Agent, the agent may
 * use no other tools than the caller, so that no skill gives anybody more than it has.
 */
export function skillAgent(tree: Tree, node: AgentNode, toolsFor: ToolsFor): RunApart {
  return async (task, context) => {
    const { caller } = context
    if (!caller) return failed('Agents cannot be started here.')
    const name = task.skill.agent ?? GENERAL
    const called = task.task.name
    const limits = limitsFor(caller.context, node)
    const to = route({ description: '', prompt: '', subagent_type: name }, routing(tree, node, limits, caller.context))
    if ('refused' in to || to.kind === 'fork') return failed(`The skill ${called} cannot be run: ${'refused' in to ? to.refused : NO_FORK}`)
    const refused = await caller.refusalOf?.('Agent', { subagent_type: name })
    if (refused) return { ...failed(`The skill ${called} cannot be run in ${name}: ${refused.reason}.`), denied: refused.denied }
    const { patch, notes } = changeBy(task.skill, task.task, { ...spending(caller), agent: to.agent })
    const skill = startOf(task, patch, caller.context, limits)
    const input = inputOf(task, name, patch)
    const output = await startAgent({ tree, node, input, caller, context, toolsFor }, { ...to, fork: false, skill })
    return { ...output, text: [output.text, ...notes.map((note) => `[agentc: ${note}]`)].join('\n') }
  }
}

const NO_FORK = 'a skill is run in an agent, not in a fork of the conversation.'

function routing(tree: Tree, { depth, isFork }: AgentNode, limits: readonly SpawnLimit[], { agent }: RunContext) {
  const available = listAgents(tree.agents, limits, deniedTo({ header: tree.header, agent })).map(({ name }) => name)
  return { depth, mostDepth: tree.header.limits.spawnDepth, isFork, limits, agents: tree.agents, available }
}

function inputOf({ skill, task }: SkillTask, agent: string, { model }: ContextPatch): AgentInput {
  return {
    description: `/${task.name}`,
    prompt: `Do what this skill says, and report what came of it.\n\n${skillFrame(task)}`,
    subagent_type: agent,
    ...(model !== undefined && { model }),
    ...(skill.background !== undefined && { run_in_background: skill.background }),
  }
}

/** An agent without the tool Agent has an empty list of agents to start, which is no limit that anybody has written. */
function limitsFor(caller: RunContext, { limits }: AgentNode): readonly SpawnLimit[] {
  return mayStart(caller) || caller.agent.spawns.length > 0 ? limits : limits.slice(0, -1)
}

function mayStart({ prefix }: RunContext): boolean {
  return prefix.tools?.some(({ name }) => name === 'Agent') === true
}

function startOf({ skill, task }: SkillTask, { effort }: ContextPatch, caller: RunContext, limits: readonly SpawnLimit[]): SkillStart {
  const atWork = atWorkOf(task.name, skill)
  const patch = { skill: task, ...(atWork && { atWork }), ...(effort && { effort }) }
  const tools = (caller.prefix.tools ?? []).map((tool) => tool.name)
  return { patches: [patch], limits, ...(!mayStart(caller) && { only: new Set(tools) }) }
}
