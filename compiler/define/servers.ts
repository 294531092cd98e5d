import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { inToolName } from '../../schemas/mcp-tools.ts'
import type { Located, Range } from '../../schemas/source.ts'
import type { ServerUse } from '../../schemas/shapes/server.ts'
import * as say from '../findings/block.ts'
import { samePrefix } from '../findings/server.ts'
import { typeOf, type Entry, type Node } from '../parse/node.ts'
import { placeIn } from '../source-file.ts'
import { pointAt, refuse, type FieldReader, type Reading } from './reading.ts'
import { serverConfig } from './server-config.ts'

type Use = Located<ServerUse>

/** Reads `mcpServers`: a list of names and one-key maps; a map or one name is accepted and normalised (design 7). */
export const servers: FieldReader<Use[]> = (node, keyRange, reading) => {
  const read = usesIn(node, keyRange, reading)
  if (read && node.kind === 'list') reading.found.push(...samePrefixes(read.value, reading))
  return read
}

/** Servers of the agent's own whose tools are called as those of another one that it uses; the same name twice is only said twice. */
function samePrefixes(uses: readonly Use[], { file }: Reading): Diagnostic[] {
  const nameOf = ({ value }: Use): string => ('ref' in value ? value.ref : value.name)
  const first = new Map<string, Use>()
  return uses.flatMap((use) => {
    const prefix = `mcp__${inToolName(nameOf(use))}__`
    const before = first.get(prefix)
    if (!before) first.set(prefix, use)
    if (!before || ('ref' in use.value && 'ref' in before.value)) return []
    return [samePrefix(file, use.range, nameOf(use), prefix, nameOf(before), placeIn(file, before.range))]
  })
}

const usesIn: FieldReader<Use[]> = (node, keyRange, reading) => {
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
