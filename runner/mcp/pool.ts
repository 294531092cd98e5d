import type { LockedTool, ServerConfig } from '../../schemas/shapes/server.ts'
import type { Start } from '../context.ts'
import type { NoticeEvent } from '../events.ts'
import { notice, type Say } from '../notice-queue.ts'
import type { Processes } from '../processes.ts'
import type { Scope } from '../scope.ts'
import { bodyOf, type FetchSkill } from '../skills/far.ts'
import type { ToolSet } from '../tools/registry.ts'
import { failed, type ToolOutput } from '../tools/tool.ts'
import { Connection, type Ready } from './connection.ts'
import type { McpTools } from './mcp-tool.ts'
import { type Listing, mayOffer, offersOf } from './offer.ts'
import { openServer } from './open-server.ts'
import { type ListedResources, skillsOf } from './skills.ts'
import { mcpToolSet, type TellProgress } from './tool-set.ts'
import type { Connect } from './wire.ts'

export interface PoolOptions {
  /** The servers of the session that count, by name: where a project is not trusted, its servers are not among them. */
  servers: Readonly<Record<string, ServerConfig>>
  /** What the servers of the session are locked to, for who calls one without an agent: hooks do. */
  locks?: Start['header']['mcpTools']
  /** The folder of the plugin that a server comes with, for `${CLAUDE_PLUGIN_ROOT}` in its settings. */
  rootOf?: (server: string) => string | undefined
  /** Whether servers that an agent brings along count. */
  inline?: (start: Start) => boolean
  /** For `${NAME}` in settings, and for programs that are started. */
  env: Readonly<Record<string, string | undefined>>
  /** The project's folder, in which programs are started. */
  cwd: string
  version: string
  processes: Processes
  /** Over which connections servers over http are reached. */
  fetch?: typeof fetch | undefined
  say: Say
  /** Gets the signs of progress of a call. */
  progress?: TellProgress
  /** M22: required servers are waited for up to 30 seconds. Others for less, as the first request waits for them. */
  requiredMs?: number
  optionalMs?: number
  backOff?: readonly number[]
  connect?: Connect
}

/** An agent with its servers: what to run it with, or why it cannot be run. */
export interface Attached {
  start: Start
  tools: ToolSet
  refusal?: string
  notices: readonly NoticeEvent[]
  /** Has the text of a skill that one of the servers offers. */
  fetchSkill: FetchSkill
}

export interface McpPool {
  /**
   * Starts what an agent uses, at the same time, and gives it the tools. Servers of the session are shared by all agents of the run; those
   * that the agent brings along are closed with `scope`. A start that has its tools already (a run that goes on) keeps exactly these.
   */
  attach(start: Start, tools: ToolSet, scope: Scope): Promise<Attached>
  /** Calls a tool of a server of the session, for hooks. */
  call(server: string, tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutput>
  close(): Promise<void>
}

const REQUIRED_MS = 30_000
const OPTIONAL_MS = 10_000
/** A call that gives no sign for so long is given up, unless the server's settings say another time. */
const CALL_MS = 600_000

export function openPool(options: PoolOptions): McpPool {
  const { requiredMs = REQUIRED_MS, optionalMs = OPTIONAL_MS, servers } = options
  const shared = new Map<string, Connection>()
  const ending = new AbortController()
  const connectionTo = (name: string, config: ServerConfig, locked: Listing['locked'], pluginRoot?: string): Connection =>
    new Connection({
      name,
      say: options.say,
      locked: locked === 'missing' ? [] : locked,
      timeoutMs: config.timeout !== undefined && config.timeout >= 1000 ? config.timeout : CALL_MS,
      open: (events) => openServer(config, events, { ...options, pluginRoot, signal: ending.signal, deadlineMs: requiredMs }),
      ...(options.backOff && { backOff: options.backOff }),
    })
  const session = (name: string, header?: Start['header']): Connection => {
    const known =
      shared.get(name) ?? connectionTo(name, servers[name]!, lockOf(header?.mcpTools ?? options.locks, name), options.rootOf?.(name))
    shared.set(name, known)
    return known
  }

  const attach = async (start: Start, tools: ToolSet, scope: Scope): Promise<Attached> => {
    const notices: NoticeEvent[] = []
    const used = new Map<string, Connection>()
    const own = new Set<string>()
    for (const name of wanted(start, servers)) used.set(name, session(name, start.header))
    for (const use of start.agent.servers) {
      if (!('name' in use)) {
        if (!Object.hasOwn(servers, use.ref))
          notices.push(notice('mcp-server', `there is no MCP server ${use.ref}, which ${start.name} uses`))
      } else if (options.inline?.(start) === false) {
        notices.push(notice('mcp-server', `the MCP server ${use.name} of ${start.name} is not started, because the project is not trusted`))
      } else {
        const connection = connectionTo(use.name, use.config, ownLock(start, use.name))
        scope.defer(`the MCP server ${use.name}`, () => connection.close())
        used.set(use.name, connection)
        own.add(use.name)
      }
    }
    const required = start.agent.requiredServers ?? []
    const ready = await readiness(used, (name) => (required.includes(name) ? requiredMs : optionalMs))
    const listings: Listing[] = []
    for (const [server, state] of ready) {
      if ('fault' in state) notices.push(notice('mcp-server', `the MCP server ${server} cannot be used: ${state.fault}`))
      else
        listings.push({
          server,
          tools: state.tools,
          locked: own.has(server) ? ownLock(start, server) : lockOf(start.header.mcpTools, server),
        })
    }
    const found = start.mcpTools ? { tools: start.mcpTools, notices: [] } : offersOf(viewOf(start), listings, start.agent.servers)
    const refusal = start.mcpTools ? undefined : lacking(start.name, required, ready, found.tools)
    const asks = !start.mcpTools && viewOf(start).tools.includes('Skill')
    const offered = asks ? skillsOf(await resourcesOf(listings, used, optionalMs)) : { skills: start.mcpSkills, notices: [] }
    const mcpSkills = offered.skills && Object.keys(offered.skills).length > 0 ? offered.skills : undefined
    return {
      start: used.size > 0 ? { ...start, mcpTools: found.tools, ...(mcpSkills && { mcpSkills }) } : start,
      tools: mcpToolSet(found.tools, used, tools, options.progress),
      fetchSkill: textFrom(used),
      notices: [...notices, ...found.notices, ...offered.notices],
      ...(refusal !== undefined && { refusal }),
    }
  }

  return {
    attach,
    call: (server, tool, input, signal) => {
      if (!Object.hasOwn(servers, server)) return Promise.resolve(failed(`There is no MCP server ${JSON.stringify(server)}.`))
      return session(server).call(tool, input, signal)
    },
    async close() {
      ending.abort()
      await Promise.all([...shared.values()].map((connection) => connection.close()))
    },
  }
}

function viewOf(start: Start): Start['agent']['toolViews']['main'] {
  return start.agent.toolViews[start.role ?? 'main']
}

/** The servers of the session that an agent may have tools of, those it names and those it cannot be without; in a fixed order. */
function wanted(start: Start, servers: PoolOptions['servers']): string[] {
  const { agent } = start
  const inline = new Set(agent.servers.flatMap((use) => ('name' in use ? [use.name] : [])))
  const skills = Object.values(start.mcpSkills ?? {}).map(({ server }) => server)
  const tools = Object.values(start.mcpTools ?? {}).map(({ mcp }) => mcp.server)
  const named = new Set([...(agent.requiredServers ?? []), ...tools, ...skills])
  const isWanted = (name: string): boolean => named.has(name) || mayOffer(viewOf(start), name)
  return Object.keys(servers)
    .filter((name) => !inline.has(name) && isWanted(name))
    .sort()
}

function lockOf(locks: Readonly<Record<string, readonly LockedTool[]>> | undefined, server: string): Listing['locked'] {
  if (!locks) return undefined
  return Object.hasOwn(locks, server) ? locks[server] : 'missing'
}

/** Where there is a lock at all, servers that agents bring along are in it too. */
function ownLock({ agent, header }: Start, server: string): Listing['locked'] {
  return header.mcpTools || agent.mcpTools ? lockOf(agent.mcpTools ?? {}, server) : undefined
}

async function readiness(used: ReadonlyMap<string, Connection>, deadline: (name: string) => number): Promise<Map<string, Ready>> {
  const entries = [...used].map(async ([name, connection]) => [name, await within(connection.ready(), deadline(name))] as const)
  return new Map(await Promise.all(entries))
}

function within(ready: Promise<Ready>, ms: number): Promise<Ready> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ fault: `it was not ready within ${ms / 1000} seconds` }), ms)
    void ready.then((state) => {
      clearTimeout(timer)
      resolve(state)
    })
  })
}

/** What servers list beside their tools; of one that does not say so in time nothing. */
function resourcesOf(listings: readonly Listing[], used: ReadonlyMap<string, Connection>, ms: number): Promise<ListedResources[]> {
  return Promise.all(
    listings.map(async ({ server, locked }) => {
      const resources = await used.get(server)!.resources(AbortSignal.timeout(ms))
      return { server, resources, locked: locked !== undefined }
    }),
  )
}

function textFrom(used: ReadonlyMap<string, Connection>): FetchSkill {
  return async (far, signal) => {
    if (far.kind !== 'mcp') return { refused: 'it is not of an MCP server' }
    const connection = used.get(far.server)
    if (!connection) return { refused: `the MCP server ${far.server} is not set up` }
    const got = await connection.textOf(far.uri, signal)
    return 'fault' in got ? { refused: got.fault } : { text: bodyOf(got.text) }
  }
}

/** M22: a required server that is not there, or gives the agent no tool, keeps it from being run. */
function lacking(agent: string, required: readonly string[], ready: ReadonlyMap<string, Ready>, tools: McpTools): string | undefined {
  const faults = required.flatMap((name): [name: string, fault: string][] => {
    const state = ready.get(name)
    if (!state) return [[name, 'is not set up']]
    if ('fault' in state) return [[name, `cannot be used: ${state.fault}`]]
    return Object.values(tools).some(({ mcp }) => mcp.server === name) ? [] : [[name, 'has no tool that the agent may use']]
  })
  if (faults.length === 0) return undefined
  const names = faults.map(([name]) => name).join(', ')
  return `agent ${agent} needs the MCP ${faults.length === 1 ? 'server' : 'servers'} ${names}: ${faults.map((fault) => fault.join(' ')).join('; ')}`
}
