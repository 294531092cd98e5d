import { canonicalJson } from '../../schemas/canonical.ts'
import type { HookGroup, HookHandler, HookMatcher } from '../../schemas/shapes/hook.ts'
import type { Moment } from './occasion.ts'

/** A handler that is to run, with the group it stands in. `key` is the same for two that are the same. */
export interface Picked {
  handler: HookHandler
  group: HookGroup
  key: string
}

/**
 * The handlers for an event, in the order in which they are written. Identical ones run once (claude-code-agents.md 7.4); one with `once`
 * that is in `done` does not run again.
 */
export function pick(groups: readonly HookGroup[], input: string | undefined, moment: Moment, done: ReadonlySet<string>): Picked[] {
  const picked = new Map<string, Picked>()
  for (const group of groups) {
    if (input !== undefined && !fits(group.matcher, input)) continue
    for (const handler of group.handlers) {
      const key = canonicalJson({ handler, plugin: group.origin?.plugin ?? null })
      if (picked.has(key) || (handler.once && done.has(key))) continue
      if (handler.if && !moment.isAbout?.(handler.if)) continue
      picked.set(key, { handler, group, key })
    }
  }
  return [...picked.values()]
}

/** A pattern that is no regular expression fits everything: a guard that is written wrongly still guards. */
export function fits(matcher: HookMatcher | undefined, input: string): boolean {
  if (!matcher) return true
  if ('names' in matcher) return matcher.names.includes(input)
  try {
    return new RegExp(matcher.regex).test(input)
  } catch {
    return true
  }
}

/** The name of a handler in messages. */
export function nameOf(handler: HookHandler): string {
  if (handler.type === 'command') return handler.command
  if (handler.type === 'http') return handler.url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//')
  if (handler.type === 'mcp_tool') return `${handler.server} ${handler.tool}`
  return `${handler.type}: ${handler.prompt.length > 60 ? `${handler.prompt.slice(0, 60)}…` : handler.prompt}`
}
