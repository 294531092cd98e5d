import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import { EventQueue } from '../aside.ts'
import type { Start } from '../context.ts'
import { deniedTo } from '../denied-to.ts'
import type { ExtendSeams } from '../extend.ts'
import type { WorktreeHooks } from '../hooks/occasion.ts'
import { Inbox } from '../inbox.ts'
import type { Seams } from '../loop.ts'
import { notice } from '../notice-queue.ts'
import type { Host } from '../processes.ts'
import type { Scope } from '../scope.ts'
import type { ToolSet } from '../tools/registry.ts'
import type { RunFolder } from '../transcript/folder.ts'
import type { Redact } from '../transcript/redact.ts'
import { NO_TRANSCRIPT } from '../transcript/transcript.ts'
import { openWorkspace, type Workspace } from '../workspace.ts'
import { keptApart } from './apart.ts'
import { insideWorktree, isolate, type Isolated, placeText } from './isolation.ts'
import { Slots } from './slots.ts'
import { listAgents, spawnLimit } from './spawns.ts'
import { apartFrom, delegationTools } from './tools.ts'
import type { AgentNode, Lane, SideTranscript, Tree } from './tree.ts'

/** Agents in the background that work at one time. */
export const SLOTS = 10
/** How long an agent that is done waits for those in the background (claude-code-agents.md 11.2). */
export const BACKGROUND_MS = 600_000

/** A timer takes no more, which is 24 days. */
const MOST_MS = 2 ** 31 - 1

/** How long that is, where the person says so, as Claude Code reads it: milliseconds, 0 as long as it takes. */
function ceilingIn({ CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: written = '' }: RootOptions['env']): number | undefined {
  const ms = /^\d+$/.test(written.trim()) ? Number(written) : BACKGROUND_MS
  return ms === 0 || ms > MOST_MS ? undefined : ms
}

export interface RootOptions {
  start: Start
  /** The agents of the manifest, those that may be started; without them none may. */
  agents: ReadonlyMap<string, ManifestAgent> | undefined
  seams: Seams
  /** What answers an agent, without a transcript around it; `undefined` stands for the agent of the run itself. */
  lane(id?: string): Lane
  /** The tools that every agent gets those for delegation in front of. */
  tools: ToolSet
  session: string
  folder: RunFolder | undefined
  redact: Redact
  env: Readonly<Record<string, string | undefined>>
  host: Host
  slots?: number | undefined
  backgroundMs?: number | undefined
}

/** The agent of a run as the root of its tree: its seams with all that is needed to start others, and its start with the list of them. */
export function rootOf(options: RootOptions): { start: Start; seams: Seams } {
  const { start, agents, seams, tools } = options
  const tree = treeOf(options)
  const node = rootNode(start, options.lane(), seams.workspace)
  return {
    start: agents && !start.agents ? { ...start, agents: listAgents(agents, node.limits, deniedTo(start)) } : start,
    seams: {
      ...seams,
      ...(agents && { tools: delegationTools(tree, node, tools), runApart: apartFrom(tree, node, tools) }),
      decide: keptApart(seams.decide, node.worktrees),
      inbox: node.inbox,
      arrivals: node.lane.arrivals,
      aside: tree.events,
      backgroundMs: seams.clock.still ? undefined : (options.backgroundMs ?? ceilingIn(options.env)),
      below: () => ({ usage: tree.usage, stats: tree.stats, denials: tree.denials, unanswered: tree.unanswered }),
    },
  }
}

function treeOf({ start, agents, seams, lane, tools, session, folder, redact, env, host, slots: most = SLOTS }: RootOptions): Tree {
  const events = seams.extensions?.events ?? new EventQueue()
  const slots = new Map<number, Slots>()
  const before = seams.past?.below
  return {
    header: start.header,
    agents: agents ?? new Map(),
    session,
    lane,
    environment: seams.environment,
    tools,
    decide: seams.decide,
    grants: seams.grants,
    redact,
    env,
    host,
    side: (id, clock) => folder?.side(id, redact, session, clock.now) ?? NOT_KEPT,
    events,
    extensions: (seams as Pick<ExtendSeams, 'extensions'>).extensions,
    sandbox: seams.sandbox,
    slots(depth) {
      if (!slots.has(depth)) slots.set(depth, new Slots(most))
      return slots.get(depth)!
    },
    stats: { spawned: 0, started_in_background: 0, max_depth: 0, completed: 0, failed: 0, killed: 0 },
    usage: {},
    before: before?.agents ?? 0,
    denials: [...(before?.denials ?? [])],
    unanswered: before?.unanswered ?? false,
    said: new Set(),
  }
}

const NOT_KEPT: SideTranscript = { transcript: NO_TRANSCRIPT, path: '', text: () => undefined, close: () => {} }

function rootNode({ name, agent }: Start, lane: Lane, { checkout, root: path }: Workspace): AgentNode {
  return {
    id: 'main',
    name,
    depth: 0,
    isFork: false,
    limits: [spawnLimit(name, agent)],
    ceilings: [],
    // A run that goes on in its worktree is held to it as the one that made it was.
    worktrees: checkout === undefined ? [] : [{ checkout, path }],
    inbox: new Inbox(),
    lane,
    started: 0,
    known: new Map(),
    seen: () => {},
  }
}

/** Says where the run works, and what becomes of that place when it ends, or when it cannot begin. */
export function holdWorktree(worktree: Isolated, scope: Scope, events: EventQueue): void {
  const { shown, branch, base } = worktree
  const from = [
    ...(branch === undefined ? [] : [`on the branch ${branch}`]),
    ...(base === undefined ? [] : [`made from the commit ${base}`]),
  ]
  events.push(notice('worktree', [`the agent works in ${shown}`, ...from].join(', ')))
  scope.defer(`the worktree ${shown}`, async () => {
    if ((await worktree.close()) === 'kept')
      events.push(notice('worktree', `its changes are kept in ${placeText({ path: shown, branch })}`))
  })
}

/** Where an isolated run works: a worktree, the one that it had before, or a sentence that says why there is none. */
export async function rootIsolation(
  { agent }: Start,
  workspace: Workspace,
  session: string,
  env: RootOptions['env'],
  host: Host,
  hooks: WorktreeHooks,
): Promise<{ workspace: Workspace; worktree?: Isolated } | string> {
  if (agent.isolation !== 'worktree') return { workspace }
  const id = `a${createHash('sha256').update(session).digest('hex').slice(0, 12)}`
  const worktree = await isolate(workspace, id, env, host, hooks)
  return typeof worktree === 'string' ? worktree : { workspace: insideWorktree(workspace, worktree), worktree }
}

/** The folder that an isolated run had worked in, for one that goes on; `undefined` if it is gone. */
export async function formerWorkspace(told: string, workspace: Workspace): Promise<Workspace | undefined> {
  const there = await lstat(told).catch(() => undefined)
  if (!there?.isDirectory()) return undefined
  return { ...(await openWorkspace(told, workspace.home, workspace.config)), checkout: workspace.root }
}
