import { EventQueue } from './aside.ts'
import type { Start } from './context.ts'
import type { Environment } from './environment.ts'
import type { ToolEvent } from './events.ts'
import type { Extensions } from './extend.ts'
import type { HookAccount } from './hooks/account.ts'
import { agentHooks } from './hooks/agent-hooks.ts'
import { hookBus } from './hooks/bus.ts'
import type { WorktreeHooks } from './hooks/occasion.ts'
import { investigate } from './investigate.ts'
import { openPool } from './mcp/pool.ts'
import type { McpCall, TellProgress } from './mcp/tool-set.ts'
import type { Progress } from './mcp/wire.ts'
import { NoticeQueue } from './notice-queue.ts'
import { modeInForce } from './permission/mode.ts'
import type { Outside } from './outside.ts'
import type { Scope } from './scope.ts'
import type { Workspace } from './workspace.ts'

interface Options {
  start: Pick<Start, 'header'>
  env: Readonly<Record<string, string | undefined>>
  version?: string | undefined
  pluginFolders?: Readonly<Record<string, string>> | undefined
}

/** What the servers and hooks of a run work with. */
interface Around {
  outside: Outside
  /** Of the run; it is known when it is known where the agent works, which hooks are asked before. */
  environment: () => Environment
  scope: Scope
  /** Over which connections servers and hooks are asked. */
  fetch: typeof fetch
  /** The project's folder. */
  cwd: string
  session: Extensions['session']
}

/** The servers and hooks of the manifest. Their variables are filled in from the whole environment, and from nowhere before. */
export function extensionsOf(options: Options, { outside, environment, scope, fetch, cwd, session }: Around): Extensions {
  const { start, env, version = '0', pluginFolders = {} } = options
  const queue = new NoticeQueue()
  const { processes } = scope
  const { header } = start
  const servers = Object.fromEntries(Object.entries(header.mcpServers).map(([name, { config }]) => [name, config]))
  const rootOf = (server: string): string | undefined => {
    const plugin = header.mcpServers[server]?.origin.plugin
    return plugin === undefined ? undefined : pluginFolders[plugin]
  }
  const events = new EventQueue()
  const progress: TellProgress = (call, now) => events.push(progressEvent(call, now))
  const pool = openPool({ servers, locks: header.mcpTools, rootOf, env, cwd, version, processes, fetch, say: queue.say, progress })
  scope.defer('the MCP servers', () => pool.close())
  const shared = { settings: header.hooks, projectDir: cwd, processes, env, fetch, say: queue.say, callTool: pool.call, pluginFolders }
  const laneOf = hookLanes(outside)
  return {
    session,
    pool,
    queue,
    events,
    bus(own, subject, workspace, account) {
      const lane = laneOf(subject.agentId)
      const seams = { ...lane, environment: environment(), workspace, processes, spent: account.add }
      const { model, took } = lane
      const judges = { header, model, took, spent: account.add, told: workspace.told, investigate: investigateWith(seams) }
      return hookBus(own, subject, { ...shared, judges })
    },
  }
}

/** Who is told of the worktree that the agent of a run is to work in: its hooks, before it begins. What they cost is in its `account`. */
export function ownWorktrees(
  start: Start,
  { session: { id, transcriptPath }, bus, queue }: Extensions,
  account: HookAccount,
  workspace: Workspace,
  signal: AbortSignal,
): WorktreeHooks {
  const subject = { sessionId: id, transcriptPath, cwd: workspace.cwd, agentType: start.name }
  const hooks = agentHooks(bus(start.agent.hooks ?? {}, subject, workspace, account), subject, queue.say)
  return hooks.worktrees({ permissionMode: modeInForce(start), signal })
}

function investigateWith(seams: Parameters<typeof investigate>[2]) {
  return (...[start, signal]: [Parameters<typeof investigate>[0], AbortSignal]) => investigate(start, signal, seams)
}

/** Hooks ask models beside the conversations, so in a recording those of each agent have an order of their own. */
function hookLanes(outside: Outside): (agent: string | undefined) => Pick<Outside, 'model' | 'clock' | 'took'> {
  if (!outside.lane) return () => outside
  const lanes = new Map<string, Pick<Outside, 'model' | 'clock' | 'took'>>()
  return (agent = 'main') => {
    const lane = lanes.get(agent) ?? outside.lane?.(`hooks of ${agent}`) ?? outside
    lanes.set(agent, lane)
    return lane
  }
}

/** A longer message is no sign of progress. */
const MESSAGE = 200

function progressEvent({ name, id }: McpCall, { progress, total, message }: Progress): ToolEvent {
  return {
    type: 'system',
    subtype: 'tool_progress',
    tool_use_id: id,
    name,
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message: message.replace(/\s+/g, ' ').slice(0, MESSAGE) }),
  }
}
