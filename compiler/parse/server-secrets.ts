import type { Range } from '../../schemas/source.ts'
import { isOpen } from '../secret/named.ts'
import { entryOf, type Entry, type MapNode } from './node.ts'

/** The values in an agent's `mcpServers` that are secrets by their names. In: the map that has this key. */
export function secretsOfServers(agent: MapNode): Range[] {
  const servers = entryOf(agent, 'mcpServers')?.value
  if (!servers || servers.kind === 'scalar') return []
  const maps = servers.kind === 'map' ? [servers] : servers.items.flatMap((item) => (item.kind === 'map' ? [item] : []))
  return maps.flatMap(({ entries }) => entries.flatMap(({ value }) => (value.kind === 'map' ? secretsOf(value) : [])))
}

function secretsOf(server: MapNode): Range[] {
  return (['env', 'headers'] as const).flatMap((kind) => {
    const values = entryOf(server, kind)?.value
    const pairs: readonly Entry[] = values?.kind === 'map' ? values.entries : []
    return pairs.filter(({ key, value }) => value.kind === 'scalar' && isOpen(key, value.value, kind)).map(({ value }) => value.range)
  })
}
