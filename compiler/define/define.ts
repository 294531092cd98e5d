import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { HookGroup } from '../../schemas/shapes/hook.ts'
import type { Located, Range } from '../../schemas/source.ts'
import * as say from '../findings/field.ts'
import type { Memo } from '../memo.ts'
import { promptOf } from '../parse/fence.ts'
import { entryOf, typeOf, type Entry, type MapNode } from '../parse/node.ts'
import type { ParsedDocument } from '../parse/parse.ts'
import type { SourceFile } from '../source-file.ts'
import type { AgentDefinition, DroppedAgent, OptionalFields } from './definition.ts'
import { FIELD_READERS, fieldOf } from './fields.ts'
import { descriptionOf, fileStem, nameFault, nameOf } from './identity.ts'
import { AGENT_KEYS, checkKey } from './keys.ts'
import { pointAt, type FieldReader, type Reading } from './reading.ts'
import { toolEntries, toolSelector } from './tools.ts'

/** What the files say, each by itself, with everything that is wrong in them. */
export interface Definitions {
  agents: AgentDefinition[]
  dropped: DroppedAgent[]
  /** What a plugin's files without readable frontmatter come to in hosts that load them all the same (measured.md "Loading"). */
  fallbacks: AgentDefinition[]
  diagnostics: Diagnostic[]
}

/** Understands every field of every document in every accepted spelling; a wrong value loses its field and never its agent (design 3). */
export function define(documents: readonly ParsedDocument[], known?: Memo<ParsedDocument, Definitions>): Definitions {
  const result: Definitions = { agents: [], dropped: [], fallbacks: [], diagnostics: [] }
  for (const document of documents) {
    const before = known?.get(document)
    const one = before ?? defineOne(document)
    if (!before) known?.set(document, one)
    for (const agent of one.agents) result.agents.push(agent)
    if (one.dropped.length > 0) result.dropped.push(...one.dropped)
    if (one.fallbacks.length > 0) result.fallbacks.push(...one.fallbacks)
    if (one.diagnostics.length > 0) result.diagnostics.push(...one.diagnostics)
  }
  return result
}

function defineOne(document: ParsedDocument): Definitions {
  const { file, root, diagnostics } = document
  const reading: Reading = { file, found: [] }
  const read = !root ? [] : file.form === 'json' ? fromFlag(root, reading) : [fromFile(root, document, reading)]
  const agents = read.filter((agent) => agent !== undefined)
  const all = diagnostics.length > 0 ? [...diagnostics, ...reading.found] : reading.found
  if (agents.length > 0) return { agents, dropped: NONE, fallbacks: NONE, diagnostics: all }
  const fallbacks = !root && file.origin.source === 'plugin' ? [fallback(file)] : NONE
  return { agents, dropped: droppedFrom(file, root, all), fallbacks, diagnostics: all }
}

const NONE: never[] = []

/** Fields that an agent of a plugin cannot set (M6). */
const NOT_IN_PLUGINS = new Set(['permissionMode', 'hooks', 'mcpServers', 'initialPrompt'])
/** Fields that count in files only (claude-code-agents.md 1.4). */
const NOT_IN_FLAG = new Set(['color', 'experimental'])

function fromFile(root: MapNode, document: ParsedDocument, reading: Reading): AgentDefinition | undefined {
  const name = nameOf(root, reading)
  const description = name && descriptionOf(root, name.range, reading)
  if (!name || !description) {
    reading.found.push(...unknownKeys(root, reading))
    return undefined
  }
  const prompt = promptOf(document.file.text, document.bodyStart)
  if (prompt === '') {
    const fence = document.file.text.lastIndexOf('---', document.bodyStart)
    reading.found.push(say.emptyBody(document.file, [fence, fence + 3]))
  }
  return agent(root, name, description, prompt, reading)
}

function fromFlag(root: MapNode, reading: Reading): (AgentDefinition | undefined)[] {
  return root.entries.map(({ key, keyRange, value }) => {
    const name = { value: key.normalize('NFC'), range: keyRange }
    if (value.kind !== 'map') return notAnAgent(name, `it is ${typeOf(value)}`, reading)
    const fault = nameFault(name.value)
    if (fault !== undefined) return notAnAgent(name, `its name ${fault}`, reading)
    const description = descriptionOf(value, keyRange, reading)
    const prompt = entryOf(value, 'prompt')?.value
    if (!description) return undefined
    if (prompt?.kind !== 'scalar' || typeof prompt.value !== 'string') return notAnAgent(name, 'it has no `prompt`', reading)
    return agent(value, name, description, prompt.value, reading)
  })
}

function notAnAgent({ value, range }: Located<string>, reason: string, reading: Reading): undefined {
  reading.found.push(say.notAnAgent(reading.file, range, value, reason))
}

function agent(root: MapNode, name: Located<string>, description: Located<string>, prompt: string, reading: Reading): AgentDefinition {
  const places = new Map<string, { key: Range; value: Range }>()
  for (const { key, keyRange, value } of root.entries) {
    if ((AGENT_KEYS as readonly string[]).includes(key)) places.set(key, { key: keyRange, value: pointAt(value, keyRange, reading.file) })
  }
  const tools = entryOf(root, 'tools')
  const denied = entryOf(root, 'disallowedTools')
  reading.found.push(...unknownKeys(root, reading))
  const commands: Located<string>[] = []
  const hookPlaces = new Map<HookGroup, Range>()
  return {
    file: reading.file,
    name,
    description,
    prompt,
    tools: toolSelector(tools?.value, tools?.keyRange ?? name.range, reading),
    disallowedTools: denied ? toolEntries('disallowedTools', denied.value, denied.keyRange, reading) : [],
    places,
    ...optionalFields(root, Object.assign(reading, { commands, hookPlaces })),
    ...(reading.looseHook && { looseHook: reading.looseHook }),
    ...(commands.length > 0 && { hookCommands: commands }),
    ...(hookPlaces.size > 0 && { hookPlaces }),
  }
}

function fallback(file: SourceFile): AgentDefinition {
  const value = `${file.namespace ?? ''}:${fileStem(file.origin.path)}`
  const description = `Agent from ${file.origin.plugin ?? 'a'} plugin`
  return {
    file,
    name: { value, range: [0, 0] },
    description: { value: description, range: [0, 0] },
    prompt: promptOf(file.text, 0),
    tools: { kind: 'all' },
    disallowedTools: [],
    places: new Map(),
  }
}

function unknownKeys(root: MapNode, { file }: Reading): Diagnostic[] {
  const written = new Set(root.entries.map((entry) => entry.key))
  return root.entries.flatMap((entry) => checkKey(file, entry, written) ?? [])
}

function optionalFields(root: MapNode, reading: Reading): OptionalFields {
  const fields: Record<string, unknown> = {}
  const last = new Map(root.entries.map((entry) => [entry.key, entry]))
  for (const entry of last.values()) {
    const field = fieldOf(entry.key)
    if (!field || isIgnored(entry, reading)) continue
    const value = (FIELD_READERS[field] as FieldReader<unknown>)(entry.value, entry.keyRange, reading)
    if (value) fields[field] = value
  }
  return fields as OptionalFields
}

function isIgnored({ key, keyRange }: Entry, { file, found }: Reading): boolean {
  if (file.origin.source === 'plugin' && NOT_IN_PLUGINS.has(key)) {
    found.push(say.ignoredInPlugin(file, keyRange, key))
    return true
  }
  if (file.form !== 'json' || !NOT_IN_FLAG.has(key)) return false
  found.push(say.ignoredInFlag(file, keyRange, key))
  return true
}

/** A file that was to be an agent and is none; a plain document, of which there is nothing to say, is not in the list. */
function droppedFrom(file: SourceFile, root: MapNode | undefined, diagnostics: Diagnostic[]): DroppedAgent[] {
  const cause = diagnostics.find((item) => item.severity === 'error') ?? diagnostics[0]
  if (!cause || file.form === 'json') return []
  const written = root && entryOf(root, 'name')?.value
  const name = written?.kind === 'scalar' && typeof written.value === 'string' ? written.value : fileStem(file.origin.path)
  return [{ file, name: file.namespace === undefined ? name : `${file.namespace}:${name}`, code: cause.code }]
}
