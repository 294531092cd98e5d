import { ruleText } from '../../schemas/rule-text.ts'
import { includes } from '../permission/reach.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import { placed, type Settings, type WrittenRule } from '../settings/settings.ts'
import { placeText } from './place.ts'
import { plain, switchText, type Explained } from './settings.ts'

/**
 * The permission rules an agent runs under: its own caps and denials, then those of the settings, the strongest list first. A rule that does
 * not count names what overrules it: a switch, or for an allow rule the deny rule that makes it dead.
 */
export function explainRules({ limits, deny }: ResolvedAgent, settings: Settings): Explained[] {
  const lists = ['deny', 'ask', 'allow'] as const
  const off = settings.off.flatMap((item) => ('rule' in item ? [plain(nameOf(item.rule), item.origin, switchText(item.by))] : []))
  return [
    ...limits.map((rule) => plain(`only ${ruleText(rule)}`, rule.origin!)),
    ...deny.map((rule) => plain(`deny ${ruleText(rule)}`, rule.origin!)),
    ...lists.flatMap((list) =>
      settings.rules.filter((rule) => rule.list === list).map((rule) => plain(nameOf(rule), placed(rule), stronger(rule, settings))),
    ),
    ...off,
  ]
}

function nameOf({ list, text }: WrittenRule): string {
  return `${list} ${text}`
}

function stronger({ list, rule }: WrittenRule, { rules }: Settings): string | undefined {
  const found = list === 'allow' ? rules.find((other) => other.list === 'deny' && includes(other.rule, rule)) : undefined
  return found && `${nameOf(found)} at ${placeText(found.file, found.range)}`
}
