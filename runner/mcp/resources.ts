import { failed, fine, type Tool, type ToolOutput } from '../tools/tool.ts'
import type { Connection } from './connection.ts'
import { contentsOf, resourceLine } from './result.ts'

/** Lines of a list that the model gets. */
const LIMIT = 500

/** ListMcpResources and ReadMcpResource, for the servers of one agent, by name. */
export function resourceTools(servers: ReadonlyMap<string, Connection>): { ListMcpResources: Tool; ReadMcpResource: Tool } {
  const one = (name: string): Connection | ToolOutput =>
    servers.get(name) ?? failed(`There is no MCP server ${JSON.stringify(name)}. There are: ${[...servers.keys()].sort().join(', ')}.`)
  return {
    ListMcpResources: {
      run: async ({ server }, { signal }) => {
        const asked = server === undefined ? [...servers.values()] : [one(server as string)]
        const texts = await Promise.all(asked.map((item) => ('isError' in item ? item : listOf(item, signal))))
        const text = texts.map((output) => output.text).join('\n')
        return texts.every(({ isError }) => isError) ? failed(text) : fine(text)
      },
    },
    ReadMcpResource: {
      run: async ({ server, uri }, { signal }) => {
        const item = one(server as string)
        if ('isError' in item) return item
        return item.ask(async (wire, options) => contentsOf(await wire.read(uri as string, options)), signal)
      },
    },
  }
}

function listOf(server: Connection, signal: AbortSignal): Promise<ToolOutput> {
  return server.ask(async (wire, options) => {
    const all = await wire.resources(options)
    const lines = all.slice(0, LIMIT).map((item) => `  ${resourceLine(item)}`)
    if (all.length > LIMIT) lines.push(`  [${all.length - LIMIT} more left out]`)
    return fine([`${server.name}:${all.length === 0 ? ' no resources' : ''}`, ...lines].join('\n'))
  }, signal)
}
