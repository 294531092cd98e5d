import { FILE_LIMIT } from '../../schemas/values.ts'
import { textOf } from './decode.ts'
import { faultOf } from './file-system.ts'
import { look, noteFile, type Search } from './search.ts'

/** The parts of a plugin that its manifest may place elsewhere than in the usual folders. */
export type PluginPart = 'agents' | 'skills' | 'commands' | 'hooks' | 'mcpServers'
const PARTS: readonly PluginPart[] = ['agents', 'skills', 'commands', 'hooks', 'mcpServers']

/** What discovery needs of a `plugin.json`. Wrong parts are reported and left out. */
export interface PluginManifest {
  name?: string
  /** The paths that stand under a part, as written. */
  paths: Partial<Record<PluginPart, string[]>>
  /** Parts that are written out in the manifest itself. */
  inline: ReadonlySet<PluginPart>
}

/** Reports what is wrong with a manifest, as the end of a sentence about it. */
export type ReportFault = (reason: string) => void

/** In: the text of `.claude-plugin/plugin.json`. Out: what can be used of it. */
export function parsePluginManifest(text: string, fault: ReportFault): PluginManifest {
  const json = objectIn(text, fault)
  return json === undefined ? { paths: {}, inline: new Set() } : manifestOf(json, fault)
}

/** In: a text. Out: the JSON object it holds, or nothing, which is reported. */
export function objectIn(text: string, fault: ReportFault): Record<string, unknown> | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return void fault('is not JSON')
  }
  if (isObject(json)) return json
  return void fault('is not a JSON object')
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of a manifest, or of an entry of a marketplace, which may hold the same. */
export function manifestOf(json: Record<string, unknown>, fault: ReportFault): PluginManifest {
  const manifest: PluginManifest = { paths: {}, inline: new Set(PARTS.filter((part) => isInline(part, json[part]))) }
  if (Object.hasOwn(json, 'name')) {
    if (isPluginName(json['name'])) manifest.name = json['name']
    else fault('has a "name" that is not a plain, non-empty text without ":"')
  }
  for (const part of PARTS) {
    if (!Object.hasOwn(json, part) || manifest.inline.has(part)) continue
    const paths = pathsIn(json[part])
    if (paths) manifest.paths[part] = paths
    else fault(`has "${part}" that is neither a path nor a list of paths`)
  }
  return manifest
}

/** Hooks and servers may be written out, and a list may mix paths with settings written out. */
function isInline(part: PluginPart, value: unknown): boolean {
  return (part === 'hooks' || part === 'mcpServers') && isObject(value)
}

function pathsIn(value: unknown): string[] | undefined {
  const paths = typeof value === 'string' ? [value] : value
  return Array.isArray(paths) && paths.every((path) => typeof path === 'string') ? paths : undefined
}

/** A colon would be read as a folder of the plugin, and a control character cannot be typed. */
export function isPluginName(name: unknown): name is string {
  return typeof name === 'string' && name.trim() !== '' && !/[:\u0000-\u001f\u007f-\u009f]/.test(name)
}

/** A manifest as it was read, with the hash of its bytes. */
export interface ManifestText {
  text: string
  hash: string | undefined
}

/** The text of a manifest; nothing if there is none, or none that can be read, which is reported. */
export function manifestText(path: string, search: Search, fault: ReportFault): ManifestText | undefined {
  const stat = look(search, path)
  if (stat === undefined) return undefined
  if (typeof stat === 'string') return void fault(`cannot be read (${stat})`)
  if (stat.kind !== 'file') return void fault('is not a regular file')
  try {
    const bytes = search.fs.read(path, stat.size, FILE_LIMIT + 1)
    const hash = noteFile(search, path, stat, bytes)
    return bytes.length > FILE_LIMIT ? void fault('is larger than 1 MiB') : { text: textOf(bytes).text, hash }
  } catch (error) {
    return void fault(`cannot be read (${faultOf(error)})`)
  }
}
