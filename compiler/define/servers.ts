import type { Located, Range } from '../../schemas/source.ts'
import type { ServerConfig, ServerUse } from '../../schemas/shapes/server.ts'
import * as say from '../findings/block.ts'
import { entryOf, typeOf, type Entry, type MapNode, type Node } from '../parse/node.ts'
import { pointAt, refuse, type FieldReader, type Reading } from './reading.ts'

type Use = Located<ServerUse>

/** Reads `mcpServers`: a list of names and one-key maps; a map or one name is accepted and normalised (design 7). */
export const servers: FieldReader<Use[]> = (node, keyRange, reading) => {
  if (node.kind === 'list') return { value: node.items.flatMap((item) => fromItem(item, keyRange, reading)), range: node.range }
  if (node.kind === 'map') {
    reading.found.push(say.serversMap(reading.file, keyRange))
    return { value: node.entries.flatMap((entry) => inline(entry, reading)), range: node.range }
  }
  if (typeof node.value === 'string' && node.value.trim() !== '') {
    return { value: [{ value: { ref: node.value.trim() }, range: node.range }], range: node.range }
  }
  return refuse('mcpServers', node, keyRange, reading, 'a list of servers')
}

function fromItem(item: Node, keyRange: Range, reading: Reading): Use[] {
  if (item.kind === 'scalar' && typeof item.value === 'string' && item.value.trim() !== '')
    return [{ value: { ref: item.value.trim() }, range: item.range }]
  if (item.kind === 'map') return item.entries.flatMap((entry) => inline(entry, reading))
  reading.found.push(
    say.serverInvalid(reading.file, pointAt(item, keyRange, reading.file), `An entry of \`mcpServers\` is ${typeOf(item)}`),
  )
  return []
}

function inline({ key, keyRange, value }: Entry, reading: Reading): Use[] {
  if (value.kind === 'scalar' && value.value === null) return [{ value: { ref: key }, range: keyRange }]
  if (value.kind !== 'map') {
    reading.found.push(
      say.serverInvalid(
        reading.file,
        pointAt(value, keyRange, reading.file),
        `The settings of the server \`${key}\` are ${typeOf(value)}, not a map`,
      ),
    )
    return []
  }
  const config = serverConfig(value)
  if (config) return [{ value: { name: key, config }, range: keyRange }]
  reading.found.push(say.serverIncomplete(reading.file, keyRange, key))
  return []
}

/** The settings of one server, or nothing if it has neither command nor address. `${NAME}` stays as it is. */
export function serverConfig(map: MapNode): ServerConfig | undefined {
  const type = text(map, 'type')
  const command = text(map, 'command')
  const url = text(map, 'url')
  const timeout = entryOf(map, 'timeout')?.value
  const common = timeout?.kind === 'scalar' && typeof timeout.value === 'number' ? { timeout: timeout.value } : {}
  if (command !== undefined && (type === undefined || type === 'stdio')) {
    return { type: 'stdio', command, ...listOf(map, 'args'), ...recordOf(map, 'env'), ...common } as ServerConfig
  }
  if (url === undefined) return undefined
  const kind = type === 'sse' || type === 'ws' ? type : 'http'
  return { type: kind, url, ...recordOf(map, 'headers'), ...common } as ServerConfig
}

function text(map: MapNode, key: string): string | undefined {
  const node = entryOf(map, key)?.value
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value !== '' ? node.value : undefined
}

function listOf(map: MapNode, key: string): Record<string, string[]> {
  const node = entryOf(map, key)?.value
  return node?.kind === 'list' ? { [key]: node.items.flatMap((item) => (item.kind === 'scalar' ? [String(item.value)] : [])) } : {}
}

function recordOf(map: MapNode, key: string): Record<string, Record<string, string>> {
  const node = entryOf(map, key)?.value
  if (node?.kind !== 'map') return {}
  return {
    [key]: Object.fromEntries(
      node.entries.flatMap(({ key: name, value }) => (value.kind === 'scalar' ? [[name, String(value.value)]] : [])),
    ),
  }
}
