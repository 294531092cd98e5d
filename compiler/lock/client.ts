import { setMaxListeners } from 'node:events'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ListToolsResultSchema, McpError, type Tool } from '@modelcontextprotocol/sdk/types.js'
import { addressOf, answerFault } from '../../schemas/mcp-reach.ts'
import type { ServerConfig } from '../../schemas/shapes/server.ts'
import type { Kill } from './processes.ts'
import { StdioTransport } from './stdio.ts'

/** How a server is reached, with every reference filled in. */
export interface Reach {
  config: ServerConfig
  /** Of a program that is started: its whole environment, and its working directory. */
  env: Readonly<Record<string, string>>
  cwd: string
  /** The marks of the runs that this process is inside of. */
  outer: string | undefined
  /** agentc's version, which the server is told. */
  version: string
  deadlineMs: number
  kill: Kill
  /** Stops everything at once. */
  signal?: AbortSignal | undefined
}

/** More tools, or a longer way to them, is a server that does not come to an end. */
const TOOL_LIMIT = 2000
const PAGE_LIMIT = 200

/** Why a server could not be asked, as the end of a sentence. It never holds what the server said. */
export class Unreachable extends Error {}

/** Connects to a server, lists all of its tools, and closes it with everything it started, whatever happens. Throws `Unreachable`. */
export async function listTools(reach: Reach): Promise<Tool[]> {
  const transport = transportFor(reach)
  const client = new Client({ name: 'agentc', version: reach.version })
  const late = AbortSignal.timeout(reach.deadlineMs)
  const signal = reach.signal ? AbortSignal.any([late, reach.signal]) : late
  setMaxListeners(0, signal)
  try {
    return await Promise.race([allPages(client, transport, signal, reach.deadlineMs), whenAborted(signal)])
  } catch (error) {
    throw new Unreachable(reach.signal?.aborted ? 'it was stopped' : reasonOf(error, transport, late, reach.deadlineMs))
  } finally {
    await Promise.allSettled([client.close(), transport.close()])
  }
}

function transportFor({ config, env, cwd, outer, kill }: Reach): Transport {
  if (config.type === 'stdio') return new StdioTransport({ command: config.command, args: config.args ?? [], env, cwd, outer, kill })
  const address = addressOf(config)
  if ('fault' in address) throw new Unreachable(address.fault)
  const { url, requestInit } = address
  const transport =
    config.type === 'http' ? new StreamableHTTPClientTransport(url, { requestInit }) : new SSEClientTransport(url, { requestInit })
  return transport as Transport
}

async function allPages(client: Client, transport: Transport, signal: AbortSignal, timeout: number): Promise<Tool[]> {
  await client.connect(transport, { signal, timeout })
  if (!client.getServerCapabilities()?.tools) return []
  const tools: Tool[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGE_LIMIT; page++) {
    const params = cursor === undefined ? {} : { cursor }
    // Not `client.listTools`: it compiles the schemas that the server sends.
    const result = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, { signal, timeout })
    tools.push(...result.tools)
    cursor = result.nextCursor
    if (tools.length > TOOL_LIMIT) break
    if (cursor === undefined) return tools
  }
  throw new Unreachable(`it lists more than ${TOOL_LIMIT} tools, or does not come to an end`)
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(new Unreachable('late'))
    else signal.addEventListener('abort', () => reject(new Unreachable('late')), { once: true })
  })
}

function reasonOf(error: unknown, transport: Transport, { aborted }: AbortSignal, deadlineMs: number): string {
  if (aborted) return `it did not answer within ${deadlineMs / 1000} seconds`
  if (transport instanceof StdioTransport && transport.ended !== undefined) return transport.ended
  if (error instanceof Unreachable) return error.message
  if (error instanceof StreamableHTTPError && error.code !== undefined) return `it answers with status ${error.code}`
  if (error instanceof McpError) return `it answers with the error ${error.code}`
  return answerFault(error, 'its list of tools')
}
