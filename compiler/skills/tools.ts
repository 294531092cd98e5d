import type { Profile } from '../../schemas/profile.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { refuse, type Reading } from '../define/reading.ts'
import { toolEntries } from '../define/tools.ts'
import { typeOf, type Entry, type Node } from '../parse/node.ts'
import { readRule } from '../permission/rule.ts'
import type { RuleList } from '../permission/specifier.ts'

/** Reads `allowed-tools` or `disallowed-tools`: text with blanks or commas between the tools, or a list. Each is a permission rule. */
export function toolRules(entry: Entry | undefined, list: RuleList, reading: Reading, profile: Profile): Rule[] {
  if (!entry) return []
  const { key, keyRange, value } = entry
  const items = value.kind === 'list' ? value.items : [value]
  const good = items.filter((item): item is Node => item.kind === 'scalar' && typeof item.value === 'string')
  const wrong = items.find((item) => !good.includes(item))
  if (wrong) refuse(key, wrong, keyRange, reading, `names of tools, not ${typeOf(wrong)}`)
  const entries = toolEntries(key, { kind: 'list', items: good, range: value.range }, keyRange, reading)
  return entries.flatMap(({ text, range }) => {
    const { rule, found } = readRule({ text, list, file: reading.file, range }, profile)
    reading.found.push(...found)
    return rule ? [rule] : []
  })
}
