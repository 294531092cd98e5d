import { createHash } from 'node:crypto'
import type { PermissionMode, Role } from '../../schemas/values.ts'
import type { Start } from '../context.ts'
import { deniedNow, deniedTo } from '../denied-to.ts'
import type { ExtendSeams } from '../extend.ts'
import { Inbox } from '../inbox.ts'
import type { Seams } from '../loop.ts'
import { type Ask, type Decide, nobody } from '../permission/decide.ts'
import { Scope } from '../scope.ts'
import { childToolState } from '../tools/state.ts'
import { noPerson } from '../tools/tool.ts'
import { transcribed } from '../transcript/transcribe.ts'
import { keptApart } from './apart.ts'
import { belowCeilings, type Ceiling, movedTo, onlyTools } from './ceiling.ts'
import { forkOf } from './fork.ts'
import type { Isolated } from './isolation.ts'
import { childMode } from './mode.ts'
import { listAgents, spawnLimit } from './spawns.ts'
import type { AgentNode, Plan, SideTranscript, Spawning, Tree } from './tree.ts'

/** The id of the next agent that `parent` starts: the same in a replay, another in every run. */
export function nextId(tree: Pick<Tree, 'session'>, parent: Pick<AgentNode, 'id' | 'started'>, call: string): string {
  parent.started += 1
  const digest = createHash('sha256').update([tree.session, parent.id, call, parent.started].join('\n')).digest('hex')
  return `a${digest.slice(0, 12)}`
}

/** The agent's place in the tree, what it starts with, and what it may do: never more than anybody above it. */
export function planOf(id: string, spawning: Spawning): Plan {
  const { tree, parent, caller, input, name, agent, fork, worktree, skill } = spawning
  const mode = modeOf(spawning)
  const limits = fork ? parent.limits : [...(skill ?? parent).limits, spawnLimit(name, agent)]
  const ceilings = ceilingsOf(spawning, mode)
  const node: AgentNode = {
    id,
    name,
    depth: parent.depth + 1,
    isFork: fork,
    limits,
    ceilings,
    worktrees: [...parent.worktrees, ...(worktree ? [{ checkout: worktree.checkout, path: worktree.path }] : [])],
    inbox: new Inbox(),
    lane: tree.lane(id),
    started: 0,
    known: new Map(),
    seen: seenBy(caller.seen, parent),
  }
  const role = roleOf(node, spawning)
  const start: Start = {
    header: tree.header,
    name,
    agent,
    prompt: promptOf(input.prompt, worktree),
    model: modelFor(spawning),
    permissionMode: mode,
    role,
    initialPrompt: '',
    startedBy: { agent: parent.id, call: caller.call },
    agents: listAgents(tree.agents, limits, deniedTo({ header: tree.header, agent })),
    ...(skill && { patches: skill.patches }),
    ...(fork && { fork: forkOf(caller.context, promptOf(input.prompt, worktree)), maxTurns: FORK_TURNS }),
  }
  return { node, start, workspace: spawning.workspace, decide: decideOf(spawning, node, role) }
}

/** It holds no more than it needs: an agent that has ended is known as long as its parent works. */
function seenBy(caller: (() => void) | undefined, parent: AgentNode): () => void {
  return () => {
    caller?.()
    parent.seen()
  }
}

/** Turns of a fork (M28). */
const FORK_TURNS = 200

/** `leaf` is the view of an agent at the depth limit. */
function roleOf({ depth }: AgentNode, { background, tree }: Spawning): Role {
  if (background) return 'background'
  return depth < tree.header.limits.spawnDepth ? 'sub' : 'leaf'
}

function modeOf({ tree, caller, input, agent, fork }: Spawning): PermissionMode {
  const parent = caller.context.permissionMode
  const mode = fork ? childMode(parent, input.mode) : childMode(parent, agent.permissionMode, input.mode)
  return mode === 'bypassPermissions' && tree.header.settings.bypassDisabled ? 'default' : mode
}

/**
 * Whose choice the model is: the call's, the definition's, the environment's, the parent's (M9). What policy has written is not changed by a
 * call, and a definition that says `inherit` has made its choice.
 */
export function modelFrom({ tree, input, agent, fork }: Spawning): 'call' | 'definition' | 'environment' | 'parent' {
  if (fork) return 'parent'
  const fixed = agent.model !== 'inherit' && agent.provenance.model?.source === 'policy'
  if (input.model !== undefined && !fixed) return 'call'
  if (agent.model !== 'inherit') return 'definition'
  return tree.environment.subagentModel === undefined || agent.provenance.model ? 'parent' : 'environment'
}

function modelFor(spawning: Spawning): string | undefined {
  const { tree, caller, input } = spawning
  const from = modelFrom(spawning)
  if (from === 'call') return input.model
  if (from === 'environment') return tree.environment.subagentModel
  return from === 'parent' ? caller.context.prefix.model : undefined
}

/**
 * Those of all above, the parent's as it is now, and the modes that were wanted for the agent itself: where a wanted mode and the one in
 * force are each stricter than the other in something, both count.
 */
function ceilingsOf({ tree, parent, caller, context, agent, input, worktree }: Spawning, mode: PermissionMode): readonly Ceiling[] {
  const { permissionMode, agent: above, atWork } = caller.context
  const deny = deniedNow({ header: tree.header, agent: above, atWork })
  const own: Ceiling = { mode: permissionMode, limits: above.limits, deny, workspace: context.workspace }
  const wanted = [agent.permissionMode, input.mode]
    .filter((want): want is 'plan' | 'dontAsk' => (want === 'plan' || want === 'dontAsk') && want !== mode)
    .map((want): Ceiling => ({ ...own, mode: want, limits: [], deny: tree.header.permissions.deny }))
  const all = [...parent.ceilings, own, ...wanted]
  if (!worktree) return all
  return all.map((each) => ({ ...each, workspace: movedTo(each.workspace, worktree.checkout, worktree.path) }))
}

function decideOf({ tree, caller, agent, fork, skill }: Spawning, node: AgentNode, role: Role): Decide {
  const apart = keptApart(belowCeilings(tree.decide, node.ceilings), node.worktrees)
  if (skill?.only) return onlyTools(apart, skill.only, 'the agent of a skill that an agent without Agent has called')
  if (!fork) return apart
  const view = agent.toolViews[role]
  const mcp = (caller.context.prefix.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith('mcp__'))
  return onlyTools(apart, new Set([...view.tools, ...(view.plan ?? []), ...mcp]), 'a fork')
}

function promptOf(prompt: string, worktree: Isolated | undefined): string {
  if (!worktree) return prompt
  const { told, branch } = worktree
  const what = branch === undefined ? 'a worktree' : `a git worktree on the branch ${branch}`
  return `${prompt}\n\nYou work in ${told}, a copy of the repository of your own (${what}). Change files there only.`
}

/** The seams of an agent that another one has started. Its scope is its own: what it opens is closed when it ends. */
export function seamsOf(plan: Plan, spawning: Spawning, side: SideTranscript, tools: Seams['tools'], signal: AbortSignal): Seams {
  const { tree, caller, context, background } = spawning
  const { node, workspace } = plan
  const { extensions } = tree
  const extended: Pick<ExtendSeams, 'extensions' | 'agentId' | 'agentTranscript'> = {
    extensions,
    agentId: node.id,
    agentTranscript: side.path,
  }
  return {
    ...extended,
    model: transcribed(node.lane.model, side.transcript, tree.redact),
    clock: node.lane.clock,
    ids: { session: () => node.id },
    environment: { ...tree.environment, cwd: workspace.told },
    tools,
    decide: plan.decide,
    ask: background ? nobody : bubbling(caller.ask, node.name),
    grants: tree.grants,
    askPerson: background ? noPerson : context.askPerson,
    state: childToolState(context.state),
    workspace,
    scope: new Scope(context.scope.processes.part()),
    transcript: side.transcript,
    signal,
    inbox: node.inbox,
    arrivals: node.lane.arrivals,
    ...(node.lane.recall && { recall: node.lane.recall }),
    ...(node.lane.count && { count: node.lane.count }),
    above: node.ceilings.flatMap(({ deny }) => deny),
    sandbox: tree.sandbox,
    ...(context.fetchSkill && { fetchSkill: context.fetchSkill }),
  }
}

/** A question goes up to the person of the run, with the names of all agents on its way. */
function bubbling(ask: Ask, name: string): Ask {
  return (asked, reason, signal, { would, agents = [] } = {}) => ask(asked, reason, signal, { would, agents: [...agents, name] })
}
