import type { Rule } from '../../schemas/shapes/permission.ts'
import { ruleText } from '../../schemas/rule-text.ts'

/** A rule with the place where it is written: `Read(secret/**) (.claude/settings.json:3)`. */
export function written(rule: Rule): string {
  const { origin } = rule
  return `${ruleText(rule)} (${origin ? `${origin.path}:${origin.line}` : 'written in no file'})`
}
