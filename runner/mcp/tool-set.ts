import type { ToolSet } from '../tools/registry.ts'
import { failed, type Tool } from '../tools/tool.ts'
import type { Connection } from './connection.ts'
import type { McpTool, McpTools } from './mcp-tool.ts'
import { resourceTools } from './resources.ts'
import type { Progress } from './wire.ts'

/** A call of a tool: its full name and the id of the call. */
export interface McpCall {
  name: string
  id: string
}

/** Gets the signs of progress of a call. */
export type TellProgress = (call: McpCall, progress: Progress) => void

/** The tools of an agent's servers, and the two for their resources, before those that the agent has anyway. */
export function mcpToolSet(offered: McpTools, used: ReadonlyMap<string, Connection>, others: ToolSet, progress?: TellProgress): ToolSet {
  const resources = resourceTools(used)
  return (name) => {
    if (Object.hasOwn(offered, name)) return toolOf(name, offered[name]!, used, progress)
    const own = used.size > 0 && (name === 'ListMcpResources' || name === 'ReadMcpResource')
    return own ? resources[name] : others(name)
  }
}

/** The server checks the input: its schema came from elsewhere and is not made into code here. */
function toolOf(name: string, { mcp }: McpTool, used: ReadonlyMap<string, Connection>, progress?: TellProgress): Tool {
  return {
    checksInput: true,
    run: async (input, { signal, caller }) => {
      const connection = used.get(mcp.server)
      if (!connection) return failed(`The MCP server ${mcp.server} is not set up any more.`)
      return connection.call(mcp.tool, input, signal, (now) => {
        caller?.seen?.()
        progress?.({ name, id: caller?.call ?? '' }, now)
      })
    },
  }
}
