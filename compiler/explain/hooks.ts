import type { HookGroup, HookHandler } from '../../schemas/shapes/hook.ts'
import type { AgentDefinition } from '../define/definition.ts'
import { withReferences } from '../secret/mask.ts'
import { hooksSwitch, type Settings } from '../settings/settings.ts'
import { originAt } from '../source-file.ts'
import { plain, switchText, type Explained } from './settings.ts'

/**
 * The hooks that fire while an agent runs, in the order in which they do: those of settings and plugins, then its own (measured.md "Hooks").
 * Those that a switch keeps from counting come last and name it. In: the definition as it was written, with its hooks.
 */
export function explainHooks(written: AgentDefinition, settings: Settings): Explained[] {
  const everywhere = Object.entries(settings.hooks).flatMap(([event, groups]) =>
    groups.map((group) => plain(nameOf(event, group), group.origin!)),
  )
  const by = hooksSwitch(written.file.origin.source, settings)
  const own = Object.entries(written.hooks?.value ?? {}).flatMap(([event, groups]) =>
    groups.map((group) => plain(nameOf(event, group), placeOf(group, written), by && switchText(by))),
  )
  const off = settings.off.flatMap((item) =>
    'group' in item ? [plain(nameOf(item.event, item.group), item.origin, switchText(item.by))] : [],
  )
  return [...everywhere, ...own, ...off]
}

function placeOf(group: HookGroup, { file, hookPlaces, hooks }: AgentDefinition): NonNullable<HookGroup['origin']> {
  return originAt(file, hookPlaces?.get(group) ?? hooks!.range)
}

function nameOf(event: string, { matcher, handlers }: HookGroup): string {
  const what = withReferences(handlers).map(handlerText).join(' and ')
  if (!matcher) return `${event}: ${what}`
  return `${event} ${'regex' in matcher ? matcher.regex : matcher.names.join('|')}: ${what}`
}

function handlerText(handler: HookHandler): string {
  if (handler.type === 'command') return handler.command
  if (handler.type === 'http') return handler.url
  if (handler.type === 'mcp_tool') return `${handler.server} ${handler.tool}`
  return `${handler.type}${handler.handover ? ' at hand-over' : ''} "${handler.prompt}"`
}
