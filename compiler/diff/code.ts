import { canonicalJson } from '../../schemas/canonical.ts'
import { mcpToolName } from '../../schemas/mcp-tools.ts'
import type { HookGroup, HookHandler, HookMatcher, Hooks } from '../../schemas/shapes/hook.ts'
import type { LockedTool, ServerConfig, ServerUse } from '../../schemas/shapes/server.ts'
import type { HookEvent } from '../../schemas/values.ts'
import { compareRecords, listed, type Finding } from './change.ts'
import { ruleKey } from './rules.ts'

/**
 * What runs by itself or is started: hooks, MCP servers and the tools that were locked for them. Arguments, headers, variables and
 * queries are named and never shown, because they are where secrets stand.
 */

/** Events at which a hook can refuse something (claude-code-agents.md 7.2, column "Block"); one hook less there may be a guard less. */
const REFUSING: ReadonlySet<HookEvent> = new Set([
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolBatch',
  'SubagentStop',
  'TaskCreated',
  'TaskCompleted',
  'Stop',
  'TeammateIdle',
  'ConfigChange',
  'WorktreeCreate',
  'PreCompact',
  'Elicitation',
  'ElicitationResult',
  'PreModelSwitch',
])

interface Hook {
  event: HookEvent
  text: string
}

/** Hooks by everything that they are but for where they are written; two that read the same are one hook that was changed. */
export function hookChanges(old: Hooks = {}, now: Hooks = {}): Finding[] {
  const [had, has] = [hooksOf(old), hooksOf(now)]
  const came = [...has].flatMap(([key, hook]) => (had.has(key) ? [] : [hook]))
  const went = [...had].flatMap(([key, hook]) => (has.has(key) ? [] : [hook]))
  const isIn = (hooks: Hook[], { text }: Hook): boolean => hooks.some((hook) => hook.text === text)
  const gone = went.filter((hook) => !isIn(came, hook))
  const texts = (hooks: Hook[]): string[] => hooks.map(({ text }) => text)
  return [
    ...listed('hooks', 'added', true, texts(came.filter((hook) => !isIn(went, hook)))),
    ...listed('hooks', 'changed', true, texts(came.filter((hook) => isIn(went, hook)))),
    ...listed('hooks', 'removed', true, texts(gone.filter(({ event }) => REFUSING.has(event)))),
    ...listed('hooks', 'removed', false, texts(gone.filter(({ event }) => !REFUSING.has(event)))),
  ]
}

function hooksOf(hooks: Hooks): Map<string, Hook> {
  const found = new Map<string, Hook>()
  for (const [event, groups] of Object.entries(hooks) as [HookEvent, HookGroup[]][]) {
    for (const { matcher, handlers, origin } of groups) {
      for (const handler of handlers) {
        const text = `${event}${matcherText(matcher)}: ${handlerText(handler)}`
        const { if: condition, ...rest } = handler
        found.set(canonicalJson([event, matcher, rest, condition && ruleKey(condition), origin?.source]), { event, text })
      }
    }
  }
  return found
}

function matcherText(matcher: HookMatcher | undefined): string {
  if (!matcher) return ''
  return 'names' in matcher ? `(${matcher.names.join('|')})` : `(/${matcher.regex}/)`
}

function handlerText(handler: HookHandler): string {
  if (handler.type === 'command') return `command ${program(handler.command)}`
  if (handler.type === 'http') return `http ${address(handler.url)}`
  return handler.type === 'mcp_tool' ? `mcp_tool ${mcpToolName(handler.server, handler.tool)}` : handler.type
}

/** The program that a command line starts with; `…` stands for what follows. */
function program(command: string): string {
  const words = command.trim().split(/\s+/)
  const first = words.find((word) => !/^\w+=/.test(word)) ?? ''
  return words.length > 1 ? `${first} …`.trimStart() : first
}

function address(url: string): string {
  const match = /^([\w+.-]+:\/\/)(?:[^/?#]*@)?([^?#]*)/.exec(url)
  return match ? `${match[1]}${match[2]}` : '…'
}

/** Servers of an agent: its own, and those that it names. */
export function serverUseChanges(old: readonly ServerUse[], now: readonly ServerUse[]): Finding[] {
  const byName = (uses: readonly ServerUse[]): Record<string, ServerConfig | undefined> =>
    Object.fromEntries(uses.map((use) => ('ref' in use ? [use.ref, undefined] : [use.name, use.config])))
  return serverChanges(byName(old), byName(now))
}

type Configs = Readonly<Record<string, ServerConfig | undefined>>

/** Servers by name; one without a configuration is set up elsewhere. */
export function serverChanges(old: Configs, now: Configs): Finding[] {
  const { added, removed, changed } = compareRecords(old, now)
  const waits = (name: string): boolean => changedMembers(old[name], now[name]).every((member) => member === 'timeout')
  const text = (name: string): string => `${name}: ${changedMembers(old[name], now[name]).join(', ')}`
  return [
    ...listed(
      'servers',
      'added',
      true,
      added.map((name) => serverText(name, now[name])),
    ),
    ...listed('servers', 'changed', true, changed.filter((name) => !waits(name)).map(text)),
    ...listed('servers', 'changed', false, changed.filter(waits).map(text)),
    ...listed('servers', 'removed', false, removed),
  ]
}

function serverText(name: string, config: ServerConfig | undefined): string {
  if (!config) return name
  return config.type === 'stdio' ? `${name} (${program(config.command)})` : `${name} (${config.type} ${address(config.url)})`
}

function changedMembers(old: ServerConfig | undefined, now: ServerConfig | undefined): string[] {
  if (!old || !now) return ['definition']
  const { added, removed, changed } = compareRecords({ ...old } as Record<string, unknown>, { ...now } as Record<string, unknown>)
  return [...added, ...removed, ...changed].sort()
}

type Locks = Readonly<Record<string, readonly LockedTool[]>>

/** Locked tools: what was agreed on when the servers were locked, and is held to at run time. */
export function lockChanges(old: Locks = {}, now: Locks = {}): Finding[] {
  const servers = compareRecords(old, now)
  const both = servers.changed.map((server) => ({ server, ...compareRecords(byTool(old[server]!), byTool(now[server]!)) }))
  const tools = (change: 'added' | 'removed' | 'changed'): string[] =>
    both.flatMap(({ server, [change]: names }) => names.map((name) => mcpToolName(server, name)))
  return [
    ...listed('mcpTools', 'added', true, tools('added')),
    ...listed('mcpTools', 'changed', true, tools('changed')),
    ...listed('mcpTools', 'removed', true, servers.removed.map(lock)),
    ...listed('mcpTools', 'added', false, servers.added.map(lock)),
    ...listed('mcpTools', 'removed', false, tools('removed')),
  ]
}

const lock = (server: string): string => `the lock of ${server}`

function byTool(tools: readonly LockedTool[]): Record<string, LockedTool> {
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]))
}
