import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import type { ServerConfig } from '../../../schemas/shapes/server.ts'

export interface Bridge {
  config: ServerConfig
  /** Every session ends at once, as with a server that was restarted: nobody knows their ids any more. */
  forget(): Promise<void>
  sessions(): number
}

interface Session {
  http: StreamableHTTPServerTransport
  end(): Promise<void>
}

/**
 * A server that speaks over its standard streams, over streamable http on loopback: each session of a client has a process of its own, and
 * every message goes through as it is. It ends with the test.
 */
export async function overHttp(config: ServerConfig): Promise<Bridge> {
  const sessions = new Map<string, Session>()
  const server = createServer((request, response) => {
    void (async () => {
      const known = sessions.get(String(request.headers['mcp-session-id']))
      if (known) return known.http.handleRequest(request, response)
      if (request.headers['mcp-session-id'] !== undefined) return void response.writeHead(404).end()
      const { http } = await opened(config, sessions)
      return http.handleRequest(request, response)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const forget = async (): Promise<void> => {
    const all = [...sessions.values()]
    sessions.clear()
    await Promise.all(all.map((session) => session.end()))
  }
  onTestFinished(async () => {
    await forget()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { config: { type: 'http', url: `http://127.0.0.1:${port}/mcp` }, forget, sessions: () => sessions.size }
}

async function opened(config: ServerConfig, sessions: Map<string, Session>): Promise<Session> {
  if (config.type !== 'stdio') throw new Error('only what speaks over its standard streams')
  const env = Object.fromEntries(Object.entries({ ...process.env, ...config.env }).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  const stdio: Transport = new StdioClientTransport({ command: config.command, args: [...(config.args ?? [])], env, stderr: 'ignore' })
  const http = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, session),
    onsessionclosed: (id) => {
      sessions.delete(id)
      void session.end()
    },
  })
  const session: Session = {
    http,
    async end() {
      await http.close()
      await stdio.close()
    },
  }
  const to = http as Transport
  const answer = (message: JSONRPCMessage): void => {
    const answers = 'id' in message && !('method' in message) ? { relatedRequestId: message.id! } : relatedTo(message)
    void to.send(message, answers).catch(() => undefined)
  }
  Object.assign(to, { onmessage: (message: JSONRPCMessage) => void stdio.send(message).catch(() => undefined) })
  Object.assign(stdio, { onmessage: answer, onclose: () => void http.close() })
  await Promise.all([http.start(), stdio.start()])
  return session
}

/** Progress goes the way of the call it is about; its token is the id of that request. */
function relatedTo(message: object): { relatedRequestId: number } | Record<string, never> {
  const token = (message as { params?: { progressToken?: unknown } }).params?.progressToken
  return typeof token === 'number' ? { relatedRequestId: token } : {}
}
