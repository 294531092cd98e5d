import { Script } from 'node:vm'
import { AGENTC } from '../../schemas/profile.ts'
import type { HookMatcher } from '../../schemas/shapes/hook.ts'
import { HOST_ONLY, RETIRED } from '../../schemas/tools.ts'
import type { HookEvent } from '../../schemas/values.ts'
import * as say from '../findings/block.ts'
import { entryOf, typeOf, type MapNode } from '../parse/node.ts'
import { pointAt, type Reading } from './reading.ts'

/** Events that are about one call of a tool: their matchers are compared with its name (claude-code-agents.md 7.2). */
export const CALLS: ReadonlySet<HookEvent> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
])

const TOOLS = [...AGENTC.byName.keys(), ...HOST_ONLY, ...Object.keys(RETIRED)]

/**
 * What the hooks of a group are for; `undefined` is everything. What is no matcher is reported and means everything too, so that a guard
 * that is written wrongly still guards; one that fits no tool there can be is reported.
 */
export function matcherOf(event: HookEvent, item: MapNode, reading: Reading): HookMatcher | undefined {
  const entry = entryOf(item, 'matcher')
  if (!entry || (entry.value.kind === 'scalar' && entry.value.value === null)) return undefined
  const text = entry.value.kind === 'scalar' ? entry.value.value : undefined
  const tell = (problem: string, runs: boolean, help: string): void => {
    reading.found.push(say.hookMatcher(reading.file, pointAt(entry.value, entry.keyRange, reading.file), problem, runs, help))
  }
  if (typeof text !== 'string') {
    tell(`This \`matcher\` is ${typeOf(entry.value)}, not text`, true, 'Write names with a bar between them: `Edit|Write`.')
    return undefined
  }
  if (text.trim() === '' || text === '*') return undefined
  const matcher = parsed(event, text)
  const fault = faultOf(event, matcher, text)
  if (fault) tell(...fault)
  return matcher
}

/** Letters, digits, `_ - , |` and blanks are names, everything else is a regular expression (claude-code-agents.md 7.3). */
function parsed(event: HookEvent, text: string): HookMatcher {
  if (!/^[\w\- ,|]+$/.test(text)) return { regex: text }
  const names = text
    .split(/[,|]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return { names: CALLS.has(event) ? [...new Set(names.map(named))] : names }
}

/** A call bears the tool's own name, whichever of its names a hook was written for: `Task` is Agent. */
function named(name: string): string {
  return AGENTC.byName.get(name)?.name ?? name
}

type Fault = [problem: string, runs: boolean, help: string]

function faultOf(event: HookEvent, matcher: HookMatcher, text: string): Fault | undefined {
  if ('names' in matcher) return CALLS.has(event) ? matcher.names.map(faultOfName).find((fault) => fault !== undefined) : undefined
  if (!regexIn(text)) {
    return [`This \`matcher\` is neither names nor a regular expression`, true, 'Write names with a bar between them: `Edit|Write`.']
  }
  const tool = /^\w+(?=\(.*\)$)/s.exec(text)?.[0]
  if (!CALLS.has(event) || tool === undefined || !TOOLS.includes(tool) || fitsSome(text)) return undefined
  return [
    `\`${text}\` is a permission rule, and no tool is called so`,
    false,
    `Write \`matcher: ${tool}\`, and the rule under \`if\` of the hook.`,
  ]
}

function regexIn(text: string): RegExp | undefined {
  try {
    return new RegExp(text)
  } catch {
    return undefined
  }
}

/** Many times what any expression takes that people write. */
const MOST_MS = 50

/** Whether a regular expression fits a tool. A stranger's may take for ever, so it is broken off; then it may fit, and nothing is said. */
function fitsSome(regex: string): boolean {
  const script = new Script(`${JSON.stringify(TOOLS)}.some((name) => new RegExp(${JSON.stringify(regex)}).test(name))`)
  try {
    return script.runInThisContext({ timeout: MOST_MS }) as boolean
  } catch {
    return true
  }
}

function faultOfName(name: string): Fault | undefined {
  if (/^mcp__(?:(?!__).)+$/.test(name))
    return [`\`${name}\` names a server and none of its tools`, false, `Write \`${name}__.*\` for all of them.`]
  const meant = TOOLS.includes(name) ? undefined : TOOLS.find((tool) => tool.toLowerCase() === name.toLowerCase())
  return meant === undefined
    ? undefined
    : [`No tool is called \`${name}\``, false, `Write \`${meant}\`: names of tools are case-sensitive.`]
}
