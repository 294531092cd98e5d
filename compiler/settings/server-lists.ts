import type { ServerConfig } from '../../schemas/shapes/server.ts'
import { starFits } from '../../schemas/star.ts'
import * as say from '../findings/settings.ts'
import type { Node } from '../parse/node.ts'
import { isMasked } from '../secret/named.ts'
import type { ServerList, ServerPattern, Settings, Switch } from './settings.ts'
import { isText, refuse, type ValueReader } from './value.ts'

/**
 * `allowedMcpServers` and `deniedMcpServers`, which MCP servers may be used at all, wherever they are set up, agents' own included
 * (claude-code-agents.md 10.2; https://code.claude.com/docs/en/managed-mcp).
 */

const EXPECTED = 'a list of entries with one of serverName, serverCommand (a list of texts) and serverUrl each'

/** An entry that is none is left out; in a list of what is denied that is an error. */
export const serverList: ValueReader<ServerList> = (entry, reading) => {
  if (entry.value.kind !== 'list') return refuse(entry, reading, EXPECTED, true)
  const { file, found } = reading
  const tell = entry.key === 'deniedMcpServers' ? say.lostValue : say.invalidValue
  const value = entry.value.items.flatMap((item) => {
    const pattern = patternOf(item)
    if (!pattern) found.push(tell(file, item.range, entry.key, EXPECTED))
    return pattern ?? []
  })
  return { value, file, range: entry.keyRange }
}

function patternOf(node: Node): ServerPattern | undefined {
  const [entry, ...more] = node.kind === 'map' ? node.entries : []
  if (!entry || more.length > 0) return undefined
  const { key, value } = entry
  if (key === 'serverCommand' && value.kind === 'list' && value.items.every(isText))
    return { serverCommand: value.items.map((item) => item.value) }
  if (key === 'serverName' && isText(value)) return { serverName: value.value }
  return key === 'serverUrl' && isText(value) ? { serverUrl: value.value } : undefined
}

/** A server as one file or one agent sets it up. */
export interface NamedServer {
  name: string
  config: ServerConfig
}

/**
 * The list that keeps a server from being used. What any file denies is denied. Lists of what is allowed add up, but a project's list only
 * narrows what those of the organisation and the person leave; with `allowManagedMcpServersOnly` the organisation's alone counts.
 */
export function blockedBy(server: NamedServer, { servers, switches }: Pick<Settings, 'servers' | 'switches'>): Switch | undefined {
  const denied = servers.denied.find(({ value }) => value.some((pattern) => isDenied(server, pattern)))
  if (denied) return { ...denied, key: 'deniedMcpServers' }
  const sourceOf = ({ file }: ServerList): string => file.origin.source
  const managed = switches.allowManagedMcpServersOnly?.value === true
  const counting = servers.allowed.filter((list) => !managed || sourceOf(list) === 'policy')
  for (const lists of [counting.filter((list) => sourceOf(list) !== 'project'), counting.filter((list) => sourceOf(list) === 'project')]) {
    const last = lists.at(-1)
    const patterns = lists.flatMap(({ value }) => value)
    if (last && !isAllowed(server, patterns)) return { ...last, key: 'allowedMcpServers' }
  }
  return undefined
}

/** Where commands are listed a program has to be one of them, where addresses are a remote server: a name can be given to anything. */
function isAllowed({ name, config }: NamedServer, patterns: readonly ServerPattern[]): boolean {
  const exact = patterns.filter((pattern) => (config.type === 'stdio' ? 'serverCommand' in pattern : 'serverUrl' in pattern))
  if (exact.length > 0) return exact.some((pattern) => fits(config, pattern))
  return patterns.some((pattern) => 'serverName' in pattern && pattern.serverName === name)
}

/** A plugin's server is also meant by its bare name. What is known only when it runs, or is covered as a secret, may be what is denied. */
function isDenied({ name, config }: NamedServer, pattern: ServerPattern): boolean {
  if ('serverName' in pattern) return pattern.serverName === name || pattern.serverName === name.replace(/^plugin:[^:]*:/, '')
  if (config.type === 'stdio' ? 'serverUrl' in pattern : 'serverCommand' in pattern) return false
  return fits(config, pattern) || wordsOf(config).some((word) => word.includes('${') || isMasked(word))
}

function fits(config: ServerConfig, pattern: ServerPattern): boolean {
  if ('serverUrl' in pattern) return config.type !== 'stdio' && starFits(pattern.serverUrl.toLowerCase(), config.url.toLowerCase())
  if (!('serverCommand' in pattern) || config.type !== 'stdio') return false
  const words = wordsOf(config)
  return words.length === pattern.serverCommand.length && words.every((word, index) => word === pattern.serverCommand[index])
}

function wordsOf(config: ServerConfig): string[] {
  return config.type === 'stdio' ? [config.command, ...(config.args ?? [])] : [config.url]
}
