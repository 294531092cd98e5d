import type { Diagnostic, Place } from '../../schemas/diagnostic.ts'
import { lockedToolHash } from '../../schemas/mcp-tools.ts'
import { MARKER } from '../../schemas/run-mark.ts'
import { fillIn, namesIn, serverEnvironment } from '../../schemas/server-variables.ts'
import type { LockedTool, McpLock, ServerConfig } from '../../schemas/shapes/server.ts'
import { notLocked } from '../findings/server.ts'
import type { Resolution } from '../resolve/resolved.ts'
import { withReferences } from '../secret/mask.ts'
import type { Servers } from '../servers/server.ts'
import { placeIn } from '../source-file.ts'
import type { Reach } from './client.ts'
import type { Kill } from './processes.ts'

/** What starting servers needs besides their settings. */
export interface LockOptions {
  /** Of programs that are started: the project's folder. */
  cwd: string
  /** The environment, for `${NAME}` in the settings. */
  env: Readonly<Record<string, string | undefined>>
  version: string
  kill: Kill
  deadlineMs?: number
  /** Stops everything at once. */
  signal?: AbortSignal
}

/** A server that has to answer within it. M22: servers are waited for up to 30 seconds. */
const DEADLINE_MS = 30_000
/** So many are asked at once. */
const AT_ONCE = 8
/** A deeper schema is no description of an input. */
const DEPTH_LIMIT = 64

interface Asked {
  server: string
  /** The agent whose own server it is. */
  agent?: string
  config: ServerConfig
  place: Place
  pluginFolder?: string
}

/**
 * Starts every server that is set up, and those that agents bring along, and lists their tools: the one place where something of the
 * compiled project runs, and only because it was asked for (`build --lock-mcp`). Each has a process group of its own and nothing of it is
 * left when this returns. Out: the lock of those that answered, and a finding for each that did not.
 */
export async function lockServers(
  { servers, resolution }: { servers: Servers; resolution: Resolution },
  options: LockOptions,
): Promise<{ content: McpLock; diagnostics: Diagnostic[] }> {
  const all = [...fromFiles(servers), ...fromAgents(resolution)]
  const content: McpLock = { agentc: 1, servers: {} }
  if (all.length === 0) return { content, diagnostics: [] }
  const results = new Map<Asked, LockedTool[] | Diagnostic>()
  const waiting = [...all]
  const worker = async (): Promise<void> => {
    for (let asked = waiting.shift(); asked; asked = waiting.shift()) results.set(asked, await answerOf(asked, options))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const diagnostics: Diagnostic[] = []
  for (const asked of all) {
    const result = results.get(asked)!
    if (Array.isArray(result)) keep(content, asked, result)
    else diagnostics.push(result)
  }
  return { content, diagnostics }
}

async function answerOf(asked: Asked, options: LockOptions): Promise<LockedTool[] | Diagnostic> {
  const { listTools, Unreachable } = await import('./client.ts')
  try {
    const tools = (await listTools(reachOf(asked, options))).map(lockedTool)
    refuseSecrets(asked, tools, options)
    return tools
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Refused)) throw error
    return notLocked(asked.place, asked.server, error.message)
  }
}

class Refused extends Error {}

function fromFiles(servers: Servers): Asked[] {
  return [...servers.values()].map(({ name, config, file, range, pluginFolder }) => ({
    server: name,
    config,
    place: placeIn(file, range),
    ...(pluginFolder !== undefined && { pluginFolder }),
  }))
}

function fromAgents({ agents }: Resolution): Asked[] {
  return [...agents].flatMap(([agent, { definition }]) =>
    (definition.mcpServers?.value ?? []).flatMap(({ value, range }) =>
      'name' in value ? [{ server: value.name, agent, config: value.config, place: placeIn(definition.file, range) }] : [],
    ),
  )
}

/** What stands in place of a secret that was hidden when the file was read. */
const HIDDEN = 'AGENTC_REDACTED'

function reachOf({ config, pluginFolder }: Asked, { env, deadlineMs = DEADLINE_MS, cwd, version, kill, signal }: LockOptions): Reach {
  const values = { ...env, CLAUDE_PROJECT_DIR: cwd, ...(pluginFolder !== undefined && { CLAUDE_PLUGIN_ROOT: pluginFolder }) }
  const written = withReferences(config)
  if (namesIn(written).includes(HIDDEN)) throw new Refused('its settings hold a secret as plain text, which agentc passes on to nobody')
  const filled = fillIn(written, values)
  if ('unset' in filled) throw new Refused(`the variable ${filled.unset}, which its settings name, is not set`)
  const environment = filled.config.type === 'stdio' ? serverEnvironment(written, filled.config, values) : {}
  return { config: filled.config, env: environment, cwd, outer: env[MARKER], version, kill, deadlineMs, signal }
}

function keep(content: McpLock, { server, agent }: Asked, tools: LockedTool[]): void {
  if (agent === undefined) content.servers[server] = tools
  else ((content.agents ??= {})[agent] ??= {})[server] = tools
}

function lockedTool({ name, description = '', inputSchema, annotations }: ListedTool): LockedTool {
  if (isTooDeep(inputSchema, DEPTH_LIMIT)) throw new Refused('the schema of one of its tools is nested too deeply')
  const tool = { name, description, input_schema: inputSchema, ...(annotations?.readOnlyHint === true && { readOnly: true }) }
  return { ...tool, hash: lockedToolHash(tool) }
}

const SECRET_NAME = /key|token|secret|pass|auth|cred/i
/** A shorter value may stand in a text by chance. */
const SECRET_LENGTH = 8

/** The lock is committed: a server that repeats what it was given in confidence is not locked. */
function refuseSecrets({ config }: Asked, tools: readonly LockedTool[], { env }: LockOptions): void {
  const text = JSON.stringify(tools)
  const leaked = namesIn(config).find(
    (name) => SECRET_NAME.test(name) && (env[name]?.length ?? 0) >= SECRET_LENGTH && text.includes(env[name]!),
  )
  if (leaked !== undefined) throw new Refused(`what it says about its tools holds the value of ${leaked}`)
}

/** What a server says about a tool, as far as it is locked. */
interface ListedTool {
  name: string
  description?: string | undefined
  inputSchema: Record<string, unknown>
  annotations?: { readOnlyHint?: boolean | undefined } | undefined
}

function isTooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((member) => isTooDeep(member, left - 1))
}
