import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { validateLock } from '../../schemas/generated/lock-validator.js'
import { lockedToolHash } from '../../schemas/mcp-tools.ts'
import type { LockedTool, McpLock } from '../../schemas/shapes/server.ts'
import type { Range } from '../../schemas/source.ts'
import * as say from '../findings/server.ts'
import { readJson } from '../parse/json-document.ts'
import { entryOf, type MapNode, type Node } from '../parse/node.ts'
import type { SourceFile } from '../source-file.ts'

/** The tools of MCP servers as they were when somebody looked at them (`agentc build --lock-mcp`). */
export interface Lock {
  file: SourceFile
  content: McpLock
  /** The place of a tool's name, for findings. */
  rangeOf: (server: string, tool: string, agent?: string) => Range
}

/** Reads a lock file. A damaged one is an error: views would come out narrower than they are, and changed tools would pass. */
export function readLock(file: SourceFile): { lock?: Lock; diagnostics: Diagnostic[] } {
  const refuse = (at: Range, problem: string): { diagnostics: Diagnostic[] } => ({ diagnostics: [say.invalidLock(file, at, problem)] })
  const result = readJson(file.text)
  if ('fault' in result) return refuse(result.fault.range, `is not JSON (${result.fault.message})`)
  const content: unknown = JSON.parse(file.text)
  if (!validateLock(content)) {
    const [fault] = validateLock.errors ?? []
    const path = fault?.instancePath.split('/').slice(1) ?? []
    return refuse(
      placeOf(result.root, path.map(unescaped)),
      `has a wrong shape (${path.at(-1) ?? 'it'} ${fault?.message ?? 'does not fit'})`,
    )
  }
  const lock: Lock = {
    file,
    content: content as McpLock,
    rangeOf: (server, tool, agent) => toolRange(result.root, agent === undefined ? ['servers', server] : ['agents', agent, server], tool),
  }
  const edited = allTools(lock.content).find(({ tool }) => tool.hash !== lockedToolHash(tool))
  if (!edited) return { lock, diagnostics: [] }
  return refuse(
    lock.rangeOf(edited.server, edited.tool.name, edited.agent),
    `was changed by hand: the hash of ${edited.tool.name} does not fit`,
  )
}

/** Every locked tool with the server it belongs to, and the agent if the server is an agent's own. */
export function allTools({ servers, agents = {} }: McpLock): { server: string; agent?: string; tool: LockedTool }[] {
  const own = Object.entries(agents).flatMap(([agent, lists]) =>
    Object.entries(lists).flatMap(([server, tools]) => tools.map((tool) => ({ server, agent, tool }))),
  )
  return [...Object.entries(servers).flatMap(([server, tools]) => tools.map((tool) => ({ server, tool }))), ...own]
}

/** The text of a lock file: names in order, the tools of a server as it lists them. */
export function lockText({ servers, agents = {} }: McpLock): string {
  const sorted = <T>(record: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
  const own = sorted(Object.fromEntries(Object.entries(agents).map(([agent, lists]) => [agent, sorted(lists)])))
  const lock: McpLock = { agentc: 1, servers: sorted(servers), ...(Object.keys(own).length > 0 && { agents: own }) }
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** In: the parts of a JSON pointer. Out: the place of the deepest part that is there. */
function placeOf(root: Node, path: readonly string[]): Range {
  let node: Node = root
  let range: Range = [0, 1]
  for (const key of path) {
    const entry: { value: Node; keyRange: Range } | undefined =
      node.kind === 'map' ? entryOf(node, key) : node.kind === 'list' ? itemOf(node.items, key) : undefined
    if (!entry) break
    node = entry.value
    range = entry.keyRange
  }
  return range
}

function itemOf(items: readonly Node[], key: string): { value: Node; keyRange: Range } | undefined {
  const value = items[Number(key)]
  return value && { value, keyRange: [value.range[0], value.range[0] + 1] }
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

function toolRange(root: Node, path: readonly string[], tool: string): Range {
  let node: Node | undefined = root
  for (const key of path) node = node?.kind === 'map' ? entryOf(node, key)?.value : undefined
  const items = node?.kind === 'list' ? node.items : []
  const names = items.flatMap((item) => (item.kind === 'map' ? [nameIn(item)] : []))
  return names.find((name) => name?.kind === 'scalar' && name.value === tool)?.range ?? placeOf(root, path)
}

function nameIn(tool: MapNode): Node | undefined {
  return entryOf(tool, 'name')?.value
}
