import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Profile } from '../../schemas/profile.ts'
import { ROLES } from '../../schemas/values.ts'
import * as say from '../findings/permission.ts'
import { includes } from '../permission/reach.ts'
import type { Resolution } from '../resolve/resolved.ts'
import type { Settings, WrittenRule } from '../settings/settings.ts'

/** Rules that allow or ask about a tool of this program which no agent has (issue 4). Those that a deny rule makes dead are told as that. */
export function checkRules({ rules }: Settings, { agents }: Resolution, profile: Profile): Diagnostic[] {
  if (rules.length === 0 || agents.size === 0) return []
  // Agents with equal lists share their views.
  const views = [...new Set([...agents.values()].map((agent) => agent.views))].flatMap((view) => ROLES.map((role) => view[role]))
  const offered = new Set(views.flatMap(({ tools, plan = [] }) => [...tools, ...plan]))
  return rules
    .filter((rule) => rule.list !== 'deny' && profile.byName.has(rule.rule.tool) && !offered.has(rule.rule.tool) && !isDead(rule, rules))
    .map((rule) => say.inNoView(rule, rule.rule.tool))
}

function isDead(allow: WrittenRule, rules: readonly WrittenRule[]): boolean {
  return allow.list === 'allow' && rules.some(({ list, rule }) => list === 'deny' && includes(rule, allow.rule))
}
