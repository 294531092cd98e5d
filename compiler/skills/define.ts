import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { Range } from '../../schemas/source.ts'
import { editDistance, folded } from '../../schemas/near.ts'
import { refuse, type Reading } from '../define/reading.ts'
import * as say from '../findings/skill.ts'
import { entryOf, type Entry, type MapNode } from '../parse/node.ts'
import type { SourceFile } from '../source-file.ts'
import type { SkillDefinition } from './definition.ts'
import type { SkillDocument } from './document.ts'
import { SKILL_KEYS, skillFields } from './fields.ts'
import { toolRules } from './tools.ts'

/** Understands the keys of a skill or command; a wrong value loses its key and never the skill (claude-code-agents.md 8.1). */
export function defineSkill(
  { file, root, content, diagnostics }: SkillDocument,
  profile: Profile,
): {
  definition: SkillDefinition
  diagnostics: Diagnostic[]
} {
  const reading: Reading = { file, found: [] }
  const named = textOf(entryOf(root, 'name'), reading)
  const described = textOf(entryOf(root, 'description'), reading)
  const name = nameOf(file, named?.value)
  const definition: SkillDefinition = {
    file,
    name,
    at: named?.range ?? described?.range ?? [0, 0],
    description: described?.value ?? firstLine(content),
    content,
    allowedTools: toolRules(entryOf(root, 'allowed-tools'), 'allow', reading, profile),
    disallowedTools: toolRules(entryOf(root, 'disallowed-tools'), 'deny', reading, profile),
    ...skillFields(root.entries, reading),
  }
  const spoken = file.kind === 'skill' && diagnostics.every(({ code }) => code !== 'skill/no-frontmatter')
  if (spoken && !described) reading.found.push(say.missingDescription(file, entryOf(root, 'description')?.keyRange ?? [0, 3]))
  if (named && file.kind === 'skill' && named.value !== stemOf(file))
    reading.found.push(say.nameDiffers(file, named.range, named.value, stemOf(file), name))
  return { definition, diagnostics: [...diagnostics, ...reading.found, ...misspelt(root, file)] }
}

/** A text that says something; what is there and is none is reported, an empty one by whoever misses it. */
function textOf(entry: Entry | undefined, reading: Reading): { value: string; range: Range } | undefined {
  if (!entry) return undefined
  const { key, keyRange, value } = entry
  if (value.kind !== 'scalar') return refuse(key, value, keyRange, reading, 'text')
  const text = String(value.value ?? '').trim()
  return text === '' ? undefined : { value: text.normalize('NFC'), range: value.range }
}

/**
 * What a file is called by. A skill of a plugin by the name it gives itself, any other by its folder: there `name` is only shown.
 * A command by its file, with the folders it is in. An unreadable file has the name of its place (claude-code-agents.md 8.1, 8.2).
 */
export function nameOf(file: SourceFile, own?: string): string {
  const inPlugin = file.kind === 'skill' && file.origin.source === 'plugin'
  const last = inPlugin && own !== undefined && !/[:/\p{Cc}]/u.test(own) ? own : stemOf(file)
  return file.namespace === undefined ? last : `${file.namespace}:${last}`
}

function stemOf({ kind, origin }: SourceFile): string {
  const parts = origin.path.split('/')
  return (kind === 'skill' ? (parts.at(-2) ?? origin.plugin ?? '') : parts.at(-1)!.replace(/\.md$/, '')).normalize('NFC')
}

function firstLine(content: string): string {
  const line = content.split('\n').find((text) => text.replace(/^[#\s]+/, '') !== '')
  return line === undefined ? '' : line.replace(/^[#\s]+/, '').trimEnd()
}

/** Equal to a known key but for separators and letter case, or one edit away from a long one. */
function misspelt({ entries }: MapNode, file: SourceFile): Diagnostic[] {
  const written = new Set(entries.map(({ key }) => key))
  return entries.flatMap(({ key, keyRange }) => {
    if (SKILL_KEYS.includes(key)) return []
    const meant = SKILL_KEYS.find((known) => folded(known) === folded(key) || (known.length > 6 && editDistance(key, known, 1) === 1))
    return meant === undefined || written.has(meant) ? [] : [say.misspeltKey(file, keyRange, key, meant)]
  })
}
