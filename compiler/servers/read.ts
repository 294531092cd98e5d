import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { serverConfig, type ServerReading } from '../define/server-config.ts'
import type { ServersFile } from '../discover/server-files.ts'
import * as sayBlock from '../findings/block.ts'
import * as say from '../findings/server.ts'
import * as sayYaml from '../findings/yaml.ts'
import { readJson } from '../parse/json-document.ts'
import { entryOf, repeatedKeys, typeOf, type Entry, type MapNode, type Node } from '../parse/node.ts'
import { positionOf } from '../position.ts'
import { withoutValues } from '../secret/named.ts'
import { shownText } from './mask.ts'
import { sectionOf } from './section.ts'
import type { DeclaredServer } from './server.ts'

export interface ReadServers {
  servers: DeclaredServer[]
  diagnostics: Diagnostic[]
}

/** Reads the servers of one file: one JSON object of names and settings below the keys that the scope has. */
export function readServers(source: ServersFile): ReadServers {
  return source.scope === 'user' || source.scope === 'local' ? fromSection(source) : fromWhole(source)
}

/** A look that costs little: most people's `.claude.json` sets up no server. */
const ANY_SERVER = /"mcpServers"\s*:\s*(?!\{\s*\})/

/** `.claude.json` holds much else, and none of it is read or ever shown. */
function fromSection(source: ServersFile): ReadServers {
  const { file, keys } = source
  const range = ANY_SERVER.test(file.text) ? sectionOf(file.text, keys) : undefined
  if (!range) return { servers: [], diagnostics: [] }
  const result = readJson(file.text.slice(...range), range[0])
  if ('fault' in result) {
    const fault = say.invalidFile({ ...file, text: '' }, [0, 0], `is not JSON (${result.fault.message})`)
    return { servers: [], diagnostics: [fault] }
  }
  return fromRoot(result.root, source, range)
}

function fromWhole(source: ServersFile): ReadServers {
  const { file, scope } = source
  const result = readJson(file.text)
  if ('fault' in result) {
    const fault = say.invalidFile({ ...file, text: withoutValues(file.text) }, result.fault.range, `is not JSON (${result.fault.message})`)
    return { servers: [], diagnostics: [fault] }
  }
  const inner = result.root.kind === 'map' ? entryOf(result.root, 'mcpServers')?.value : undefined
  const root = inner ?? (scope === 'plugin' ? result.root : undefined)
  if (root) return fromRoot(root, source, [0, file.text.length])
  return { servers: [], diagnostics: [say.invalidFile({ ...file, text: withoutValues(file.text) }, [0, 1], 'has no object `mcpServers`')] }
}

function fromRoot(root: Node, source: ServersFile, range: Range): ReadServers {
  const file = { ...source.file, text: shownText(source.file.text, range, root) }
  if (root.kind === 'map') return fromMap(root, source, { file, found: [] })
  const problem = `has \`mcpServers\` that is ${typeOf(root)}, not an object`
  return { servers: [], diagnostics: [say.invalidFile(file, [root.range[0], root.range[0] + 1], problem)] }
}

function fromMap(map: MapNode, source: ServersFile, reading: ServerReading): ReadServers {
  const servers = map.entries.flatMap((entry) => fromEntry(entry, source, reading))
  const last = new Map(servers.map((server) => [server.name, server]))
  return { servers: [...last.values()], diagnostics: [...duplicates(map, reading), ...reading.found] }
}

function fromEntry({ key, keyRange, value }: Entry, { scope, pluginFolder }: ServersFile, reading: ServerReading): DeclaredServer[] {
  const { file } = reading
  if (value.kind !== 'map') {
    reading.found.push(sayBlock.serverInvalid(file, keyRange, `The setting of the server \`${key}\` is ${typeOf(value)}, not an object`))
    return []
  }
  const config = serverConfig({ key, keyRange, value }, reading)
  if (!config) return []
  const plugin = file.origin.plugin
  const name = plugin === undefined ? key : `plugin:${plugin}:${key}`
  return [{ name, config, scope, file, range: keyRange, ...(pluginFolder !== undefined && { pluginFolder }) }]
}

function duplicates(map: MapNode, { file }: ServerReading): Diagnostic[] {
  return repeatedKeys(map).map(({ key, keyRange, first }) =>
    sayYaml.duplicateKey(file, keyRange, key, first, positionOf(file.text, first[0]).line),
  )
}
