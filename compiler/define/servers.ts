import type { Located, Range } from '../../schemas/source.ts'
import type { ServerUse } from '../../schemas/shapes/server.ts'
import * as say from '../findings/block.ts'
import { typeOf, type Entry, type Node } from '../parse/node.ts'
import { pointAt, refuse, type FieldReader, type Reading } from './reading.ts'
import { serverConfig } from './server-config.ts'

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
  const config = serverConfig({ key, keyRange, value }, reading)
  return config ? [{ value: { name: key, config }, range: keyRange }] : []
}
