import { z } from 'zod/v3'

/** An MCP server as it is started or called. `${NAME}` in any string is filled in when it is used, never at build time. */
export const serverShape = z.discriminatedUnion('type', [
  z
    .object({
      type: z.literal('stdio'),
      command: z.string(),
      args: z.array(z.string()).optional(),
      env: z.record(z.string()).optional(),
      /** Milliseconds. */
      timeout: z.number().optional(),
    })
    .strict(),
  z
    .object({
      type: z.enum(['http', 'sse', 'ws']),
      url: z.string(),
      headers: z.record(z.string()).optional(),
      /** Milliseconds. */
      timeout: z.number().optional(),
    })
    .strict(),
])

/** A server that an agent uses: one that is configured elsewhere (by name), or its own. */
export const serverUseShape = z.union([
  z.object({ ref: z.string() }).strict(),
  z.object({ name: z.string(), config: serverShape }).strict(),
])

/** A tool of a server as it was when the servers were locked; a later change of it is refused at run time. */
export const lockedToolShape = z
  .object({
    name: z.string(),
    description: z.string(),
    input_schema: z.record(z.unknown()),
    readOnly: z.boolean().optional(),
    hash: z.string(),
  })
  .strict()

/** `agentc.mcp.lock.json`: the tools of the servers that are set up for the session, and of those that an agent brings along. */
export const lockShape = z
  .object({
    agentc: z.literal(1),
    servers: z.record(z.array(lockedToolShape)),
    /** Agent to its own servers. */
    agents: z.record(z.record(z.array(lockedToolShape))).optional(),
  })
  .strict()

export type McpLock = z.infer<typeof lockShape>
export type ServerConfig = z.infer<typeof serverShape>
export type ServerUse = z.infer<typeof serverUseShape>

export type LockedTool = z.infer<typeof lockedToolShape>
