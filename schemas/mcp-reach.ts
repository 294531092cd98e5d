import { urlOf } from './url.ts'
import type { ServerConfig } from './shapes/server.ts'

/** What both sides that reach MCP servers over http have in common, in words that end a sentence. */

export interface Address {
  url: URL
  requestInit: RequestInit
}

/** Where a server is reached that is not started as a program, and how it is asked; or why it is not. */
export function addressOf(config: Exclude<ServerConfig, { type: 'stdio' }>): Address | { fault: string } {
  if (config.type === 'ws') return { fault: 'agentc does not speak to servers of the type ws' }
  const url = urlOf(config.url)
  if (!url || !/^https?:$/.test(url.protocol)) return { fault: 'its `url` is no address that begins with http:// or https://' }
  return { url, requestInit: { redirect: 'error', ...(config.headers && { headers: config.headers }) } }
}

/** Why a server did not answer as it should; `what` is the answer that was waited for. What a server says is never in it. */
export function answerFault(error: unknown, what: string): string {
  const cause = error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined
  if (typeof cause === 'string') return `it cannot be reached (${cause})`
  return error instanceof Error && error.name === 'ZodError' ? `${what} has a wrong shape` : 'it does not answer as an MCP server does'
}
