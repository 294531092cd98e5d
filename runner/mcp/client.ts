import { setMaxListeners } from 'node:events'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolResultSchema,
  ErrorCode,
  ListResourcesResultSchema,
  ListToolsResultSchema,
  McpError,
  ReadResourceResultSchema,
  type Tool,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { addressOf, answerFault } from '../../schemas/mcp-reach.ts'
import { StdioTransport } from './stdio.ts'
import { type CallOptions, type Connect, Late, type ListedTool, type Reach, Refused, Unreachable, type Wire } from './wire.ts'

/** More of them, or a longer way to them, is a server that does not come to an end. */
const ITEM_LIMIT = 2000
const PAGE_LIMIT = 200
/** How long a server over http may take to hear that its session has ended. */
const FAREWELL_MS = 500

/**
 * The runner's door to the SDK; whoever calls it loads the SDK first. Connects to a server and lists its tools, in the time that `reach`
 * gives. A server that does not is closed again with everything it started. Throws `Unreachable`.
 */
export const connect: Connect = async (reach, events) => {
  const transport = transportFor(reach)
  const client = new Client({ name: 'agentc', version: reach.version })
  const late = AbortSignal.timeout(reach.deadlineMs)
  const signal = AbortSignal.any([late, reach.signal])
  setMaxListeners(0, signal, reach.signal)
  const options: CallOptions = { signal, timeoutMs: reach.deadlineMs }
  try {
    await withSignal(client.connect(transport, requestOptions(options)), signal)
    const wire = { list: (now: CallOptions) => guarded(transport, () => toolsOf(client, now)) }
    const tools = await withSignal(wire.list(options), signal)
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.changed())
    Object.assign(client, { onclose: () => events.closed(endOf(transport)) })
    if (transport instanceof StdioTransport && transport.ended !== undefined) throw new Unreachable(transport.ended)
    return { ...wire, ...asked(client, transport), tools, close: () => close(client, transport) }
  } catch (error) {
    await close(client, transport)
    if (reach.signal.aborted) throw new Unreachable('the run was interrupted')
    throw new Unreachable(late.aborted ? `it did not answer within ${reach.deadlineMs / 1000} seconds` : reasonOf(error, transport))
  }
}

function asked(client: Client, transport: Transport): Pick<Wire, 'call' | 'resources' | 'read'> {
  return {
    // Not `client.callTool`: it compiles schemas that the server sent.
    call: (name, input, options) =>
      guarded(transport, () =>
        client.request({ method: 'tools/call', params: { name, arguments: input } }, CallToolResultSchema, requestOptions(options)),
      ),
    resources: (options) => guarded(transport, () => resourcesOf(client, options)),
    read: (uri, options) =>
      guarded(transport, async () => {
        const result = await client.request(
          { method: 'resources/read', params: { uri } },
          ReadResourceResultSchema,
          requestOptions(options),
        )
        return result.contents as Awaited<ReturnType<Wire['read']>>
      }),
  }
}

function requestOptions({ signal, timeoutMs, progress }: CallOptions): RequestOptions {
  return { signal, timeout: timeoutMs, ...(progress && { onprogress: progress, resetTimeoutOnProgress: true }) }
}

function transportFor({ config, env, cwd, processes, fetch }: Reach): Transport {
  if (config.type === 'stdio') return new StdioTransport({ command: config.command, args: config.args ?? [], env, cwd }, processes)
  const address = addressOf(config)
  if ('fault' in address) throw new Unreachable(address.fault)
  const { url, requestInit } = address
  const options = { requestInit, ...(fetch && { fetch }) }
  return config.type === 'sse' ? new SSEClientTransport(url, options) : (new StreamableHTTPClientTransport(url, options) as Transport)
}

async function toolsOf(client: Client, options: CallOptions): Promise<ListedTool[]> {
  if (!client.getServerCapabilities()?.tools) return []
  const tools = await allPages(async (params) => {
    // Not `client.listTools`: it compiles the schemas that the server sends.
    const { tools: items, nextCursor } = await client.request(
      { method: 'tools/list', params },
      ListToolsResultSchema,
      requestOptions(options),
    )
    return { items, nextCursor }
  })
  return tools.map(listedTool)
}

function listedTool({ name, description = '', inputSchema, annotations }: Tool): ListedTool {
  return { name, description, input_schema: inputSchema, readOnly: annotations?.readOnlyHint === true }
}

async function resourcesOf(client: Client, options: CallOptions): ReturnType<Wire['resources']> {
  if (!client.getServerCapabilities()?.resources) return []
  return allPages(async (params) => {
    const page = await client.request({ method: 'resources/list', params }, ListResourcesResultSchema, requestOptions(options))
    return { items: page.resources, nextCursor: page.nextCursor }
  })
}

async function allPages<T>(page: (params: { cursor?: string }) => Promise<{ items: T[]; nextCursor?: string | undefined }>): Promise<T[]> {
  const all: T[] = []
  let cursor: string | undefined
  for (let at = 0; at < PAGE_LIMIT; at++) {
    const { items, nextCursor } = await page(cursor === undefined ? {} : { cursor })
    all.push(...items)
    cursor = nextCursor
    if (all.length > ITEM_LIMIT) break
    if (cursor === undefined) return all
  }
  throw new Unreachable(`it lists more than ${ITEM_LIMIT} things, or does not come to an end`)
}

/** Turns what the SDK throws into the three errors of a `Wire`. */
async function guarded<T>(transport: Transport, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof McpError && error.code === (ErrorCode.RequestTimeout as number)) throw new Late(error.message)
    if (error instanceof McpError && error.code !== (ErrorCode.ConnectionClosed as number)) throw new Refused(error.message)
    throw new Unreachable(reasonOf(error, transport))
  }
}

/** The SDK waits for some things without its signal; this never does. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new Unreachable('late'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work, aborted])
}

async function close(client: Client, transport: Transport): Promise<void> {
  delete client.onclose
  if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
    await withSignal(transport.terminateSession(), AbortSignal.timeout(FAREWELL_MS)).catch(() => undefined)
  }
  await Promise.allSettled([client.close(), transport.close()])
}

function endOf(transport: Transport): string {
  return (transport instanceof StdioTransport ? transport.ended : undefined) ?? 'it closed the connection'
}

function reasonOf(error: unknown, transport: Transport): string {
  if (transport instanceof StdioTransport && transport.ended !== undefined) return transport.ended
  if (error instanceof Unreachable) return error.message
  if (error instanceof StreamableHTTPError && error.code !== undefined) return `it answers with status ${error.code}`
  if (error instanceof McpError) return `it answers with the error ${error.code}`
  return answerFault(error, 'what it answers')
}
