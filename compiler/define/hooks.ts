import { AGENTC } from '../../schemas/profile.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import type { Range } from '../../schemas/source.ts'
import type { HookGroup, HookHandler, Hooks } from '../../schemas/shapes/hook.ts'
import { HOOK_EVENTS, HOOK_TYPES, RUN_EVENTS, type HookEvent, type HookType } from '../../schemas/values.ts'
import * as say from '../findings/block.ts'
import { entryOf, typeOf, type Entry, type MapNode, type Node } from '../parse/node.ts'
import { readRule } from '../permission/rule.ts'
import { originAt } from '../source-file.ts'
import { CALLS, matcherOf } from './hook-matcher.ts'
import { pinned } from './model.ts'
import { oneOf, pointAt, refuse, type FieldReader, type Reading } from './reading.ts'

/** A flat `timeout` from here on is read as milliseconds (design 7: the founding documents show `timeout: 5000`). */
const MILLISECONDS_FROM = 1000

/** Reads `hooks`: event to groups of handlers; the flat form of the founding documents is normalised (claude-code-agents.md 7). */
export const hooks: FieldReader<Hooks> = (node, keyRange, reading) => {
  if (node.kind === 'scalar' && node.value === null) return refuse('hooks', node, keyRange, reading, 'a map from events to hooks')
  if (node.kind !== 'map') {
    reading.looseHook ??= keyRange
    reading.found.push(say.hooksType(reading.file, pointAt(node, keyRange, reading.file), typeOf(node)))
    return undefined
  }
  const value: Hooks = {}
  for (const entry of node.entries) {
    const event = HOOK_EVENTS.find((known) => known === entry.key)
    if (event) (value[event] ??= []).push(...groups(event, entry, reading))
    if (event && !RUN_EVENTS.some((known) => known === event)) reading.found.push(say.hookNotRun(reading.file, entry.keyRange, event))
    if (!event) reading.found.push(say.hookEvent(reading.file, entry.keyRange, entry.key, HOOK_EVENTS))
  }
  return { value, range: node.range }
}

function groups(event: HookEvent, { value, keyRange }: Entry, reading: Reading): HookGroup[] {
  if (value.kind !== 'list') {
    reading.found.push(
      say.hookIncomplete(
        reading.file,
        pointAt(value, keyRange, reading.file),
        `\`${event}\` is ${typeOf(value)}, not a list`,
        'Write a list below the event, each item beginning with `- `.',
      ),
    )
    return []
  }
  return value.items.flatMap((item) => group(event, item, keyRange, reading))
}

function group(event: HookEvent, item: Node, eventRange: Range, reading: Reading): HookGroup[] {
  if (item.kind !== 'map') {
    reading.found.push(
      say.hookIncomplete(
        reading.file,
        pointAt(item, eventRange, reading.file),
        `This item of \`${event}\` is ${typeOf(item)}, not a map`,
        'Write `- hooks:` and below it the handlers.',
      ),
    )
    return []
  }
  const inner = entryOf(item, 'hooks')
  const matcher = matcherOf(event, item, reading)
  const handlers = inner ? nested(event, inner, reading) : flat(event, item, reading)
  if (handlers.length === 0) return []
  const made: HookGroup = { ...(matcher && { matcher }), handlers, ...(reading.placed && { origin: originAt(reading.file, item.range) }) }
  reading.hookPlaces?.set(made, item.range)
  return [made]
}

function nested(event: HookEvent, { value, keyRange }: Entry, reading: Reading): HookHandler[] {
  if (value.kind === 'list') return value.items.flatMap((item) => handler(event, item, keyRange, false, reading))
  reading.found.push(
    say.hookIncomplete(
      reading.file,
      pointAt(value, keyRange, reading.file),
      '`hooks` below the matcher is not a list',
      'Write each handler as an item: `- type: command`.',
    ),
  )
  return []
}

function flat(event: HookEvent, item: MapNode, reading: Reading): HookHandler[] {
  const first = item.entries[0]?.keyRange ?? item.range
  const read = handler(event, item, first, true, reading)
  reading.looseHook ??= first
  if (read.length > 0) reading.found.push(say.hooksFlat(reading.file, first, event))
  return read
}

/** What each type of handler cannot do without. */
const NEEDS: Record<HookType, readonly string[]> = {
  command: ['command'],
  prompt: ['prompt'],
  agent: ['prompt'],
  http: ['url'],
  mcp_tool: ['server', 'tool'],
}

/** What a member has to be; a list holds the only values that it may have. */
type Kind = 'string' | 'number' | 'boolean' | 'strings' | 'texts' | 'record' | readonly string[]

const EVERY: Record<string, Kind> = { timeout: 'number', statusMessage: 'string', once: 'boolean', onFailure: ['block', 'continue'] }

/** Other members that are kept. Those of another type are stripped, as those that no handler has (claude-code-agents.md 7.4). */
const KEEPS: Record<HookType, Record<string, Kind>> = {
  command: { ...EVERY, args: 'strings', async: 'boolean', asyncRewake: 'boolean', shell: ['bash', 'powershell'] },
  prompt: { ...EVERY, model: 'string', continueOnBlock: 'boolean' },
  agent: { ...EVERY, model: 'string' },
  http: { ...EVERY, headers: 'texts', allowedEnvVars: 'strings' },
  mcp_tool: { ...EVERY, input: 'record' },
}

function handler(event: HookEvent, item: Node, parent: Range, isFlat: boolean, reading: Reading): HookHandler[] {
  if (item.kind !== 'map') {
    reading.found.push(
      say.hookIncomplete(
        reading.file,
        pointAt(item, parent, reading.file),
        `A handler of \`${event}\` is ${typeOf(item)}, not a map`,
        'Write `- type: command` and below it `command: …`.',
      ),
    )
    return []
  }
  const type = typeOfHandler(item, reading)
  if (!type) return []
  const missing = NEEDS[type].find((key) => typeof scalarOf(item, key) !== 'string')
  if (missing) {
    reading.found.push(
      say.hookIncomplete(
        reading.file,
        item.entries[0]?.keyRange ?? parent,
        `A \`${type}\` hook needs \`${missing}\``,
        `Add \`${missing}: …\`.`,
      ),
    )
    return []
  }
  const members: Record<string, unknown> = { type }
  for (const key of NEEDS[type]) members[key] = scalarOf(item, key)
  for (const [key, kind] of Object.entries(KEEPS[type])) keep(members, item, key, kind, reading)
  if (typeof members['model'] === 'string') members['model'] = pinned(members['model'])
  const check = handoverOf(event, type, item, reading)
  if (check === 'unusable') return []
  if (check) members['handover'] = true
  const condition = conditionOf(event, item, reading)
  if (condition) members['if'] = condition
  timeout(members, item, isFlat, reading)
  if (type === 'command') reading.commands?.push({ value: String(members['command']), range: entryOf(item, 'command')!.value.range })
  return [members as HookHandler]
}

function typeOfHandler(item: MapNode, reading: Reading): HookType | undefined {
  const entry = entryOf(item, 'type')
  if (!entry) return HOOK_TYPES.find((type) => NEEDS[type].every((key) => entryOf(item, key))) ?? 'command'
  const value = entry.value.kind === 'scalar' ? entry.value.value : undefined
  const type = HOOK_TYPES.find((known) => known === value)
  if (!type)
    reading.found.push(
      say.hookIncomplete(
        reading.file,
        pointAt(entry.value, entry.keyRange, reading.file),
        `\`${String(value)}\` is no type of hook`,
        `Use ${HOOK_TYPES.join(', ')}.`,
      ),
    )
  return type
}

function scalarOf(item: MapNode, key: string): unknown {
  const node = entryOf(item, key)?.value
  return node?.kind === 'scalar' && node.value !== '' ? node.value : undefined
}

function keep(members: Record<string, unknown>, item: MapNode, key: string, kind: Kind, reading: Reading): void {
  const entry = entryOf(item, key)
  if (!entry) return
  const node = entry.value
  if (typeof kind === 'object') {
    const read = oneOf(key, kind)(node, entry.keyRange, reading)
    if (read) members[key] = read.value
  } else if (kind === 'strings' && node.kind === 'list')
    members[key] = node.items.flatMap((part) => (part.kind === 'scalar' ? [String(part.value)] : []))
  else if ((kind === 'record' || kind === 'texts') && node.kind === 'map')
    members[key] = Object.fromEntries(
      node.entries.flatMap(({ key: name, value }) =>
        value.kind === 'scalar' ? [[name, kind === 'texts' ? String(value.value) : value.value]] : [],
      ),
    )
  else if (node.kind === 'scalar' && typeof node.value === kind && (key !== 'timeout' || Number(node.value) > 0)) members[key] = node.value
  else refuse(key, node, entry.keyRange, reading, EXPECTED[kind])
}

const EXPECTED: Record<Exclude<Kind, readonly string[]>, string> = {
  string: 'a text',
  number: 'a number of seconds above zero',
  boolean: 'true or false',
  strings: 'a list of texts',
  texts: 'a map from names to texts',
  record: 'a map',
}

/** `if`: one permission rule, for calls of tools only (claude-code-agents.md 7.4), read here, so that the runner has no rules to parse. It restricts nothing by itself, hence `ask`. */
function conditionOf(event: HookEvent, item: MapNode, { file, found }: Reading): Rule | undefined {
  const entry = entryOf(item, 'if')
  if (!entry) return undefined
  const { range } = entry.value.kind === 'scalar' ? entry.value : { range: entry.keyRange }
  if (!CALLS.has(event)) {
    const problem = `\`if\` is about calls of tools, and \`${event}\` is none`
    found.push(say.hookIncomplete(file, range, problem, `Remove \`if\`, or use one of ${[...CALLS].join(', ')}.`))
  }
  const text = scalarOf(item, 'if')
  const { rule } = typeof text === 'string' ? readRule({ text, list: 'ask', file, range }, AGENTC) : {}
  if (!rule) found.push(say.hookCondition(file, range))
  return rule
}

/** `handover: true`: the hook judges the result of a sub-agent, which a model does and only when such an agent has ended. */
function handoverOf(event: HookEvent, type: HookType, item: MapNode, { file, found }: Reading): boolean | 'unusable' {
  const entry = entryOf(item, 'handover')
  const value = scalarOf(item, 'handover')
  if (!entry || value === false) return false
  const problem =
    value !== true
      ? '`handover` is neither true nor false'
      : type !== 'prompt' && type !== 'agent'
        ? `\`handover\` lets a model judge, and a \`${type}\` hook asks none`
        : event !== 'SubagentStop' && event !== 'Stop'
          ? `\`handover\` is about the result of a sub-agent, and \`${event}\` is not`
          : undefined
  if (problem === undefined) return true
  found.push(say.hookIncomplete(file, entry.keyRange, problem, 'Write `handover: true` in a `prompt` or `agent` hook of SubagentStop.'))
  return 'unusable'
}

function timeout(members: Record<string, unknown>, item: MapNode, isFlat: boolean, reading: Reading): void {
  const seconds = members['timeout']
  if (typeof seconds !== 'number' || seconds < MILLISECONDS_FROM) return
  reading.found.push(say.hookMilliseconds(reading.file, entryOf(item, 'timeout')!.value.range, seconds, isFlat))
  if (isFlat) members['timeout'] = seconds / 1000
}
