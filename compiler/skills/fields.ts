import type { Located } from '../../schemas/source.ts'
import { FIELD_READERS } from '../define/fields.ts'
import { oneOf, refuse, text, type FieldReader, type Reading } from '../define/reading.ts'
import type { Entry } from '../parse/node.ts'
import type { SkillFields } from './definition.ts'

/** The portable specification and Claude Code allow more words than agents do (claude-code-agents.md 8.1). */
const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
}

function boolean(key: string): FieldReader<boolean> {
  return (node, keyRange, reading) => {
    const word = node.kind === 'scalar' ? String(node.value).toLowerCase() : ''
    if (Object.hasOwn(WORDS, word)) return { value: WORDS[word]!, range: node.range }
    return refuse(key, node, keyRange, reading, 'true or false', ['true', 'false'])
  }
}

/** A list of texts, or one text that `pattern` divides. */
function texts(key: string, pattern: RegExp): FieldReader<string[]> {
  return (node, keyRange, reading) => {
    const items = node.kind === 'list' ? node.items : [node]
    if (items.length === 0 || !items.every((item) => item.kind === 'scalar' && String(item.value ?? '').trim() !== '')) {
      return refuse(key, node, keyRange, reading, 'a text or a list of texts')
    }
    const values = items.map((item) => (item.kind === 'scalar' ? String(item.value).trim() : ''))
    return { value: node.kind === 'list' ? values : (values[0]!.match(pattern) ?? []).map((part) => part.trim()), range: node.range }
  }
}

/** Only shown to people; `[file]` is YAML for a list and is meant as it stands. */
const hint: FieldReader<string> = (node, keyRange, reading) => {
  const shown = node.kind === 'scalar' ? String(node.value ?? '') : reading.file.text.slice(...node.range)
  if (shown.trim() === '' || node.kind === 'map') return refuse('argument-hint', node, keyRange, reading, 'text')
  return { value: shown, range: node.range }
}

/** As in agents; what is said there of Claude Code and flat hooks was not measured for skills. */
const hooks: SkillReader<'hooks'> = (node, keyRange, reading) => {
  if (node.kind !== 'map') return refuse('hooks', node, keyRange, reading, 'a map from events to hooks')
  const own: Reading = { file: reading.file, found: [] }
  const value = FIELD_READERS.hooks(node, keyRange, own)
  reading.found.push(...own.found.filter(({ code }) => code !== 'hook/flat'))
  return value
}

type SkillReader<K extends keyof SkillFields> = FieldReader<NonNullable<SkillFields[K]> extends Located<infer T> ? T : never>

/** Key as written to the field it becomes and how it is read. */
const READERS: Readonly<Record<string, readonly [keyof SkillFields, FieldReader<unknown>]>> = {
  when_to_use: ['whenToUse', text('when_to_use')],
  'argument-hint': ['argumentHint', hint],
  arguments: ['arguments', texts('arguments', /[^\s,]+/g)],
  'disable-model-invocation': ['disableModelInvocation', boolean('disable-model-invocation')],
  'user-invocable': ['userInvocable', boolean('user-invocable')],
  model: ['model', FIELD_READERS.model],
  effort: ['effort', FIELD_READERS.effort],
  context: ['context', oneOf('context', ['fork', 'inline'])],
  agent: ['agent', text('agent')],
  background: ['background', boolean('background')],
  paths: ['paths', texts('paths', /(?:\{[^}]*\}|[^,{])+/g)],
  shell: ['shell', oneOf('shell', ['bash', 'powershell'])],
  hooks: ['hooks', hooks],
}

/** Keys that are read elsewhere, or are for people and other programs only. */
const OTHERS = ['name', 'description', 'allowed-tools', 'disallowed-tools', 'license', 'compatibility', 'metadata', 'version']

export const SKILL_KEYS = [...Object.keys(READERS), ...OTHERS]

export function skillFields(entries: readonly Entry[], reading: Reading): SkillFields {
  const fields: Record<string, unknown> = {}
  const last = new Map(entries.map((entry) => [entry.key, entry]))
  for (const { key, keyRange, value } of last.values()) {
    const [field, read] = Object.hasOwn(READERS, key) ? READERS[key]! : []
    const result = read?.(value, keyRange, reading)
    if (field && result) fields[field] = result
  }
  return fields as SkillFields
}
