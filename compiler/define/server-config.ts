import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { didYouMean } from '../../schemas/near.ts'
import type { ServerConfig } from '../../schemas/shapes/server.ts'
import * as sayBlock from '../findings/block.ts'
import * as say from '../findings/server.ts'
import { namedSecret } from '../findings/security.ts'
import { isMasked, isNamedSecret, referenceFor } from '../secret/named.ts'
import { entryOf, typeOf, type Entry, type MapNode, type Node } from '../parse/node.ts'
import type { SourceFile } from '../source-file.ts'
import { pointAt } from './reading.ts'

/** What reading a server's settings needs: the file, and a place to put what is found. */
export interface ServerReading {
  file: SourceFile
  found: Diagnostic[]
}

/** `streamable-http` is another word for http (claude-code-agents.md 10.2). */
const TYPES: Readonly<Record<string, 'stdio' | 'http' | 'sse' | 'ws'>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  sse: 'sse',
  ws: 'ws',
}

/** Names that Claude Code keeps for servers of its own (claude-code-agents.md 10.2). */
const RESERVED = new Set(['workspace', 'claude-in-chrome', 'computer-use', 'Claude Preview', 'Claude Browser'])

/** A shorter timeout is ignored: whoever writes 30 means seconds (claude-code-agents.md 10.2). */
const SHORTEST_TIMEOUT = 1000

/**
 * In: a server's name with its settings, of `.mcp.json` or of an agent's `mcpServers`. Out: the settings, or nothing if nobody can start or
 * reach it, which is reported. `${NAME}` and `${NAME:-default}` stay as they are: the environment is never read at build time.
 */
export function serverConfig({ key, keyRange, value: map }: Entry & { value: MapNode }, reading: ServerReading): ServerConfig | undefined {
  const { file, found } = reading
  if (RESERVED.has(key)) found.push(say.reservedName(file, keyRange, key))
  const type = typeIn(key, map, reading)
  if (type === 'unknown') return undefined
  const command = text(map, 'command')
  const url = text(map, 'url')
  const common = timeout(key, map, reading)
  if (command !== undefined && (type === undefined || type === 'stdio'))
    return { type: 'stdio', command, ...args(key, map, reading), ...record(key, map, 'env', reading), ...common }
  if (url === undefined || type === 'stdio') {
    found.push(sayBlock.serverIncomplete(file, keyRange, key))
    return undefined
  }
  if (type === undefined) found.push(say.urlWithoutType(file, entryOf(map, 'url')!.keyRange, key))
  return { type: type ?? 'http', url, ...record(key, map, 'headers', reading), ...common }
}

function typeIn(server: string, map: MapNode, { file, found }: ServerReading): 'stdio' | 'http' | 'sse' | 'ws' | 'unknown' | undefined {
  const entry = entryOf(map, 'type')
  if (!entry) return undefined
  const written = entry.value.kind === 'scalar' ? String(entry.value.value) : typeOf(entry.value)
  if (Object.hasOwn(TYPES, written)) return TYPES[written]!
  found.push(say.unknownType(file, pointAt(entry.value, entry.keyRange, file), server, written, didYouMean(written, Object.keys(TYPES))))
  return 'unknown'
}

function text(map: MapNode, key: string): string | undefined {
  const node = entryOf(map, key)?.value
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value !== '' ? node.value : undefined
}

function timeout(server: string, map: MapNode, { file, found }: ServerReading): { timeout?: number } {
  const entry = entryOf(map, 'timeout')
  if (!entry) return {}
  const value = entry.value.kind === 'scalar' ? entry.value.value : undefined
  if (typeof value === 'number' && value >= SHORTEST_TIMEOUT) return { timeout: value }
  const problem = typeof value === 'number' ? `is ${value} milliseconds, which is too short` : `is ${typeOf(entry.value)}, not a number`
  found.push(say.ignoredPart(file, pointAt(entry.value, entry.keyRange, file), server, 'timeout', problem))
  return {}
}

function args(server: string, map: MapNode, { file, found }: ServerReading): { args?: string[] } {
  const entry = entryOf(map, 'args')
  if (!entry) return {}
  if (entry.value.kind === 'list' && entry.value.items.every(isText)) return { args: entry.value.items.map(textOf) }
  const problem = entry.value.kind === 'list' ? 'holds something other than texts' : `is ${typeOf(entry.value)}, not a list`
  found.push(say.ignoredPart(file, entry.keyRange, server, 'args', problem))
  return {}
}

function record<K extends 'env' | 'headers'>(
  server: string,
  map: MapNode,
  key: K,
  { file, found }: ServerReading,
): { [P in K]?: Record<string, string> } {
  const entry = entryOf(map, key)
  if (!entry) return {}
  const { value } = entry
  if (value.kind !== 'map') {
    found.push(say.ignoredPart(file, entry.keyRange, server, key, `is ${typeOf(value)}, not a map`))
    return {}
  }
  const wrong = value.entries.filter((item) => !isText(item.value))
  for (const item of wrong)
    found.push(say.ignoredPart(file, item.keyRange, server, `${key}.${item.key}`, `is ${typeOf(item.value)}, not a text`))
  const pairs = value.entries.filter((item) => isText(item.value)).map((item) => [item.key, valueOf(item, key, server, { file, found })])
  return { [key]: Object.fromEntries(pairs) } as { [P in K]?: Record<string, string> }
}

/** In place of a secret stands the variable that a run takes it from; one that is hidden for its looks is said elsewhere. */
function valueOf({ key, keyRange, value }: Entry, kind: 'env' | 'headers', server: string, { file, found }: ServerReading): string {
  if (value.kind !== 'scalar' || !isNamedSecret(key, value.value, kind)) return textOf(value)
  const reference = referenceFor(key)
  if (!isMasked(value.value)) found.push(namedSecret(file, keyRange, server, `${kind}.${key}`, reference))
  return reference
}

/** Numbers and truth values are taken as they read: `PORT: 8080`. */
function isText(node: Node): boolean {
  return node.kind === 'scalar' && node.value !== null
}

function textOf(node: Node): string {
  return node.kind === 'scalar' ? String(node.value) : ''
}
