import type { ContextPatch } from '../context-patch.ts'
import type { ManifestAgent, ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { EventQueue } from '../aside.ts'
import type { Clock } from '../clock.ts'
import type { CountTokens } from '../compact/tokens.ts'
import type { Start } from '../context.ts'
import type { Environment } from '../environment.ts'
import type { PermissionDenial, RunEvent, SubagentStats } from '../events.ts'
import type { Extensions } from '../extend.ts'
import type { Arrivals, Inbox } from '../inbox.ts'
import type { Recall } from '../memory/remember.ts'
import type { ModelClient } from '../model/client.ts'
import type { Decide } from '../permission/decide.ts'
import type { Grants } from '../permission/grants.ts'
import type { Host } from '../processes.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { ToolSet } from '../tools/registry.ts'
import type { ToolContext } from '../tools/tool.ts'
import type { Redact } from '../transcript/redact.ts'
import type { Transcript } from '../transcript/transcript.ts'
import type { UsageByModel } from '../usage.ts'
import type { Workspace } from '../workspace.ts'
import type { Apart } from './apart.ts'
import type { Caller } from './caller.ts'
import type { Ceiling } from './ceiling.ts'
import type { AgentInput } from './input.ts'
import type { Isolated } from './isolation.ts'
import type { Slots } from './slots.ts'
import type { SpawnLimit } from './spawns.ts'

/** The transcript of one agent that the run has started, in a file of its own (a side chain). */
export interface SideTranscript {
  transcript: Transcript
  /** As hooks and people are told of it. */
  path: string
  /** All of it so far; `undefined` if nothing is kept. */
  text(): string | undefined
  close(): void
}

/** The outside of one agent. In a recording each has its own order of turns and readings. */
export interface Lane {
  model: ModelClient
  clock: Clock
  count?: CountTokens | undefined
  arrivals?: Arrivals | undefined
  recall?: Recall | undefined
}

/** What all agents of one run share. */
export interface Tree {
  header: Readonly<ManifestHeader>
  agents: ReadonlyMap<string, ManifestAgent>
  session: string
  /** What answers one agent: the model without any transcript or limit around it, and the clock. */
  lane(id: string): Lane
  environment: Environment
  tools: ToolSet
  decide: Decide
  grants?: Grants | undefined
  redact: Redact
  /** The environment for git. */
  env: Readonly<Record<string, string | undefined>>
  side(id: string, clock: Clock): SideTranscript
  /** The process of the run. */
  host: Host
  events: EventQueue
  /** Servers and hooks of the run. */
  extensions: Extensions | undefined
  /** How commands are run. */
  sandbox: Sandbox | undefined
  /** Agents in the background that work at one time, by depth: those of one depth never wait for those below. */
  slots: (depth: number) => Slots
  stats: SubagentStats
  /** What the agents below the first one have used. */
  usage: UsageByModel
  /** Agents that the run had started before it was gone on with. */
  before: number
  /** Calls that were denied to them, and whether one of them was because nobody could be asked. */
  denials: PermissionDenial[]
  unanswered: boolean
  /** Things that have been said once. */
  said: Set<string>
}

/** One agent in the tree. */
export interface AgentNode {
  /** Unique in the run and the same in its replay; the agent of the run has `main`. */
  id: string
  name: string
  depth: number
  isFork: boolean
  /** What holds for it and everything below, its own `Agent(a, b)` last. */
  limits: readonly SpawnLimit[]
  /** Of all above it. */
  ceilings: readonly Ceiling[]
  /** Those that it is held to: of all above it, and its own. */
  worktrees: readonly Apart[]
  inbox: Inbox
  lane: Lane
  /** Agents that it has started: how many, and each by its id and by the name that the call gave it. */
  started: number
  known: Map<string, Known>
  /** Passes a sign of life on to all above it. */
  seen(): void
}

/** An agent that is to be started: everything about it that is decided before it runs. */
export interface Plan {
  node: AgentNode
  start: Start
  workspace: Workspace
  decide: Decide
}

/** Who starts whom, and how it was asked for. */
export interface Spawning {
  tree: Tree
  parent: AgentNode
  caller: Caller
  context: ToolContext
  input: AgentInput
  /** The agent of a fork is that of the caller. */
  name: string
  agent: Readonly<ManifestAgent>
  fork: boolean
  background: boolean
  /** Where it works: inside the parent's folder. */
  workspace: Workspace
  worktree?: Isolated | undefined
  skill?: SkillStart | undefined
}

/** What is different for an agent that a skill has asked for. */
export interface SkillStart {
  /** What the skill brings, for as long as the agent works. */
  patches: readonly ContextPatch[]
  /** Where the caller may not start agents itself: the agent may use no other tools than the caller. */
  only?: ReadonlySet<string> | undefined
  /** What holds for the agent and everything below. */
  limits: readonly SpawnLimit[]
}

/** An agent that another one has started, as far as it can still be reached. Of one that has ended no conversation is held. */
export interface Known {
  plan: Plan
  running: boolean
  worktreeGone: boolean
}

/** Agents of one run when neither the project nor the command says how many. */
export const MOST_AGENTS = 250

export function say(tree: Tree, event: RunEvent): void {
  tree.events.push(event)
}
