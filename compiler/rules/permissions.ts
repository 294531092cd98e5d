import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Profile } from '../../schemas/profile.ts'
import { folded } from '../../schemas/near.ts'
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

/**
 * Rules that restrict an agent under a name that only letter case or separators keep from being that of one. An agent of quite another name
 * may be one of another project.
 */
export function checkAgentRules({ rules }: Settings, { agents, dropped }: Resolution): Diagnostic[] {
  const named = rules.flatMap((written) => {
    const { rule, list } = written
    const name = list !== 'allow' && rule.tool === 'Agent' && rule.match && 'name' in rule.match ? rule.match.name : undefined
    return name === undefined || agents.has(name) || dropped.has(name) ? [] : [{ written, name }]
  })
  if (named.length === 0) return []
  const byFolded = new Map([...agents.keys()].map((name) => [folded(name), name]))
  return named.flatMap(({ written, name }) => {
    const meant = byFolded.get(folded(name))
    if (meant === undefined) return []
    return [say.neverMatches(written, `no agent is called \`${name}\``, `Did you mean \`Agent(${meant})\`?`)]
  })
}

function isDead(allow: WrittenRule, rules: readonly WrittenRule[]): boolean {
  return allow.list === 'allow' && rules.some(({ list, rule }) => list === 'deny' && includes(rule, allow.rule))
}
