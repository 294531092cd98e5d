import { posix } from 'node:path'
import { canonicalJson } from '../../schemas/canonical.ts'
import type { ManifestAgent, ManifestHeader } from '../../schemas/shapes/manifest.ts'
import { ruleText } from '../../schemas/rule-text.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { listed, type Finding } from './change.ts'
import { hasTool } from './tools.ts'

/**
 * Caps of an agent, tool by tool as the runner applies them: where a tool has none of its own, those of Read hold for Grep and Glob.
 * A cap less is a gain only if the agent still has the tool and nothing else caps it; a rule more is one if no old rule covers it.
 */
export function limitChanges(old: ManifestAgent, now: ManifestAgent): Finding[] {
  const parts = cappedTools(old, now).map((tool) => {
    const [had, has] = [capsOf(old, tool), capsOf(now, tool)]
    const usable = hasTool(now, (name) => name === tool || (tool === 'Read' && READS.has(name)))
    const [added, removed] = [withoutSame(has, had), withoutSame(had, has)]
    const wider = added.filter((rule) => had.length > 0 && usable && !isCovered(rule, had))
    return { wider, tighter: added.filter((rule) => !wider.includes(rule)), removed, open: has.length === 0 && usable }
  })
  const removed = (open: boolean): Rule[] => parts.flatMap((part) => (part.open === open ? part.removed : []))
  return [
    ...listed('limits', 'added', true, parts.flatMap(({ wider }) => wider).map(ruleText)),
    ...listed('limits', 'removed', true, removed(true).map(ruleText)),
    ...listed('limits', 'added', false, parts.flatMap(({ tighter }) => tighter).map(ruleText)),
    ...listed('limits', 'removed', false, removed(false).map(ruleText)),
  ]
}

const READS: ReadonlySet<string> = new Set(['Grep', 'Glob'])

function cappedTools(old: ManifestAgent, now: ManifestAgent): string[] {
  return [...new Set([...old.limits, ...now.limits].map(({ tool }) => tool))].sort()
}

function capsOf({ limits }: ManifestAgent, tool: string): Rule[] {
  const own = limits.filter((rule) => rule.tool === tool)
  if (own.length > 0 || !READS.has(tool)) return own
  return limits.filter((rule) => rule.tool === 'Read').map((rule) => ({ ...rule, tool }))
}

/** Deny rules of an agent. Rules about paths hold for several tools, so one less counts while the agent has any tool at all. */
export function denyChanges(old: ManifestAgent, now: ManifestAgent): Finding[] {
  const removed = withoutSame(old.deny, now.deny)
  const matters = ({ tool }: Rule): boolean =>
    PATH_TOOLS.has(tool) || tool.startsWith('mcp__') ? hasTool(now, () => true) : hasTool(now, (name) => name === tool)
  const gain = (rule: Rule): boolean => matters(rule) && !isCovered(rule, now.deny)
  return [
    ...listed('deny', 'removed', true, removed.filter(gain).map(ruleText)),
    ...listed('deny', 'removed', false, removed.filter((rule) => !gain(rule)).map(ruleText)),
    ...listed('deny', 'added', false, withoutSame(now.deny, old.deny).map(ruleText)),
  ]
}

const PATH_TOOLS: ReadonlySet<string> = new Set(['Read', 'Edit', 'Write', 'NotebookEdit', 'Glob', 'Grep'])

type Permissions = ManifestHeader['permissions']

/** The rules of the settings, which hold for every agent. */
export function permissionChanges(old: Permissions, now: Permissions): Finding[] {
  const ofLayer = (rules: readonly Rule[], { origin }: Rule): Rule[] => rules.filter((rule) => rule.origin?.source === origin?.source)
  const allowed = (rule: Rule): boolean => !isCovered(rule, ofLayer(old.allow, rule))
  const unasked = (rule: Rule): boolean => !isCovered(rule, [...now.ask, ...now.deny])
  const opened = (rule: Rule): boolean => !isCovered(rule, now.deny)
  return [
    ...split('allowRules', 'added', withoutSame(now.allow, old.allow, 'layers'), allowed),
    ...split('askRules', 'removed', withoutSame(old.ask, now.ask), unasked),
    ...split('denyRules', 'removed', withoutSame(old.deny, now.deny), opened),
    ...split('allowRules', 'removed', withoutSame(old.allow, now.allow, 'layers'), () => false),
    ...split('askRules', 'added', withoutSame(now.ask, old.ask), () => false),
    ...split('denyRules', 'added', withoutSame(now.deny, old.deny), () => false),
  ]
}

type RuleKind = 'allowRules' | 'askRules' | 'denyRules'

function split(kind: RuleKind, change: 'added' | 'removed', rules: readonly Rule[], gain: (rule: Rule) => boolean): Finding[] {
  const text = (rule: Rule): string => `${ruleText(rule)}${rule.origin ? ` (${rule.origin.source})` : ''}`
  return [true, false].flatMap((wanted) => listed(kind, change, wanted, rules.filter((rule) => gain(rule) === wanted).map(text)))
}

function withoutSame(rules: readonly Rule[], others: readonly Rule[], layers?: 'layers'): Rule[] {
  const key = (rule: Rule): string => canonicalJson([ruleKey(rule), layers && rule.origin?.source])
  const known = new Set(others.map(key))
  return rules.filter((rule) => !known.has(key(rule)))
}

/** The same for rules that are about the same calls, wherever they are written. */
export function ruleKey(rule: Rule): string {
  return canonicalJson([rule.tool, rule.match, baseOf(rule)])
}

/** What a path of this rule counts from, where that is the folder of the file it stands in. */
function baseOf({ match, origin }: Rule): string | undefined {
  if (!match || !('anchor' in match) || match.anchor !== 'source') return undefined
  return `${origin?.source}:${posix.dirname(origin?.path ?? '')}`
}

function isCovered(rule: Rule, by: readonly Rule[]): boolean {
  return by.some((one) => covers(one, rule))
}

/** Whether `wide` is surely about every call that `narrow` is about. Where that is not plain, it is not. */
function covers(wide: Rule, narrow: Rule): boolean {
  const tools = wide.tool === narrow.tool || (wide.tool.endsWith('*') && narrow.tool.startsWith(wide.tool.slice(0, -1)))
  if (!tools) return false
  if (!wide.match) return true
  if (!narrow.match) return false
  const [a, b] = [wide.match, narrow.match]
  if ('prefix' in a && 'prefix' in b) return a.prefix.every((word, index) => word === b.prefix[index])
  if ('namePrefix' in a) return ('name' in b ? b.name : 'namePrefix' in b ? b.namePrefix : '').startsWith(a.namePrefix)
  return canonicalJson([a, baseOf(wide)]) === canonicalJson([b, baseOf(narrow)])
}
