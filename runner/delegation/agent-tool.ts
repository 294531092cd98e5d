import { lstat } from 'node:fs/promises'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import { deniedTo } from '../denied-to.ts'
import type { TaskEvent } from '../events.ts'
import { type Budget, childBudget, restOf } from '../limits/budget.ts'
import { modelOf } from '../request.ts'
import { notice } from '../notice-queue.ts'
import { failed, type Tool, type ToolContext, type ToolOutput } from '../tools/tool.ts'
import type { ToolSet } from '../tools/registry.ts'
import { isInside, locate, toldPath, type Workspace } from '../workspace.ts'
import { launch } from './background.ts'
import type { Caller } from './caller.ts'
import { modelFrom, nextId, planOf } from './child.ts'
import { type AgentInput, agentInput } from './input.ts'
import { insideWorktree, isolate } from './isolation.ts'
import { reportOf } from './report.ts'
import { FORK, route } from './route.ts'
import { runChild } from './run-child.ts'
import { listAgents } from './spawns.ts'
import { type AgentNode, type Known, MOST_AGENTS, type Plan, say, type Spawning, type Tree } from './tree.ts'

/** The tools of an agent that is started. */
export type ToolsFor = (child: AgentNode) => ToolSet

export function agentTool(tree: Tree, node: AgentNode, toolsFor: ToolsFor): Tool {
  return {
    checksInput: true,
    repeatable: false,
    async run(input, context) {
      const { caller } = context
      const read = agentInput(input)
      if (!caller) return failed('Agents cannot be started here.')
      if (typeof read === 'string') return failed(`The input does not fit the schema of Agent: ${read}.`)
      return spawn({ tree, node, input: read, caller, context, toolsFor })
    },
  }
}

/** Who asks for an agent, and how. */
export interface Asking {
  tree: Tree
  node: AgentNode
  input: AgentInput
  caller: Caller
  context: ToolContext
  toolsFor: ToolsFor
}

async function spawn(asking: Asking): Promise<ToolOutput> {
  const { tree, node, input, caller } = asking
  const to = routed(tree, node, input, caller)
  if ('refused' in to) return failed(to.refused)
  return to.kind === 'fork'
    ? startAgent(asking, { name: node.name, agent: caller.context.agent, fork: true })
    : startAgent(asking, { ...to, fork: false })
}

/** Starts an agent that it has been decided on, and gives its report, or the answer to a call that does not wait for it. */
export async function startAgent(
  { tree, node, input, caller, context, toolsFor }: Asking,
  { name, agent, fork, skill }: Pick<Spawning, 'name' | 'agent' | 'fork' | 'skill'>,
): Promise<ToolOutput> {
  const workspace = await folderOf(input, context.workspace)
  if (typeof workspace === 'string') return failed(workspace)
  const budget = budgetOf(tree, node, caller)
  if (typeof budget === 'string') return failed(budget)
  const id = nextId(tree, node, caller.call)
  tree.stats.spawned += 1
  const background = input.run_in_background ?? (!fork && agent.background === true)
  const spawning = await isolated({ tree, parent: node, caller, context, input, name, agent, fork, background, workspace, skill }, id)
  if (typeof spawning === 'string') return failed(spawning)
  return started(id, spawning, budget?.budget, toolsFor)
}

function routed(tree: Tree, node: AgentNode, input: AgentInput, { context }: Caller) {
  const deny = deniedTo({ header: tree.header, agent: context.agent })
  return route(input, {
    depth: node.depth,
    mostDepth: tree.header.limits.spawnDepth,
    isFork: node.isFork,
    limits: node.limits,
    agents: tree.agents,
    available: listAgents(tree.agents, node.limits, deny).map((each) => each.name),
  })
}

/** What the agent may use up: never more than is left to all above it. A sentence, if the tree may have no more agents. */
function budgetOf(tree: Tree, { lane: { clock } }: AgentNode, { budget: above }: Caller): { budget: Budget } | string | undefined {
  const limited = above && restOf(above, clock.now()).agents !== undefined
  if (!limited && tree.before + tree.stats.spawned >= MOST_AGENTS) {
    return `The limit of ${MOST_AGENTS} agents in one run was reached (--max-agents sets another): do the work yourself.`
  }
  if (!above) return undefined
  const budget = childBudget(above, {}, clock.now())
  return budget ? { budget } : 'The limit of agents in one run (limits.run.agents, --max-agents) was reached: do the work yourself.'
}

/** A folder of the call only narrows: it lies inside the present one, links followed. */
async function folderOf({ cwd }: AgentInput, workspace: Workspace): Promise<Workspace | string> {
  if (cwd === undefined) return workspace
  const place = await locate(workspace, cwd)
  if (place.kind !== 'there' || !isInside(workspace.cwd, place.real)) {
    return `cwd ${cwd} is not a folder inside the present working directory, so the agent was not started.`
  }
  if (!(await lstat(place.real)).isDirectory()) return `cwd ${cwd} is not a folder, so the agent was not started.`
  return { ...workspace, cwd: place.real, told: toldPath(workspace, place.real) }
}

async function isolated(spawning: Spawning, id: string): Promise<Spawning | string> {
  const { tree, input, agent, workspace, fork } = spawning
  const wanted = input.isolation ?? (fork ? undefined : (agent as ManifestAgent).isolation)
  if (wanted === undefined) return spawning
  if (wanted === 'remote') return 'Agents on other machines are not in this version of agentc, so the agent was not started.'
  const worktree = await isolate(workspace, id, tree.env, tree.host, spawning.caller.worktrees)
  if (typeof worktree === 'string') return worktree
  spawning.context.scope.defer(`the worktree ${worktree.shown}`, () => worktree.close())
  return { ...spawning, worktree, workspace: insideWorktree(workspace, worktree) }
}

async function started(id: string, spawning: Spawning, budget: Budget | undefined, toolsFor: ToolsFor): Promise<ToolOutput> {
  const { tree, parent, context, input, background, agent } = spawning
  const plan = planOf(id, spawning)
  tree.stats.max_depth = Math.max(tree.stats.max_depth, plan.node.depth)
  say(tree, startedEvent(plan, spawning))
  tellMode(tree, plan, agent.permissionMode)
  const known: Known = { plan, running: true, worktreeGone: false }
  for (const key of [id, ...(input.name === undefined ? [] : [input.name])]) parent.known.set(key, known)
  const run = { plan, spawning, side: tree.side(id, plan.node.lane.clock), tools: toolsFor(plan.node), budget, known }
  const output = background ? launch(run) : reportOf(await runChild({ ...run, signal: context.signal }))
  return { ...output, text: `${output.text}${modeNote(plan, spawning)}` }
}

/** Nor is the one of its definition. */
function tellMode(tree: Tree, { node, start }: Plan, wanted: string | undefined): void {
  const key = `${node.name}\nmode ${start.permissionMode}`
  if (node.isFork || wanted === undefined || wanted === start.permissionMode || tree.said.has(key)) return
  tree.said.add(key)
  const why = 'an agent is never in a looser mode than the one that starts it'
  say(tree, notice('permission-mode', `agent ${node.name} asks for the mode ${wanted} and runs in ${start.permissionMode}: ${why}`))
}

/** A mode that the call asked for and that would have been looser than the caller’s is not passed over in silence. */
function modeNote({ start }: Plan, { input, caller }: Spawning): string {
  const { permissionMode } = start
  if (input.mode === undefined || input.mode === permissionMode) return ''
  const above = caller.context.permissionMode
  return `\n\n[agentc: the agent ran in the mode ${permissionMode}, not ${input.mode}: a mode only narrows, and the caller is in ${above}]`
}

function startedEvent({ node, start }: Plan, spawning: Spawning): TaskEvent {
  const { caller, input, fork, background } = spawning
  return {
    type: 'system',
    subtype: 'task_started',
    task_id: node.id,
    tool_use_id: caller.call,
    description: input.description,
    subagent_type: fork ? FORK : node.name,
    is_backgrounded: background,
    spawn_depth: node.depth,
    prompt: input.prompt,
    model: start.fork?.prefix.model ?? modelOf(start),
    model_from: modelFrom(spawning),
    permission_mode: start.permissionMode!,
  }
}
